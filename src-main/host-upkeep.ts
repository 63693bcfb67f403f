import { statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorFields, type Logger } from './logger.ts';

const hourMs = 60 * 60_000;
const backupEveryMs = 24 * hourMs;

/** Facts that begin and end by themselves: a good backup says nothing about damage that was found. */
export type Trouble = 'backup' | 'damage' | 'files';

export interface UpkeepParts {
  readonly dataDir: string;
  readonly backUp: () => Promise<string>;
  /** After an unclean end: what is wrong with the file, if anything. Reads all of it. */
  readonly checkFile: (() => readonly string[]) | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  /** Told of trouble in a sentence, by kind, and of its end with an empty text. */
  readonly onTrouble: (kind: Trouble, message: string) => void;
}

export interface Upkeep {
  /** Ends the timers and waits for a backup that is under way. */
  stop(): Promise<void>;
}

/** Copies the database once a day, so that a damaged file has something sound to be restored from. */
export function startUpkeep(parts: UpkeepParts): Upkeep {
  let running = Promise.resolve();
  let isDamaged = false;
  const check = setTimeout(() => {
    isDamaged = parts.checkFile !== undefined && !isSoundAfterCrash(parts);
  }, 5_000).unref();
  // Copies of a damaged file would push the last sound backup out.
  const look = (): void => {
    if (!isDamaged) running = running.then(() => backUpIfDue(parts));
  };
  const files = watchFiles(parts);
  // Not at once: a start is when people wait. Long timers may be early or late after sleep, so the clock is asked.
  const first = setTimeout(look, 60_000).unref();
  const hourly = setInterval(look, hourMs).unref();
  return {
    async stop() {
      clearTimeout(check);
      clearInterval(files);
      clearTimeout(first);
      clearInterval(hourly);
      await running;
    },
  };
}

/** Whoever deletes or replaces the files of a running daemon leaves it writing where nobody will ever read. */
function watchFiles({ dataDir, logger, onTrouble }: UpkeepParts): NodeJS.Timeout {
  const watched = ['strata.db', 'lock.db'].map((name) => ({ name, inode: inodeOf(join(dataDir, name)) }));
  let told = '';
  return setInterval(() => {
    const lost = watched.filter(({ name, inode }) => inode !== undefined && inodeOf(join(dataDir, name)) !== inode);
    const message =
      lost.length === 0
        ? ''
        : `${lost.map(({ name }) => name).join(' and ')} was deleted or replaced while the daemon runs: what is stored now will be gone when it stops.`;
    if (message === told) return;
    told = message;
    if (message !== '') logger.error('files_replaced', { message });
    onTrouble('files', message);
  }, 5_000).unref();
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}

function isSoundAfterCrash({ checkFile, logger, onTrouble }: UpkeepParts): boolean {
  try {
    const [problem] = checkFile?.() ?? [];
    if (problem === undefined) {
      logger.info('file_checked_after_crash');
      return true;
    }
    onTrouble('damage', `The database is damaged: ${problem}`);
  } catch (error) {
    logger.error('check_failed', errorFields(error));
    onTrouble('damage', `The database could not be checked: ${error instanceof Error ? error.message : String(error)}`);
  }
  return false;
}

export async function backUpIfDue(parts: UpkeepParts): Promise<void> {
  try {
    const newest = await newestBackup(join(parts.dataDir, 'backups'));
    if (newest !== undefined && Math.abs(parts.now() - newest) < backupEveryMs) return;
    const path = await parts.backUp();
    parts.logger.info('backup_made', { path });
    parts.onTrouble('backup', '');
  } catch (error) {
    parts.logger.error('backup_failed', errorFields(error));
    parts.onTrouble('backup', `The daily backup failed: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Time of the newest backup (ms since the Unix epoch). */
async function newestBackup(directory: string): Promise<number | undefined> {
  const names = await readdir(directory).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  const times = await Promise.all(
    names.filter((name) => name.endsWith('.db')).map(async (name) => (await stat(join(directory, name))).mtimeMs),
  );
  return times.length === 0 ? undefined : Math.max(...times);
}
