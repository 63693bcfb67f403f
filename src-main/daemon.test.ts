import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sessionsRoute } from '../src-shared/protocol/sessions.ts';
import { commitTurnRoute } from '../src-shared/protocol/turns.ts';
import { createDaemonClient } from './http/client/daemon-client.ts';
import { temporaryDirectory } from './http/testing/temporary-directory.ts';

interface Line {
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

class Daemon {
  readonly process: ChildProcessWithoutNullStreams;
  readonly exit: Promise<readonly [number | null, string | null]>;
  stdout = '';
  stderr = '';

  constructor(dataDir: string, env: Record<string, string> = {}) {
    this.process = spawn(process.execPath, [join(import.meta.dirname, 'daemon.ts')], {
      env: { ...process.env, STRATA_HOME: dataDir, ...env },
    });
    this.process.stdout.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    this.process.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.exit = once(this.process, 'close') as Promise<[number | null, string | null]>;
    onTestFinished(async () => {
      this.process.kill('SIGKILL');
      await this.exit;
    });
  }

  get lines(): readonly Line[] {
    return this.stderr
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Line);
  }

  async until(event: string): Promise<Line> {
    for (;;) {
      const found = this.lines.find((line) => line.event === event);
      if (found) return found;
      await Promise.race([
        once(this.process.stderr, 'data'),
        this.exit.then(() => {
          throw new Error(`the daemon ended: ${this.stderr}`);
        }),
      ]);
    }
  }
}

async function freshDirectory(): Promise<string> {
  const dataDir = await temporaryDirectory();
  await writeFile(join(dataDir, 'config.yaml'), 'port: 0\n');
  return dataDir;
}

const turn = {
  session_id: 's',
  format: 'openai',
  advancement_key: 'k',
  messages: [{ role: 'user', content: 'secret words' }],
} as const;

describe('the headless daemon', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('stores everything and ends with 0 on %s', async (signal) => {
    const dataDir = await freshDirectory();
    const daemon = new Daemon(dataDir);
    await daemon.until('started');
    const client = createDaemonClient({ dataDir });
    await client.call(commitTurnRoute, { body: { ...turn, messages: [...turn.messages] } });
    const { pid } = await client.endpoint();
    expect(pid).toBe(daemon.process.pid);
    daemon.process.kill(signal);
    expect(await daemon.exit).toEqual([0, null]);
    expect(existsSync(join(dataDir, 'endpoint.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'strata.db-wal'))).toBe(false);
    expect(daemon.lines.map((line) => line.event)).toEqual(['started', 'stopping', 'stopped']);
  });

  it('says one JSON line per event on stderr, nothing on stdout, and no secrets', async () => {
    const dataDir = await freshDirectory();
    const daemon = new Daemon(dataDir, { STRATA_LOG_LEVEL: 'debug' });
    const started = await daemon.until('started');
    expect(started).toMatchObject({ level: 'info', pid: daemon.process.pid, data_dir: dataDir });
    const client = createDaemonClient({ dataDir });
    await client.call(commitTurnRoute, { body: { ...turn, messages: [...turn.messages] } });
    await fetch(`${String(started['url'])}/v1/sessions`, { headers: { Authorization: 'Bearer secret' } });
    daemon.process.kill('SIGTERM');
    await daemon.exit;
    expect(daemon.stdout).toBe('');
    expect(daemon.stderr).not.toContain('secret');
    expect(daemon.lines.length).toBeGreaterThan(2);
  });

  it('keeps what was committed when it is killed, and starts again', async () => {
    const dataDir = await freshDirectory();
    const first = new Daemon(dataDir);
    await first.until('started');
    const client = createDaemonClient({ dataDir });
    await client.call(commitTurnRoute, { body: { ...turn, messages: [...turn.messages] } });
    first.process.kill('SIGKILL');
    await first.exit;
    await expect(client.call(sessionsRoute)).rejects.toMatchObject({ code: 'daemon_unreachable' });
    const second = new Daemon(dataDir);
    await second.until('started');
    const again = await client.call(commitTurnRoute, { body: { ...turn, messages: [...turn.messages] } });
    expect(again.status).toBe('duplicate');
  });

  it('ends with 1 and one line that names code and remedy when the configuration is wrong', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'config.yaml'), 'port: many\n');
    const daemon = new Daemon(dataDir);
    expect(await daemon.exit).toEqual([1, null]);
    expect(daemon.lines).toMatchObject([{ level: 'error', event: 'start_failed', code: 'invalid_config' }]);
    expect(daemon.lines[0]?.['message']).toContain('line 1: port: expected number, got "many"');
  });

  it('ends with 1 and leaves the owner alone when the directory is owned', async () => {
    const dataDir = await freshDirectory();
    const owner = new Daemon(dataDir);
    await owner.until('started');
    const second = new Daemon(dataDir);
    expect(await second.exit).toEqual([1, null]);
    expect(second.lines).toMatchObject([{ event: 'start_failed', code: 'data_dir_owned' }]);
    expect((await createDaemonClient({ dataDir }).call(sessionsRoute)).total).toBe(0);
  });

  it.each([
    ['uncaught_exception', 'setTimeout(() => { throw new Error("boom") }, 0)'],
    ['unhandled_rejection', 'setTimeout(() => { void Promise.reject(new Error("boom")) }, 0)'],
  ])('stores everything and ends with 1 on an %s', async (event, code) => {
    const dataDir = await freshDirectory();
    const trap = join(dataDir, 'trap.mjs');
    await writeFile(trap, `process.on('SIGUSR2', () => { ${code} });`);
    const daemon = new Daemon(dataDir, { NODE_OPTIONS: `--import=${trap}` });
    await daemon.until('started');
    daemon.process.kill('SIGUSR2');
    expect(await daemon.exit).toEqual([1, null]);
    expect(daemon.lines.map((line) => line.event)).toEqual(['started', event, 'stopped']);
    expect(existsSync(join(dataDir, 'endpoint.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'strata.db-wal'))).toBe(false);
  });
});
