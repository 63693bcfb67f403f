import { randomBytes } from 'node:crypto';
import { open, readFile, rename, stat, unlink, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isMissing } from './spool-files.ts';

/** A holder that has not shown a sign of life for so long (ms) is gone, whatever its process id says. */
const staleAfterMs = 30_000;

export interface SpoolLock {
  /** Shows a sign of life. */
  touch(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Takes the right to deliver, so that two host processes do not send the same requests side by side. If two takeovers
 * of a dead holder ever cross, both deliver: the daemon stores each turn once all the same.
 * @returns undefined while another process holds it
 */
export async function takeSpoolLock(dir: string, now: () => number): Promise<SpoolLock | undefined> {
  const path = join(dir, '.delivering');
  const mine = JSON.stringify({ pid: process.pid, id: randomBytes(8).toString('hex') });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    if (await create(path, mine)) {
      return {
        touch: () => utimes(path, new Date(now()), new Date(now())),
        release: async () => {
          if ((await text(path)) === mine) await remove(path);
        },
      };
    }
    if (!(await isStale(path, now))) return undefined;
    const aside = `${path}.${randomBytes(4).toString('hex')}`;
    try {
      await rename(path, aside);
      await remove(aside);
    } catch (error) {
      if (!isMissing(error)) throw error; // somebody else took it over: try to create once more
    }
  }
  return undefined;
}

async function create(path: string, content: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(content);
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

async function isStale(path: string, now: () => number): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (Math.abs(now() - mtimeMs) > staleAfterMs) return true;
    const content: unknown = JSON.parse((await text(path)) ?? 'null');
    const pid = typeof content === 'object' && content !== null && 'pid' in content ? content.pid : undefined;
    return typeof pid === 'number' && !isRunning(pid);
  } catch (error) {
    // Gone: free. Being written: not stale yet, and its age decides later.
    return isMissing(error);
  }
}

async function text(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

async function remove(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
