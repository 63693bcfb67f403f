import { createHash, hash as hashOnce } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import {
  access,
  lstat,
  mkdir,
  mkdtemp,
  open,
  readdir,
  realpath,
  rm,
  rmdir,
  stat,
  writeFile,
  type FileHandle,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { Workspace, WorkspaceFile, WorkspaceHint, WriteOutcome } from '../engine/ports/workspace.ts';
import { isHiddenName, isPagePath } from './is-page-path.ts';
import { withLockFile } from './lock-file.ts';
import { KeyedQueue } from '../engine/keyed-queue.ts';
import { isTemporary, placeFile, replaceFile, syncDirectory } from './replace-file.ts';
import { watchFiles } from './watch-files.ts';
import { isMissing, systemCode, workspaceError } from './workspace-error.ts';

export interface FileWorkspaceOptions {
  /** Absolute path; made where it is missing. */
  readonly root: string;
  /** Larger files are hashed, but not read (bytes). */
  readonly largestFile: number;
  /** How long a write waits for another process that writes the same page (ms). */
  readonly lockWaitMs?: number;
  /** Events that come within this time are told at once (ms). */
  readonly debounceMs?: number;
}

/** Paths that `list` gives at once. */
const batchSize = 500;
/** Clocks of file systems are no finer than this (ms): a file that was changed later may be changed again unseen. */
const settleMs = 2_000;
/** Where locks and the mark are. */
const ownFolder = '.strata';

/** The port over a directory of the machine. */
export class FileWorkspace implements Workspace {
  readonly root: string;
  readonly #options: Required<FileWorkspaceOptions>;
  readonly #queue = new KeyedQueue();
  #realRoot: Promise<string> | undefined;

  constructor(options: FileWorkspaceOptions) {
    this.root = options.root;
    this.#options = { lockWaitMs: 10_000, debounceMs: 100, ...options };
  }

  async prepare(): Promise<void> {
    await this.#guarded('', async () => {
      await mkdir(this.root, { recursive: true, mode: 0o700 });
      await access(this.root, constants.R_OK | constants.X_OK);
      for await (const entry of this.#walk('', () => undefined, isTemporary)) {
        // Those of a write that goes on elsewhere at this moment are younger.
        const file = join(this.root, entry);
        const age = Date.now() - (await stat(file).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
        if (age > 60_000) await rm(file, { force: true });
      }
    });
  }

  async isMarked(): Promise<boolean> {
    return this.#guarded('', async () => (await fileNames(join(this.root, ownFolder))).includes('workspace'));
  }

  async mark(): Promise<void> {
    await this.#guarded(ownFolder, async () => {
      await mkdir(join(this.root, ownFolder, 'locks'), { recursive: true, mode: 0o700 });
      const text = 'Pages of memory are kept in this directory. This file tells it from an empty mount point.\n';
      await writeFile(join(this.root, ownFolder, 'workspace'), text, { mode: 0o600 });
      await writeFile(join(this.root, ownFolder, '.gitignore'), '*\n', { mode: 0o600 });
    });
  }

  async readOnly(): Promise<EngineError | undefined> {
    try {
      const names = await fileNames(join(this.root, ownFolder));
      const locks = names.includes('locks') ? [join(this.root, ownFolder, 'locks')] : [];
      // Only trying says it: modes do not tell of mounts, quotas and lists of access.
      for (const folder of [this.root, ...locks]) await rmdir(await mkdtemp(join(folder, '.strata-')));
      return undefined;
    } catch (error) {
      return workspaceError(error, this.root);
    }
  }

  async read(path: string): Promise<WorkspaceFile | undefined> {
    return this.#guarded(path, async () => {
      const file = await this.#locate(path);
      return file === undefined ? undefined : readFile(file, path, this.#options.largestFile);
    });
  }

  async stamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    await Promise.all(
      paths.map(async (path) =>
        this.#guarded(path, async () => {
          const stats = await lstat(join(this.root, path)).catch((error: unknown) => {
            if (isMissing(error)) return undefined;
            throw error;
          });
          if (stats?.isFile() === true) found.set(path, stampOf(stats));
        }),
      ),
    );
    return found;
  }

  async write(path: string, bytes: Uint8Array, expected: string | null): Promise<WriteOutcome> {
    return this.#exclusively(path, async () => {
      const file = await this.#place(path);
      const current = async (): Promise<string | undefined> => (await this.read(path))?.hash;
      const isStill = async (): Promise<boolean> => ((await current()) ?? null) === expected;
      if (!(await isStill())) return { status: 'conflict', hash: await current() };
      const outcome = await replaceFile(file, bytes, { isStill, mustBeNew: expected === null });
      return outcome === 'written' ? { status: 'written' } : { status: 'conflict', hash: await current() };
    });
  }

  async move(path: string, target: string, expected: string): Promise<WriteOutcome> {
    return this.#exclusively(path, async () => {
      const file = await this.#locate(path);
      const found = file === undefined ? undefined : await this.read(path);
      if (file === undefined || found?.hash !== expected) return { status: 'conflict', hash: found?.hash };
      const place = await this.#place(target);
      if (!(await placeFile(file, place))) return { status: 'conflict', hash: (await this.read(target))?.hash };
      for (const folder of new Set([dirname(place), dirname(file)])) await syncDirectory(folder);
      return { status: 'written' };
    });
  }

  async remove(path: string, expected: string): Promise<WriteOutcome> {
    return this.#exclusively(path, async () => {
      const file = await this.#locate(path);
      const found = file === undefined ? undefined : await this.read(path);
      if (file === undefined || found?.hash !== expected) return { status: 'conflict', hash: found?.hash };
      await rm(file);
      await syncDirectory(dirname(file));
      return { status: 'written' };
    });
  }

  async *list(onFailure: (path: string, error: EngineError) => void): AsyncIterable<readonly string[]> {
    let batch: string[] = [];
    for await (const path of this.#walk('', onFailure, isPagePath)) {
      batch.push(path);
      if (batch.length < batchSize) continue;
      yield batch;
      batch = [];
    }
    if (batch.length > 0) yield batch;
  }

  async names(directory: string): Promise<readonly string[]> {
    return this.#guarded(directory, async () => {
      if (directory.split('/').includes('..')) return [];
      return fileNames(join(this.root, directory));
    });
  }

  async watch(
    onHint: (hint: WorkspaceHint) => void,
    onFailure: (error: unknown) => void,
  ): Promise<() => Promise<void>> {
    return watchFiles({ root: this.root, debounceMs: this.#options.debounceMs, onHint, onFailure });
  }

  /** The absolute path of a file that is there under exactly this name, not over a symbolic link. */
  async #locate(path: string): Promise<string | undefined> {
    if (!isPagePath(path)) return undefined;
    // Reads that begin together ask once.
    this.#realRoot ??= realpath(this.root).finally(() => {
      this.#realRoot = undefined;
    });
    const root = await this.#realRoot;
    const file = join(root, path);
    try {
      return (await realpath(file)) === file ? file : undefined;
    } catch (error) {
      if (isMissing(error) || systemCode(error) === 'ENAMETOOLONG') return undefined;
      throw error;
    }
  }

  /** Where a file may be written: the folders above it are made, and lie in the workspace. */
  async #place(path: string): Promise<string> {
    const root = await realpath(this.root);
    const parts = path.split('/');
    if (!isPagePath(path)) throw outside(path);
    let folder = root;
    for (const part of parts.slice(0, -1)) {
      folder = join(folder, part);
      await mkdir(folder, { mode: 0o700 }).catch((error: unknown) => {
        if (systemCode(error) !== 'EEXIST') throw error;
      });
      if ((await realpath(folder)) !== folder) throw outside(path);
    }
    const file = join(root, path);
    const real = await realpath(file).catch((error: unknown) => {
      if (isMissing(error)) return file;
      throw error;
    });
    if (real !== file) throw outside(path);
    return file;
  }

  async #exclusively<T>(path: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(path, async () =>
      this.#guarded(path, async () => {
        const locks = join(this.root, ownFolder, 'locks');
        await mkdir(locks, { recursive: true, mode: 0o700 });
        const name = hashOnce('sha256', path, 'hex').slice(0, 32);
        return withLockFile(join(locks, `${name}.lock`), this.#options.lockWaitMs, work);
      }),
    );
  }

  async *#walk(
    folder: string,
    onFailure: (path: string, error: EngineError) => void,
    wanted: (path: string) => boolean,
  ): AsyncGenerator<string> {
    let entries;
    try {
      entries = await readdir(join(this.root, folder), { withFileTypes: true });
    } catch (error) {
      // The root is the whole; a folder that cannot be read does not stop the others, and one that went is gone.
      if (folder === '') throw error;
      if (!isMissing(error)) onFailure(folder, workspaceError(error, folder));
      return;
    }
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !isHiddenName(entry.name)) yield* this.#walk(path, onFailure, wanted);
      else if (entry.isFile() && wanted(path)) yield path;
    }
  }

  async #guarded<T>(path: string, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw workspaceError(error, path === '' ? this.root : join(this.root, path));
    }
  }
}

async function fileNames(directory: string): Promise<readonly string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

async function readFile(file: string, path: string, largest: number): Promise<WorkspaceFile | undefined> {
  let handle: FileHandle;
  try {
    // Not over a link that was put there just now, and without waiting for the other end of a pipe.
    handle = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch (error) {
    if (isMissing(error) || systemCode(error) === 'ELOOP') return undefined;
    throw error;
  }
  try {
    const begun = Date.now();
    const found = await handle.stat();
    if (!found.isFile()) return undefined;
    const isSettled = Math.max(found.mtimeMs, found.ctimeMs) < begun - settleMs;
    const about = { path, modifiedAt: Math.floor(found.mtimeMs), stamp: isSettled ? stampOf(found) : undefined };
    if (found.size > largest) return { ...about, bytes: undefined, size: found.size, hash: await hashOf(handle) };
    const bytes = await readAll(handle, found.size);
    return { ...about, bytes, size: bytes.length, hash: hashOnce('sha256', bytes, 'hex') };
  } finally {
    await handle.close();
  }
}

/** At once where it still has this size. */
async function readAll(handle: FileHandle, size: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(size + 1);
  // Reading from a place leaves the handle at the beginning.
  const { bytesRead } = await handle.read(buffer, 0, size + 1, 0);
  return bytesRead === size ? buffer.subarray(0, size) : handle.readFile();
}

/** The time of the last change of anything is in it, so that a time that was set back by hand does not matter. */
function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return [size, mtimeMs, ctimeMs, ino].join(' ');
}

async function hashOf(handle: FileHandle): Promise<string> {
  const digest = createHash('sha256');
  for await (const chunk of handle.createReadStream({ autoClose: false })) digest.update(chunk as Buffer);
  return digest.digest('hex');
}

function outside(path: string): EngineError {
  return new EngineError(
    'invalid_request',
    `Expected a Markdown file inside the workspace, got ${JSON.stringify(path.slice(0, 200))}: it is hidden, no .md file, or lies behind a symbolic link. Choose another address.`,
  );
}
