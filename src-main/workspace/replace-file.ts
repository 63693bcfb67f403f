import { randomBytes } from 'node:crypto';
import { chmod, link, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isMissing, systemCode } from './workspace-error.ts';

/** Name of a file that is being written; those of an interrupted process are removed at the next start. */
export const temporaryPattern = /^\.strata-[0-9a-f]{16}\.tmp$/;

/** Windows refuses to replace a file that a scanner or editor has open just now. */
const retriedCodes: ReadonlySet<string> = new Set(['EPERM', 'EBUSY', 'EACCES']);
const retries = 8;

/**
 * Replaces the file in one step, or makes it: a reader sees the old bytes or the new ones, also after a power cut. A file
 * that is there keeps its mode.
 * @param isStill asked right before the step; false leaves everything as it is
 * @param mustBeNew fails with `conflict` where a file has come to be there
 */
export async function replaceFile(
  file: string,
  bytes: Uint8Array,
  options: { readonly isStill: () => Promise<boolean>; readonly mustBeNew: boolean },
): Promise<'written' | 'conflict'> {
  const temporary = join(dirname(file), `.strata-${randomBytes(8).toString('hex')}.tmp`);
  try {
    const mode = await modeOf(file);
    const handle = await open(temporary, 'wx', mode ?? 0o600);
    try {
      await handle.writeFile(bytes);
      await handle.sync();
    } finally {
      await handle.close();
    }
    // `open` takes the umask off.
    if (mode !== undefined) await chmod(temporary, mode);
    if (!(await options.isStill())) return 'conflict';
    if (options.mustBeNew) {
      if (!(await placeFile(temporary, file))) return 'conflict';
    } else {
      await renamed(temporary, file);
    }
    await syncDirectory(dirname(file));
    return 'written';
  } finally {
    await rm(temporary, { force: true });
  }
}

/** Gives a file another name where none is. A hard link cannot take the place of a file that came to be there meanwhile, as a rename would. */
export async function placeFile(temporary: string, file: string): Promise<boolean> {
  try {
    await link(temporary, file);
    await unlink(temporary);
    return true;
  } catch (error) {
    const code = systemCode(error);
    if (code === 'EEXIST') return false;
    // File systems without hard links: FAT, some network shares.
    if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'ENOSYS' && code !== 'EOPNOTSUPP') throw error;
    await renamed(temporary, file);
    return true;
  }
}

async function renamed(from: string, to: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(from, to);
      return;
    } catch (error) {
      const isPassing = process.platform === 'win32' && retriedCodes.has(systemCode(error) ?? '');
      if (!isPassing || attempt === retries) throw error;
      await sleep(10 * 2 ** attempt);
    }
  }
}

async function modeOf(file: string): Promise<number | undefined> {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Without this a rename may be undone by a power cut. Windows has no such call. */
export async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isTemporary(path: string): boolean {
  return temporaryPattern.test(basename(path));
}
