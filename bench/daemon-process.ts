import { spawn, type ChildProcess } from 'node:child_process';
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
  stop(): Promise<void>;
}

/** As the product is started: see `daemonFlags` in scripts/lib/pinned-node.mjs. */
const daemonFlags = ['--max-semi-space-size=8'];

const repository = fileURLToPath(new URL('..', import.meta.url));

/** A real daemon in a process of its own on a data directory of its own (or a given one). */
export async function startBenchDaemon(dataDir?: string): Promise<BenchDaemon> {
  const home = dataDir ?? (await mkdtemp(join(tmpdir(), 'strata-bench-')));
  const started = performance.now();
  await writeFile(join(home, 'config.yaml'), 'port: 0\n');
  const child = spawn(process.execPath, [...daemonFlags, join(repository, 'out/main/daemon.js')], {
    env: { ...process.env, STRATA_HOME: home, STRATA_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'inherit', 'inherit'],
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
    stop: () => stop(child),
  };
}

export async function removeDataDirectory(dataDir: string): Promise<void> {
  await rm(dataDir, { recursive: true, force: true });
}

/** By the plugin's own client, since that is what waits for the answers: the whole answer, parsed. */
async function request(url: string, method: 'GET' | 'POST', token: string, body?: unknown): Promise<unknown> {
  const signal = AbortSignal.timeout(120_000);
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await ended;
}
