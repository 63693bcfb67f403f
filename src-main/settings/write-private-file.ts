import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileFailure } from './file-failure.ts';

/**
 * Replaces the file in one step, readable by its owner only (0600): a reader sees the old text or the new one,
 * also after a power cut.
 * @throws EngineError `data_dir_blocked` or `disk_full`; the old file is then as it was
 */
export async function writePrivateFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
    await syncDirectory(dirname(path));
  } catch (error) {
    await rm(temporary, { force: true });
    throw fileFailure(error, path, 'Make its directory writable for you');
  }
}

/** Without this a rename may be undone by a power cut. Windows has no such call. */
async function syncDirectory(directory: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
