import { chmod, mkdir, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileFailure } from './file-failure.ts';

/** `$STRATA_HOME`, or `.strata` in the user's home directory. Always absolute. */
export function resolveDataDirectory(env: Readonly<Record<string, string | undefined>>): string {
  const named = env['STRATA_HOME']?.trim();
  if (!named) return join(homedir(), '.strata');
  // A quoted "~" in a service file or .env never meets a shell that would expand it.
  if (named === '~' || named.startsWith('~/')) return join(homedir(), named.slice(1));
  return resolve(named);
}

/**
 * Makes the directory where it is missing, and takes other users' rights on it away.
 * @throws EngineError `data_dir_blocked` or `disk_full`
 */
export async function prepareDataDirectory(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    const { mode } = await stat(dataDir);
    if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(dataDir, 0o700);
  } catch (error) {
    throw fileFailure(error, dataDir, 'Name another directory in STRATA_HOME, or make this one writable for you');
  }
}
