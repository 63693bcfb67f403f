import type { EngineError } from '../../../src-shared/model/engine-error.ts';

/** A regular file of the workspace as it was read. */
export interface WorkspaceFile {
  /** Within the workspace; parts are joined by `/`. */
  readonly path: string;
  /** Undefined where the file is larger than what is read. */
  readonly bytes: Uint8Array | undefined;
  readonly size: number;
  /** Hex SHA-256 of all bytes. */
  readonly hash: string;
  /** Milliseconds since the Unix epoch. */
  readonly modifiedAt: number;
  /**
   * Size, times and identity of the file: while they are the same, so is the content. Undefined where the file was changed
   * so shortly before it was read that one more change might not show in them.
   */
  readonly stamp?: string | undefined;
}

/** `conflict`: the file is another one than expected, and was left as it is. `hash` is undefined where there is none. */
export type WriteOutcome =
  { readonly status: 'written' } | { readonly status: 'conflict'; readonly hash: string | undefined };

/** A file that may have changed, or a folder with all that was in it. */
export type WorkspaceHint = { readonly path: string } | { readonly folder: string };

/**
 * The Markdown files. Paths that lead out of it, over symbolic links or through hidden folders are no files of it.
 * Everything throws EngineError `workspace_blocked` where the directory cannot be used, and `disk_full`.
 */
export interface Workspace {
  /** Absolute path, for people. */
  readonly root: string;
  /** Makes the directory where it is missing, and removes what interrupted writes left behind. */
  prepare(): Promise<void>;
  /** Whether the directory was used as this workspace before: one that is not mounted was not. */
  isMarked(): Promise<boolean>;
  mark(): Promise<void>;
  /** Undefined where files can be written; else why not. */
  readOnly(): Promise<EngineError | undefined>;
  /** Undefined where there is no such regular file. */
  read(path: string): Promise<WorkspaceFile | undefined>;
  /** The stamps as they are now of files that `list` gave just now; without those that went away since. */
  stamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /**
   * Replaces the file in one step if it still has the expected hash; null: if there is none. No other process that writes
   * through a workspace comes in between.
   */
  write(path: string, bytes: Uint8Array, expected: string | null): Promise<WriteOutcome>;
  /** Another name for the very file, whatever its size, where no file has that name. */
  move(path: string, target: string, expected: string): Promise<WriteOutcome>;
  remove(path: string, expected: string): Promise<WriteOutcome>;
  /** Paths of all Markdown files, in bounded batches, each directory in order of names. A folder that cannot be read is told
   * of and does not stop the others. */
  list(onFailure: (path: string, error: EngineError) => void): AsyncIterable<readonly string[]>;
  /** Names in a directory as the file system has them; empty where there is none. */
  names(directory: string): Promise<readonly string[]>;
  /**
   * Tells of changes by whomever. They are hints: some come late, twice, or for nothing.
   * @returns ends it
   */
  watch(onHint: (hint: WorkspaceHint) => void, onFailure: (error: unknown) => void): Promise<() => Promise<void>>;
}
