import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallReply } from '../../src-shared/protocol/calls.ts';
import type { HealthReply } from '../../src-shared/protocol/health.ts';
import type { CheckpointRecord } from '../../src-shared/model/checkpoint.ts';
import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { CallSummary } from '../../src-shared/model/trace.ts';
import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import { Service, until } from './child.ts';

const repository = join(import.meta.dirname, '..', '..');

/** On a busy machine memory is found late, and a call without it would hide what is tested here. */
const patient = { recall: { deadline_ms: 5_000 } };

interface Page<T> {
  readonly items: readonly T[];
}

/** The real daemon, as a process of its own. */
export class StrataDaemon {
  readonly dataDir: string;
  readonly #logFile: string;
  #service: Service | undefined;

  constructor(dataDir: string, logFile: string) {
    this.dataDir = dataDir;
    this.#logFile = logFile;
  }

  async start(): Promise<void> {
    const file = join(this.dataDir, 'config.yaml');
    mkdirSync(this.dataDir, { recursive: true });
    if (!existsSync(file)) writeFileSync(file, JSON.stringify(patient));
    const env = { ...process.env, STRATA_HOME: this.dataDir };
    this.#service = new Service(process.execPath, [join(repository, 'src-main', 'daemon.ts')], {
      env,
      logFile: this.#logFile,
    });
    await until('the daemon', async () => ((await this.health().catch(() => undefined))?.ready ? true : undefined));
  }

  async stop(): Promise<void> {
    await this.#service?.stop();
    this.#service = undefined;
  }

  /** With another configuration; what is not named has its default. */
  async restart(config: Readonly<Record<string, unknown>>): Promise<void> {
    await this.stop();
    // JSON is YAML, and port 0 is what the suite's own daemon runs on.
    writeFileSync(join(this.dataDir, 'config.yaml'), JSON.stringify({ port: 0, ...patient, ...config }));
    await this.start();
  }

  async health(): Promise<HealthReply> {
    return await this.#get<HealthReply>('/health');
  }

  async sessions(): Promise<readonly SessionSummary[]> {
    return (await this.#get<Page<SessionSummary>>('/v1/sessions?limit=200')).items;
  }

  /** @throws when there is not exactly one with this key */
  async session(sessionKey: string): Promise<SessionSummary> {
    const found = (await this.sessions()).filter((session) => session.session_key === sessionKey);
    const [only] = found;
    if (only === undefined || found.length > 1) throw new Error(`${found.length} sessions with the key ${sessionKey}`);
    return only;
  }

  /** All turns with the host's original messages, oldest first. */
  async turns(sessionUid: string, epoch?: number): Promise<readonly TurnRecord[]> {
    const query = `limit=1000&raw=true${epoch === undefined ? '' : `&epoch=${epoch}`}`;
    return (await this.#get<Page<TurnRecord>>(`/v1/sessions/${sessionUid}/turns?${query}`)).items;
  }

  async checkpoints(sessionUid: string): Promise<readonly CheckpointRecord[]> {
    return (await this.#get<Page<CheckpointRecord>>(`/v1/sessions/${sessionUid}/checkpoints`)).items;
  }

  /** Newest first. */
  async calls(sessionUid: string): Promise<readonly CallSummary[]> {
    return (await this.#get<Page<CallSummary>>(`/v1/sessions/${sessionUid}/calls?limit=200`)).items;
  }

  async call(id: string): Promise<CallReply> {
    return await this.#get<CallReply>(`/v1/calls/${id}`);
  }

  async callMessages(id: string): Promise<readonly Record<string, unknown>[]> {
    const reply = await this.#get<{ messages: { message: Record<string, unknown> }[]; missing: string[] }>(
      `/v1/calls/${id}/messages`,
    );
    if (reply.missing.length > 0) throw new Error(`Bodies are missing: ${reply.missing.join()}`);
    return reply.messages.map(({ message }) => message);
  }

  async #get<T>(path: string): Promise<T> {
    const endpoint = join(this.dataDir, 'endpoint.json');
    if (!existsSync(endpoint)) throw new Error('The daemon has not published its address');
    const { url } = JSON.parse(readFileSync(endpoint, 'utf8')) as { url: string };
    const token = readFileSync(join(this.dataDir, 'token'), 'utf8').trim();
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${token}` } });
    if (!response.ok) throw new Error(`GET ${path} answered ${response.status}: ${await response.text()}`);
    // The daemon answers by the same schemas that these types are made of.
    return (await response.json()) as T;
  }
}
