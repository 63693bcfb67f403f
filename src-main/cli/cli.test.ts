import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHost, type Host } from '../host.ts';
import { productVersion } from '../product-version.ts';
import { runCli } from './run-cli.ts';

let home = '';
let dataDir = '';
let host: Host;

interface Run {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function cli(args: readonly string[], options: { dir?: string; answer?: string } = {}): Promise<Run> {
  let out = '';
  let err = '';
  const code = await runCli(args, {
    env: { HOME: home, STRATA_HOME: options.dir ?? dataDir, PATH: '/nonexistent' },
    stdout: (text) => (out += text),
    stderr: (text) => (err += text),
    ...(options.answer === undefined ? {} : { ask: () => Promise.resolve(options.answer ?? '') }),
    now: () => new Date(),
    root: home,
  });
  return { code, out, err };
}

const json = async (args: readonly string[], dir?: string) => {
  const run = await cli([...args, '--json'], dir === undefined ? {} : { dir });
  return { code: run.code, value: JSON.parse(run.out) };
};

async function commit(index: number): Promise<void> {
  await host.api.commitTurn({
    params: {},
    query: {},
    body: {
      advancement_key: `key-${index}`,
      session_id: 'session-1',
      session_key: 'agent:main:main',
      agent_id: 'main',
      format: 'openai',
      messages: [
        {
          role: 'user',
          content: `Question ${index} about src/proxy.ts and port 844${index % 10}. ${'detail '.repeat(80)}`,
        },
        { role: 'assistant', content: `Answer ${index}. ${'explained '.repeat(80)}` },
      ],
    },
  } as never);
}

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-cli-'));
  await mkdir(join(home, 'out', 'openclaw-plugin'), { recursive: true });
  for (const name of ['index.js', 'openclaw.plugin.json']) await writeFile(join(home, 'out/openclaw-plugin', name), '');
  dataDir = join(home, 'data');
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
  for (let index = 0; index < 12; index += 1) await commit(index);
  await host.api.assemble({
    params: {},
    query: {},
    body: {
      session_id: 'session-1',
      session_key: 'agent:main:main',
      agent_id: 'main',
      format: 'openai',
      messages: [],
      history: 'window',
      token_budget: 8_000,
      reply: 'messages',
      prompt: 'And now?',
    },
  } as never);
});
afterAll(async () => {
  await host.close();
  await rm(home, { recursive: true, force: true });
});

describe('strata against a running daemon', () => {
  it('status says that it runs, where, and whether the host uses it', async () => {
    const { code, out } = await cli(['status']);
    expect(code).toBe(0);
    expect(out).toContain(`Strata ${productVersion} · headless daemon · ready`);
    expect(out).toContain(host.url);
    expect(out).toContain('1 session, 24 turns');
    expect((await json(['status'])).value).toMatchObject({ running: true, url: host.url, store: { turns: 24 } });
  });

  it('sessions lists them for people and for programs', async () => {
    const { out } = await cli(['sessions']);
    expect(out).toMatch(/^SESSION +KEY +TURNS +TOKENS/);
    expect(out).toContain('agent:main:main');
    const { value } = await json(['sessions', '--limit', '5']);
    expect(value).toMatchObject({ total: 1, items: [{ session_id: 'session-1', turn_count: 24 }] });
    expect((await json(['sessions', '--agent', 'nobody'])).value.items).toEqual([]);
  });

  it('calls lists the calls of a session, and the decisions of one call', async () => {
    const { value } = await json(['calls', 'session-1']);
    const [call] = value.items;
    expect((await cli(['calls', 'session-1'])).out).toContain(call.call_id);
    const { out, code } = await cli(['calls', '--call', call.call_id]);
    expect(code).toBe(0);
    expect(out).toMatch(/ACTION +REASON +KIND/);
    expect(out).toContain('included');
    expect((await json(['calls', '--call', call.call_id])).value.trace.call_id).toBe(call.call_id);
  });

  it.each(['session-1', 'agent:main:main'])(
    'calls and export take the session %j by what the list shows',
    async (name) => {
      const uid = (await json(['sessions'])).value.items[0].session_uid;
      const byUid = await json(['calls', uid]);
      expect(byUid.value.items).toHaveLength(1);
      expect((await json(['calls', name])).value).toEqual(byUid.value);
      expect((await cli(['export', name])).out).toContain('Question 3');
    },
  );

  it('open prints a one-time link and opens nothing without a screen', async () => {
    const { out, err } = await cli(['open']);
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#code=\S+\n$/);
    expect(err).toContain('works once');
    expect((await json(['open'])).value).toMatchObject({ opened: false });
  });

  it('export and import bring a session into another data directory, byte for byte', async () => {
    const file = join(home, 'session.jsonl');
    expect((await cli(['export', 'session-1', '--output', file])).out).toContain(file);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const again = await cli(['export', 'session-1', '--output', file]);
    expect(again.code).toBe(1);
    expect(again.err).toContain('--force');
    const turns = (text: string) => text.split('\n').slice(1); // the first line has the time of the export
    expect(turns((await cli(['export', 'session-1'])).out)).toEqual(turns(await readFile(file, 'utf8')));

    const other = join(home, 'other');
    const second = await startHost({ dataDir: other, port: 0, mode: 'headless', version: productVersion });
    try {
      expect((await json(['import', file], other)).value).toMatchObject({ imported: 24, skipped: 0 });
      expect((await json(['import', file], other)).value).toMatchObject({ imported: 0, skipped: 24 });
    } finally {
      await second.close();
    }
  });

  it('S53: compact shrinks a session without any model, or says that there was nothing to compact', async () => {
    const first = await json(['compact', 'session-1', '--budget', '2000']);
    expect(first.code).toBe(0);
    expect(first.value).toMatchObject({ ok: true, compacted: true });
    expect(first.value.tokens_after).toBeLessThan(first.value.tokens_before);
    expect((await cli(['compact', 'session-1', '--budget', '2000'])).out).toMatch(/^(Compacted|Nothing was compacted)/);
  });

  it('daemon names the one that runs already, and ends well', async () => {
    const { code, out } = await cli(['daemon']);
    expect(code).toBe(0);
    expect(out).toContain(`runs already (process ${process.pid})`);
    expect(out).toContain('#code=');
    expect((await json(['daemon'])).value).toMatchObject({ already_running: true, url: host.url });
  });
});

describe('strata when something is wrong', () => {
  it('says in one line that no daemon runs and how to start it, with its own exit code', async () => {
    const empty = join(home, 'empty');
    const { code, err, out } = await cli(['sessions'], { dir: empty });
    expect([code, out]).toEqual([3, '']);
    expect(err).toMatch(/^strata: No daemon runs on .*npm start.*\n$/);
    const { value } = await json(['sessions'], empty);
    expect(value).toMatchObject({ ok: false, error: { code: 'daemon_unreachable' } });
  });

  it('hands on what the daemon refused', async () => {
    const { code, err } = await cli(['calls', 'no-such-session']);
    expect(code).toBe(1);
    expect(err).toMatch(/^strata: .*no-such-session.*column SESSION.*\n$/);
  });

  it.each([[['nope']], [['sessions', '--limit', 'x']], [['sessions', '--limit', '0']], [['export']], [['calls']]])(
    'ends with 2 on wrong usage: %j',
    async (args) => {
      const { code, err } = await cli(args);
      expect(code).toBe(2);
      expect(err).not.toBe('');
    },
  );

  it('names the file that cannot be imported', async () => {
    const { code, err } = await cli(['import', join(home, 'missing.jsonl')]);
    expect(code).toBe(1);
    expect(err).toContain(`There is no file ${join(home, 'missing.jsonl')}.`);
  });

  it('names the option that has a wrong value, and where sessions are listed', async () => {
    expect((await cli(['compact', 'session-1', '--budget', '0'])).err).toMatch(/--budget.*at least 1 token/);
    expect((await cli(['export'])).err).toContain('npm run strata -- sessions');
  });

  it('prints help and version without a daemon', async () => {
    expect((await cli(['--help'])).out).toContain('openclaw');
    expect((await cli(['--version'])).out).toBe(`${productVersion}\n`);
  });
});

describe('strata openclaw', () => {
  beforeEach(() => rm(join(home, '.openclaw'), { recursive: true, force: true }));

  it('shows the change and asks; "no" changes nothing', async () => {
    const { code, err } = await cli(['openclaw', 'install'], { answer: 'n' });
    expect(code).toBe(1);
    expect(err).toContain('plugins.slots.contextEngine = "strata"');
    expect(err).toContain('Nothing was changed');
    await expect(stat(join(home, '.openclaw'))).rejects.toThrow('ENOENT');
  });

  it('says what to do where nobody can be asked', async () => {
    const { code, err } = await cli(['openclaw', 'install']);
    expect(code).toBe(1);
    expect(err).toContain('This is not a terminal; use --yes');
  });

  it('installs after "yes", knows it the second time, and takes it out again', async () => {
    expect((await cli(['openclaw', 'status'])).code).toBe(1);
    expect((await cli(['openclaw', 'install'], { answer: 'y' })).code).toBe(0);
    expect((await cli(['openclaw', 'status'])).code).toBe(0);
    expect((await cli(['openclaw', 'install'])).out).toContain('already uses Strata');
    expect((await json(['openclaw', 'uninstall', '--yes'])).value).toMatchObject({ changed: true });
    expect((await json(['openclaw', 'uninstall', '--yes'])).value).toMatchObject({ changed: false });
    expect(JSON.parse(await readFile(join(home, '.openclaw', 'openclaw.json'), 'utf8'))).toEqual({});
  });

  it('leaves a commented configuration alone and prints what to write', async () => {
    await mkdir(join(home, '.openclaw'));
    const text = '{\n  // mine\n}\n';
    await writeFile(join(home, '.openclaw', 'openclaw.json'), text);
    const { code, err } = await cli(['openclaw', 'install', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('"contextEngine": "strata"');
    expect(await readFile(join(home, '.openclaw', 'openclaw.json'), 'utf8')).toBe(text);
  });
});

describe('strata doctor', () => {
  it('S80: ends with 1 and names every thing that keeps the host from using the engine', async () => {
    await rm(join(home, '.openclaw'), { recursive: true, force: true });
    await mkdir(join(home, '.openclaw'));
    await writeFile(join(home, '.openclaw', 'openclaw.json'), '{"plugins":{"slots":{"contextEngine":"legacy"}}}');
    const { code, out } = await cli(['doctor']);
    expect(code).toBe(1);
    expect(out).toContain('✗ The plugin is not installed in OpenClaw.\n    → Run: npm run strata -- openclaw install');
    expect(out).toContain('✗ OpenClaw uses "legacy"');
    expect(out).toContain(`✓ A daemon runs (process ${process.pid}`);
  });

  it('says once that no daemon runs, and once what to do', async () => {
    const { out } = await cli(['doctor'], { dir: join(home, 'nowhere') });
    expect(out).toMatch(/✗ No daemon runs on \S+nowhere\.\n {4}→ Start it with "npm start"/);
  });

  it('sees a token that others can read', async () => {
    await chmod(join(dataDir, 'token'), 0o644);
    const { value } = await json(['doctor']);
    await chmod(join(dataDir, 'token'), 0o600);
    expect(value.checks).toContainEqual(
      expect.objectContaining({ id: 'token', state: 'failed', remedy: expect.stringContaining('chmod 600') }),
    );
  });

  it('checks the database in full while no daemon runs, and says what is damaged', async () => {
    const dir = join(home, 'stopped');
    const own = await startHost({ dataDir: dir, port: 0, mode: 'headless', version: productVersion });
    await own.close();
    const sound = await json(['doctor'], dir);
    expect(sound.value.checks).toContainEqual(expect.objectContaining({ id: 'database', state: 'ok' }));
    await writeFile(join(dir, 'strata.db'), 'this is no database, however long it is. '.repeat(200));
    const damaged = await json(['doctor'], dir);
    expect(damaged.code).toBe(1);
    expect(damaged.value.checks).toContainEqual(expect.objectContaining({ id: 'database', state: 'failed' }));
  });
});
