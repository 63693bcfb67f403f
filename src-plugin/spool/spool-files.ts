import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { isSpoolName, nextSpoolName } from './spool-name.ts';

/**
 * The files of the spool: one per waiting request, named so that their order is the order of their arrival, also when
 * the clock goes back. Directory 0700, files 0600; a file that can be seen is whole and on disk.
 */
export class SpoolFiles {
  readonly dir: string;
  readonly #now: () => number;

  constructor(dir: string, now: () => number) {
    this.dir = dir;
    this.#now = now;
  }

  /** Names of the waiting files, oldest first. A missing directory is an empty one. */
  async list(): Promise<string[]> {
    try {
      return (await readdir(this.dir)).filter(isSpoolName).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** How many requests were moved out of the way for good. */
  async countRejected(): Promise<number> {
    try {
      return (await readdir(join(this.dir, 'rejected'))).filter(isSpoolName).length;
    } catch (error) {
      if (isMissing(error)) return 0;
      throw error;
    }
  }

  /** @returns the text, or undefined when another process has taken the file */
  async read(name: string): Promise<string | undefined> {
    try {
      return await readFile(join(this.dir, name), 'utf8');
    } catch (error) {
      if (isMissing(error)) return undefined;
      throw error;
    }
  }

  /** @returns the file's name @throws when the text could not be made durable */
  async append(text: string): Promise<string> {
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    const name = nextSpoolName(await this.list(), this.#now(), randomBytes(4).toString('hex'));
    await writeDurably(this.dir, name, text);
    return name;
  }

  async remove(name: string): Promise<void> {
    try {
      await unlink(join(this.dir, name));
    } catch (error) {
      if (!isMissing(error)) throw error;
    }
  }

  /** Moves a file out of the way for good, with the reason beside it. */
  async reject(name: string, reason: string): Promise<void> {
    const dir = join(this.dir, 'rejected');
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeDurably(dir, `${name}.reason.txt`, `${reason}\n`);
    await rename(join(this.dir, name), join(dir, name));
    await syncDirectory(dir);
    await syncDirectory(this.dir);
  }
}

async function writeDurably(dir: string, name: string, text: string): Promise<void> {
  const temporary = join(dir, `.${name}.${process.pid}.tmp`);
  const file = await open(temporary, 'wx', 0o600);
  try {
    await file.writeFile(text, 'utf8');
    await file.sync();
  } catch (error) {
    await file.close();
    await unlink(temporary).catch(() => undefined); // the write failed already; that error is the one to report
    throw error;
  }
  await file.close();
  await rename(temporary, join(dir, name));
  await syncDirectory(dir);
}

async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return; // directories cannot be opened there
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
