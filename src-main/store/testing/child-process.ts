import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

export interface Child {
  readonly pid: number;
  /** Resolves with the next line that the child prints; rejects when it ends before. */
  nextLine(): Promise<string>;
  /** Lines that were printed so far and not asked for. */
  readonly lines: readonly string[];
  /** SIGKILL: no handler of the child runs. Resolves when it is gone. */
  kill(): Promise<void>;
  exited(): Promise<number | null>;
}

/** Runs a script of this folder in a process of its own; it is gone after the test. */
export function startChild(script: string, ...args: string[]): Child {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let rest = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    child.emit('lines');
  });
  const gone = once(child, 'close');
  const kill = async () => {
    child.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  return {
    pid: child.pid ?? 0,
    lines,
    kill,
    exited: async () => {
      await gone;
      return child.exitCode;
    },
    nextLine: () => nextLine(child, lines, gone),
  };
}

async function nextLine(child: ChildProcess, lines: string[], gone: Promise<unknown>): Promise<string> {
  while (lines.length === 0) {
    const waited = await Promise.race([once(child, 'lines').then(() => 'lines'), gone.then(() => 'gone')]);
    if (waited === 'gone' && lines.length === 0) throw new Error('the child ended without printing another line');
  }
  return lines.shift() ?? '';
}
