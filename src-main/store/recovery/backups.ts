import { readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDataDir, ensurePrivateFile } from '../data-dir/ensure-data-dir.ts';
import { syncPath } from './sync-path.ts';

const temporarySuffix = '.tmp';
const namePattern = /^strata-\d{8}T\d{9}Z-v\d+(-\d+)?\.db$/;

/** The copies of the database under `backups/`. Names sort by time: `strata-20261103T101500123Z-v3.db`. */
export class Backups {
  readonly #directory: string;
  readonly #keep: number;

  /** @param keep newest backups that stay when another is made */
  constructor(dataDir: string, keep: number) {
    this.#directory = join(dataDir, 'backups');
    this.#keep = keep;
  }

  /** Absolute paths, newest first. */
  list(): readonly string[] {
    return this.#names(namePattern).map((name) => join(this.#directory, name));
  }

  /**
   * Makes a backup in steps, each of which may fail without leaving something that looks like one.
   * @param at milliseconds since the Unix epoch
   * @returns where to write, and what to call when that is done
   */
  begin(schemaVersion: number, at: number): { readonly temporary: string; readonly commit: () => string } {
    ensureDataDir(this.#directory);
    for (const name of this.#names(/\.tmp(-journal|-wal|-shm)?$/)) rmSync(join(this.#directory, name), { force: true });
    const name = this.#freeName(schemaVersion, at);
    const path = join(this.#directory, name);
    const temporary = path + temporarySuffix;
    ensurePrivateFile(temporary);
    return {
      temporary,
      commit: () => {
        syncPath(temporary, 'file');
        renameSync(temporary, path);
        syncPath(this.#directory, 'directory');
        // The one just made stays even when the clock went back and older ones have later names.
        const others = this.list().filter((other) => other !== path);
        for (const old of others.slice(Math.max(0, this.#keep - 1))) rmSync(old, { force: true });
        return path;
      },
    };
  }

  #freeName(schemaVersion: number, at: number): string {
    const time = new Date(at).toISOString().replaceAll(/[-:.]/g, '');
    const taken = new Set(this.#names(namePattern));
    for (let attempt = 0; ; attempt += 1) {
      const name = `strata-${time}-v${schemaVersion}${attempt === 0 ? '' : `-${attempt}`}.db`;
      if (!taken.has(name)) return name;
    }
  }

  #names(pattern: RegExp): readonly string[] {
    try {
      return readdirSync(this.#directory)
        .filter((name) => pattern.test(name))
        .sort()
        .reverse();
    } catch {
      // No such directory: no backup was made yet.
      return [];
    }
  }
}
