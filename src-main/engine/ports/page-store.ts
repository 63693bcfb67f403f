import type { PageAuthor, PageVersion } from '../../../src-shared/model/memory-page.ts';
import type { Page, PageRequest } from './session-store.ts';

/** What a listing shows of a page; made from the file, kept so that listing reads no files. */
export interface PageSummary {
  readonly kind: string;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly scope: readonly string[];
  readonly visibility: 'private' | 'shared';
  readonly status: 'active' | 'superseded' | 'retired';
  readonly supersededBy?: string | undefined;
  readonly pinned: boolean;
  /** Milliseconds since the Unix epoch, where the front matter tells it. */
  readonly created?: number | undefined;
  readonly abstract: string;
  readonly sources: readonly string[];
  readonly problem?: { readonly code: string; readonly message: string } | undefined;
}

export interface StoredPage {
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly contentHash: string;
  readonly size: number;
  /** Milliseconds since the Unix epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The file is not there any more; its versions are. */
  readonly isGone: boolean;
  readonly summary: PageSummary;
}

/** A version on its way into the history. */
export interface NewPageVersion {
  readonly uri: string;
  readonly path: string;
  /** The page had this address until now. */
  readonly previousUri?: string | undefined;
  readonly at: number;
  readonly author: PageAuthor;
  readonly reason?: string | undefined;
  readonly change: PageVersion['change'];
  /** Of the version before, where the file is gone. */
  readonly contentHash: string;
  readonly size: number;
  /** Undefined: the content is stored already, or is too large to be kept. */
  readonly bytes: Uint8Array | undefined;
  readonly summary: PageSummary;
  /** What tells without reading it that the file is still this one; undefined: it is to be read. */
  readonly stamp?: string | undefined;
}

/** A write that began: the file may have been replaced, the version is not there yet. */
export interface PageIntent {
  readonly intentNo: number;
  readonly version: NewPageVersion;
  /** Hash of the file before; undefined where there was none. */
  readonly before: string | undefined;
}

export interface PageListFilter {
  readonly kind?: string | undefined;
  readonly status?: string | undefined;
  readonly prefix?: string | undefined;
  readonly userId?: string | undefined;
  readonly agentId?: string | undefined;
}

/**
 * Versions of pages and what is known of each. Whoever adds a version announces it to the index in the same transaction.
 * The file comes first: what is stored here follows it.
 */
export interface PageStore {
  /** By its address, or one it had before; a page that stands at the address comes before one that moved away. */
  find(uri: string): Promise<StoredPage | undefined>;
  /** Pages whose file is there, by path. */
  list(page: PageRequest, filter: PageListFilter): Promise<Page<StoredPage>>;
  /** Path and hash of all pages whose file is there, by path; from after `path` on, `limit` at most. */
  known(after: string, limit: number): Promise<readonly Pick<StoredPage, 'uri' | 'path' | 'contentHash'>[]>;
  /** The stamps of those of these files that have one, by path. */
  stamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** The pages that have these addresses now, by address. */
  findMany(uris: readonly string[]): Promise<ReadonlyMap<string, StoredPage>>;
  /** Those of these hashes that any version of a page has. */
  knownContents(hashes: readonly string[]): Promise<ReadonlySet<string>>;
  /** Pages whose newest content is this one, also those that are gone since; `limit` at most. */
  withContent(hash: string, limit: number): Promise<readonly StoredPage[]>;
  /** Pages that are there and cannot be read, and the first of them by path. */
  unreadable(): { readonly count: number; readonly first: StoredPage | undefined };
  /** Keeps the content and what is to be done, before the file is touched. */
  begin(version: NewPageVersion, before: string | undefined): Promise<number>;
  /** The file was written: the intent becomes a version. */
  commit(intentNo: number): Promise<StoredPage>;
  /** The file was not written. Contents that nobody else has go with it. */
  drop(intentNo: number): Promise<void>;
  intents(): Promise<readonly PageIntent[]>;
  /** A version of a file that somebody else wrote. */
  add(version: NewPageVersion): Promise<StoredPage>;
  /**
   * Several of them, all or none; as many from the beginning as fit into a few milliseconds.
   * @returns how many, one at least
   */
  addSome(versions: readonly NewPageVersion[]): Promise<number>;
  /** Files that were read and found to be as they are known. What has other content meanwhile keeps its stamp. */
  stamp(
    files: readonly { readonly uri: string; readonly contentHash: string; readonly stamp: string }[],
  ): Promise<void>;
  /** The summary is made by other rules now; no version, but the index is told. */
  summarise(uri: string, summary: PageSummary, at: number): Promise<void>;
  /** Newest first. Empty for a page that never was. */
  history(uri: string, page: PageRequest): Promise<Page<PageVersion>>;
  /** `bytes` is undefined where the content was too large to be kept. */
  readVersion(
    uri: string,
    version: number,
  ): Promise<{ readonly version: PageVersion; readonly bytes: Uint8Array | undefined } | undefined>;
  /** Removes the earlier versions that were written for this reason, as `erase` removes them. Answers how many. */
  thin(uri: string, reason: string): Promise<number>;
  /**
   * Earlier versions get other contents, and lose what they had as `erase` removes it. Answers how many did.
   * @param rewrite undefined leaves a version as it is
   */
  rewriteEarlier(uri: string, rewrite: (bytes: Uint8Array) => Uint8Array | undefined): Promise<number>;
  /**
   * Removes page, versions, addresses, and contents that no other page has; overwrites them on disk, and empties the
   * write-ahead log.
   */
  erase(
    uri: string,
    at: number,
  ): Promise<{ readonly versions: number; readonly contents: number; readonly backups: readonly string[] }>;
}
