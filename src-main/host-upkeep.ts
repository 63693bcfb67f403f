import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorFields, type Logger } from './logger.ts';

const hourMs = 60 * 60_000;
const backupEveryMs = 24 * hourMs;

export interface UpkeepParts {
  readonly dataDir: string;
  readonly backUp: () => Promise<string>;
  /** After an unclean end: what is wrong with the file, if anything. Reads all of it. */
  readonly checkFile: (() => readonly string[]) | undefined;
  readonly now: () => number;
  readonly logger: Logger;
  /** Told of the newest failure in a sentence, and of its end with an empty text. */
  readonly onTrouble: (message: string) => void;
}

export interface Upkeep {
  /** Ends the timers and waits for a backup that is under way. */
  stop(): Promise<void>;
}

/** Copies the database once a day, so that a damaged file has something sound to be restored from. */
export function startUpkeep(parts: UpkeepParts): Upkeep {
  let running = Promise.resolve();
  const check = parts.checkFile && setTimeout(() => checkAfterCrash(parts), 5_000).unref();
  const look = (): void => {
    running = running.then(() => backUpIfDue(parts));
  };
  // Not at once: a start is when people wait. Long timers may be early or late after sleep, so the clock is asked.
  const first = setTimeout(look, 60_000).unref();
  const hourly = setInterval(look, hourMs).unref();
  return {
    async stop() {
      clearTimeout(check);
      clearTimeout(first);
      clearInterval(hourly);
      await running;
    },
  };
}

function checkAfterCrash({ checkFile, logger, onTrouble }: UpkeepParts): void {
  try {
    const [problem] = checkFile?.() ?? [];
    if (problem === undefined) logger.info('file_checked_after_crash');
    else onTrouble(`The database is damaged: ${problem}`);
  } catch (error) {
    logger.error('check_failed', errorFields(error));
    onTrouble(`The database could not be checked: ${error instanceof Error ? error.message : String(error)}`);
  }
}

export async function backUpIfDue(parts: UpkeepParts): Promise<void> {
  try {
    const newest = await newestBackup(join(parts.dataDir, 'backups'));
    if (newest !== undefined && Math.abs(parts.now() - newest) < backupEveryMs) return;
    const path = await parts.backUp();
    parts.logger.info('backup_made', { path });
    parts.onTrouble('');
  } catch (error) {
    parts.logger.error('backup_failed', errorFields(error));
    parts.onTrouble(`The daily backup failed: ${error instanceof Error ? error.message : String(error)}`);
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
