import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';

export interface Outcome {
  readonly code: number | null;
  readonly output: string;
}

/** Runs a program to its end. @throws when it takes longer than `timeoutMs` */
export async function runChild(
  command: string,
  args: readonly string[],
  options: { env: NodeJS.ProcessEnv; cwd?: string; timeoutMs?: number },
): Promise<Outcome> {
  const { env, cwd, timeoutMs = 120_000 } = options;
  const child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    child.kill('SIGKILL');
  }, timeoutMs);
  const code = await ended(child);
  clearTimeout(timer);
  if (late) throw new Error(`${command} ${args.join(' ')} took longer than ${timeoutMs} ms:\n${output.slice(-2_000)}`);
  return { code, output };
}

/** A program that runs until it is stopped; its output goes to a file. */
export class Service {
  readonly #child: ChildProcess;
  readonly #ended: Promise<number | null>;

  constructor(
    command: string,
    args: readonly string[],
    options: { env: NodeJS.ProcessEnv; cwd?: string; logFile: string },
  ) {
    const { env, cwd, logFile } = options;
    // A group of its own: what it starts ends with it, and nothing else does.
    this.#child = spawn(command, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
    const log = createWriteStream(logFile, { flags: 'a' });
    this.#child.stdout?.pipe(log, { end: false });
    this.#child.stderr?.pipe(log, { end: false });
    // Its end, not that of its pipes: a helper of it may hold those open.
    this.#ended = ended(this.#child, 'exit');
    this.#child.on('close', () => log.end());
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Asks it to end; ends its group when it does not. */
  async stop(graceMs = 20_000): Promise<void> {
    this.#signal('SIGTERM', false);
    const timer = setTimeout(() => this.#signal('SIGKILL', true), graceMs);
    await this.#ended;
    clearTimeout(timer);
    this.#signal('SIGKILL', true);
  }

  /** Ends it without a warning, as a crash would. */
  async kill(): Promise<void> {
    this.#signal('SIGKILL', true);
    await this.#ended;
  }

  #signal(signal: NodeJS.Signals, group: boolean): void {
    const pid = this.#child.pid;
    if (pid === undefined) return;
    try {
      process.kill(group ? -pid : pid, signal);
    } catch (error) {
      // Gone already.
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

function ended(child: ChildProcess, event: 'close' | 'exit' = 'close'): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on(event, resolve);
  });
}

/** Asks until the answer is not undefined. @throws with `what` when that takes longer than `timeoutMs` */
export async function until<T>(what: string, ask: () => Promise<T | undefined>, timeoutMs = 60_000): Promise<T> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    if (Date.now() > end) throw new Error(`Waited ${timeoutMs} ms for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
