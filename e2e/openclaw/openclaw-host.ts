import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { runChild, Service, until, type Outcome } from './child.ts';
import type { HostInstall } from './install-host.ts';

const gatewayToken = 'e2e-gateway-token';
/** A port that nothing listens on: whatever the host tries to look up outside ends here at once. */
const nowhere = 'http://127.0.0.1:9';

type Json = { [key: string]: unknown };

/** A real OpenClaw with a home directory of its own, configured to talk to nobody but the scripted model. */
export class OpenClawHost {
  readonly install: HostInstall;
  readonly home: string;
  readonly logFile: string;
  readonly #env: NodeJS.ProcessEnv;
  #port = 0;
  #gateway: Service | undefined;

  constructor(install: HostInstall, home: string, strataHome: string) {
    this.install = install;
    this.home = home;
    this.logFile = join(home, 'gateway.log');
    this.#env = {
      HOME: home,
      PATH: install.path,
      STRATA_HOME: strataHome,
      OPENCLAW_GATEWAY_TOKEN: gatewayToken,
      HTTP_PROXY: nowhere,
      HTTPS_PROXY: nowhere,
      NO_PROXY: '127.0.0.1,localhost',
      NO_COLOR: '1',
      TZ: 'UTC',
      LANG: 'C.UTF-8',
    };
  }

  /** It gives the engine time for upkeep after each turn, and its model with it. */
  get isCurrent(): boolean {
    return this.install.version.startsWith('2026.9.');
  }

  get isOldest(): boolean {
    return this.install.version < '2026.8';
  }

  get config(): Json {
    return JSON.parse(readFileSync(this.#configPath, 'utf8')) as Json;
  }

  set config(config: Json) {
    mkdirSync(join(this.home, '.openclaw'), { recursive: true });
    writeFileSync(this.#configPath, JSON.stringify(config, null, 2));
  }

  get #configPath(): string {
    return join(this.home, '.openclaw', 'openclaw.json');
  }

  /** Writes the configuration: the scripted model, and every outside look-up off. */
  async configure(modelUrl: string): Promise<void> {
    this.#port = await freePort();
    const model = {
      id: 'scripted',
      name: 'Scripted',
      reasoning: false,
      input: ['text'],
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 64_000,
      maxTokens: 2_048,
    };
    const newer = this.isOldest ? {} : { memory: { search: { provider: 'none' } } };
    this.config = {
      ...newer,
      models: {
        mode: 'replace',
        providers: { scripted: { baseUrl: modelUrl, apiKey: 'none', api: 'openai-completions', models: [model] } },
        ...(this.install.version >= '2026.9' ? { catalogRefresh: { enabled: false } } : {}),
      },
      agents: { defaults: { model: { primary: 'scripted/scripted' }, heartbeat: { every: '0m' } } },
      cron: { enabled: false },
      gateway: {
        mode: 'local',
        port: this.#port,
        bind: 'loopback',
        auth: { mode: 'token', token: gatewayToken },
        http: { endpoints: { chatCompletions: { enabled: true } } },
      },
      logging: { file: join(this.home, 'openclaw.log') },
      discovery: { mdns: { mode: 'off' } },
      update: { checkOnStart: false },
    };
  }

  /** Installs the plugin as a user does, and allows it the hooks that show usage. */
  async installPlugin(pluginDir: string, pluginConfig: Json): Promise<Outcome> {
    const consent = this.isOldest ? [] : ['--force', '--accept-capabilities'];
    const outcome = await this.cli(['plugins', 'install', '-l', pluginDir, ...consent]);
    const config = this.config;
    const plugins = (config['plugins'] ?? {}) as { entries?: Json };
    const entry = { enabled: true, hooks: { allowConversationAccess: true }, config: pluginConfig };
    this.config = { ...config, plugins: { ...plugins, entries: { ...plugins.entries, strata: entry } } };
    return outcome;
  }

  async cli(args: readonly string[], timeoutMs = 120_000): Promise<Outcome> {
    return await runChild(this.install.cli, args, { env: this.#env, cwd: this.home, timeoutMs });
  }

  /** Runs a module text with the host's package in reach. @returns what it wrote to standard output as JSON */
  async evaluate<T>(code: string): Promise<T> {
    const args = ['--input-type=module', '--eval', code];
    const { code: status, output } = await runChild(this.install.node, args, { env: this.#env, cwd: this.install.dir });
    const line = output.split('\n').find((candidate) => candidate.startsWith('RESULT '));
    if (line === undefined) throw new Error(`Evaluation ended with ${status}: ${output.slice(-2_000)}`);
    return JSON.parse(line.slice('RESULT '.length)) as T;
  }

  async startGateway(): Promise<void> {
    this.#gateway = new Service(this.install.cli, ['gateway', 'run'], {
      env: this.#env,
      cwd: this.home,
      logFile: this.logFile,
    });
    const gateway = this.#gateway;
    await until(
      'the gateway',
      async () => {
        if (!gateway.isRunning) throw new Error(`The gateway ended:\n${this.log().slice(-3_000)}`);
        const status = await fetch(`http://127.0.0.1:${this.#port}/v1/models`, { headers: this.#authorization }).then(
          (response) => response.status,
          () => 0,
        );
        return status === 200 ? true : undefined;
      },
      180_000,
    );
  }

  async stopGateway(): Promise<void> {
    await this.#gateway?.stop();
    this.#gateway = undefined;
  }

  /** Everything the gateway wrote so far. */
  log(): string {
    try {
      return readFileSync(this.logFile, 'utf8');
    } catch {
      return ''; // not started yet
    }
  }

  /** One message of the user over the gateway's own HTTP door. @returns the answer's text */
  async turn(sessionKey: string, text: string): Promise<string> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/v1/chat/completions`, {
      method: 'POST',
      headers: { ...this.#authorization, 'content-type': 'application/json', 'x-openclaw-session-key': sessionKey },
      body: JSON.stringify({ model: 'openclaw/main', messages: [{ role: 'user', content: text }] }),
      signal: AbortSignal.timeout(150_000),
    });
    const answer = (await response.json()) as { choices?: { message?: { content?: string } }[] };
    if (!response.ok) throw new Error(`The turn failed with ${response.status}: ${JSON.stringify(answer)}`);
    return answer.choices?.[0]?.message?.content ?? '';
  }

  /** `openclaw sessions compact`: what `/compact` does in a chat. */
  async compactSession(sessionKey: string): Promise<Outcome> {
    return await this.cli(['sessions', 'compact', sessionKey, '--token', gatewayToken, '--json']);
  }

  /** A message typed into a chat of the gateway, commands included. What it does shows later. */
  async chat(sessionKey: string, message: string): Promise<Outcome> {
    return await this.rpc('chat.send', { sessionKey, message, idempotencyKey: randomUUID() });
  }

  /** A method of the gateway through the command line. */
  async rpc(method: string, params: Json): Promise<Outcome> {
    const args = ['gateway', 'call', method, '--token', gatewayToken, '--params', JSON.stringify(params), '--json'];
    const outcome = await this.cli(args);
    if (outcome.code !== 0) throw new Error(`${method} failed: ${outcome.output}`);
    return outcome;
  }

  get #authorization(): Record<string, string> {
    return { authorization: `Bearer ${gatewayToken}` };
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
