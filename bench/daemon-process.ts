import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exchange } from '../src-plugin/daemon/http-exchange.ts';

export interface BenchDaemon {
  readonly url: string;
  readonly pid: number;
  readonly dataDir: string;
  /** Milliseconds from the start of the process to its first answer on /health. */
  readonly startMs: number;
  post(path: string, body: unknown): Promise<unknown>;
  get(path: string): Promise<unknown>;
  /** Resident memory in MB. */
  rssMb(): number;
  /** Longest that the event loop was held up since this was asked last, with `watchLoop` (ms). */
  longestBlock(): Promise<LoopBlock>;
  stop(): Promise<void>;
  /** SIGKILL: nothing of the daemon runs any more. */
  kill(): Promise<void>;
}

export interface LoopBlock {
  /** By the clock: what a client would wait. Another process that takes the processor counts too. */
  readonly wallMs: number;
  /** Of it what the daemon's own thread worked. */
  readonly cpuMs: number;
}

export interface BenchDaemonOptions {
  /** A given one is kept; else one of its own is made. */
  readonly dataDir?: string;
  /** As in `config.yaml`, besides the port. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly watchLoop?: boolean;
}

/** Compaction in the background at a moment of its own would change what is measured. */
export const noTriggers = { budget_share: 0, tokens_added: 0, turns: 0, interval_minutes: 0 };

/** As the product is started: see `daemonFlags` in scripts/lib/pinned-node.mjs. */
const daemonFlags = ['--max-semi-space-size=8'];

const repository = fileURLToPath(new URL('..', import.meta.url));

/** The build; `STRATA_BENCH_PROGRAM=src-main/daemon.ts` takes the sources instead. */
const program = join(repository, process.env['STRATA_BENCH_PROGRAM'] ?? 'out/main/daemon.js');

/** A real daemon in a process of its own; it compacts only when it is asked to unless the configuration says otherwise. */
export async function startBenchDaemon(options: BenchDaemonOptions = {}): Promise<BenchDaemon> {
  const home = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'strata-bench-')));
  const started = performance.now();
  const config = { port: 0, compaction: { triggers: noTriggers }, ...options.config };
  // YAML holds JSON.
  await writeFile(join(home, 'config.yaml'), `${JSON.stringify(config)}\n`);
  const watch = options.watchLoop ? ['--import', join(repository, 'bench/watch-loop.ts')] : [];
  const child = spawn(process.execPath, [...daemonFlags, ...watch, program], {
    env: { ...process.env, STRATA_HOME: home, STRATA_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit', ...(options.watchLoop ? (['ipc'] as const) : [])],
  });
  const { url, token } = await waitUntilReady(home, child);
  const startMs = performance.now() - started;
  return {
    url,
    pid: child.pid ?? 0,
    dataDir: home,
    startMs,
    post: (path, body) => request(url + path, 'POST', token, body),
    get: (path) => request(url + path, 'GET', token),
    rssMb: () => rssMb(child.pid ?? 0),
    longestBlock: () => longestBlock(child),
    stop: () => end(child, 'SIGTERM'),
    kill: () => end(child, 'SIGKILL'),
  };
}

export async function removeDataDirectory(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
}

/** By the plugin's own client, since that is what waits for the answers: the whole answer, parsed. */
async function request(url: string, method: 'GET' | 'POST', token: string, body?: unknown): Promise<unknown> {
  const signal = AbortSignal.timeout(300_000);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const reply = await exchange({ url, method, token, body: text, signal });
  if (reply.status >= 300) throw new Error(`${method} ${url}: ${reply.status} ${reply.text.slice(0, 500)}`);
  return JSON.parse(reply.text) as unknown;
}

async function waitUntilReady(home: string, child: ChildProcess): Promise<{ url: string; token: string }> {
  const deadline = performance.now() + 60_000;
  while (performance.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`The daemon ended with ${child.exitCode} before it was ready.`);
    const endpoint = readEndpoint(home);
    if (endpoint?.pid === child.pid) {
      const health = await fetch(`${endpoint?.url}/health`).catch(() => undefined);
      if (health?.ok) return { url: endpoint?.url ?? '', token: readFileSync(join(home, 'token'), 'utf8').trim() };
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error('The daemon was not ready within a minute.');
}

function readEndpoint(home: string): { url: string; pid: number } | undefined {
  try {
    return JSON.parse(readFileSync(join(home, 'endpoint.json'), 'utf8')) as { url: string; pid: number };
  } catch {
    // Not written yet.
    return undefined;
  }
}

function rssMb(pid: number): number {
  const line = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(line?.[1] ?? 0) / 1024);
}

async function longestBlock(child: ChildProcess): Promise<LoopBlock> {
  const answer = once(child, 'message');
  child.send('longest block');
  // Only watch-loop.ts speaks on this channel.
  return (await answer)[0] as LoopBlock;
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
