import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const root = resolve(import.meta.dirname, '../..');

export interface Daemon {
  readonly url: string;
  readonly token: string;
  /** Ends it as Ctrl-C would; answers its exit code. */
  stop(): Promise<number | null>;
}

/** The built daemon, in a process of its own, on a data directory of its own. */
export async function startDaemon(dataDir: string): Promise<Daemon> {
  const args = [join(root, 'out/main/cli.js'), 'daemon', '--json', '--port', '0', '--data-dir', dataDir];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit').then(() => {
    throw new Error('The daemon ended before it was ready.');
  });
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [string];
  ended.catch(() => undefined); // from now on its end is expected
  const { url } = JSON.parse(line) as { url: string };
  return {
    url,
    token: (await readFile(join(dataDir, 'token'), 'utf8')).trim(),
    async stop() {
      if (child.exitCode !== null) return child.exitCode;
      const exit = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGINT');
      return (await exit)[0];
    },
  };
}
