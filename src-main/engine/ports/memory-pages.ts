import type {
  MemoryPage,
  PageAuthor,
  PageHead,
  PageLink,
  PageVersion,
  TimelineEntry,
} from '../../../src-shared/model/memory-page.ts';
import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { Page, PageRequest } from './session-store.ts';

export interface PageFields {
  readonly kind?: string;
  readonly title?: string;
  readonly aliases?: readonly string[];
  readonly tags?: readonly string[];
  readonly scope?: readonly string[];
  readonly visibility?: 'private' | 'shared';
  readonly status?: 'active' | 'superseded' | 'retired';
  readonly supersededBy?: string;
  readonly pinned?: boolean;
  readonly truth?: string;
  readonly abstract?: string;
  readonly overview?: string;
  readonly sources?: readonly string[];
  readonly links?: readonly PageLink[];
  /** Front matter that the kind declares beyond the common fields. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface SavePage {
  /** Of an existing page, or of a new one (see `addressFor`). */
  readonly uri: string;
  /** The whole file, or what changes; fields that are left out stay as they are. */
  readonly change: { readonly content: string } | { readonly fields: PageFields };
  /** Lines that are added below; one that is there already is not added again. */
  readonly addToTimeline?: readonly TimelineEntry[];
  /** Version that the caller saw; 0: the page must be new; undefined: whatever is there. */
  readonly baseVersion: number | undefined;
  /** Hash of the file that the caller saw, where it read the file itself. */
  readonly baseHash?: string | undefined;
  readonly author: PageAuthor;
  readonly reason?: string;
}

/**
 * Memory pages: the files are the truth, the database keeps their versions. Every write compares versions and replaces
 * the file atomically; a change that a person makes with any editor becomes a version of its own.
 */
export interface MemoryPages {
  list(
    page: PageRequest,
    filter: {
      readonly kind?: string;
      readonly status?: string;
      readonly prefix?: string;
      readonly userId?: string;
      readonly agentId?: string;
    },
  ): Promise<Page<PageHead>>;
  /** @throws EngineError `unknown_page` */
  read(uri: string): Promise<MemoryPage>;
  find(uri: string): Promise<MemoryPage | undefined>;
  /** URI for a new page: from its kind, its title and whose it is; one that is free. */
  addressFor(page: { readonly kind: string; readonly title: string; readonly scope: MemoryScope }): Promise<string>;
  /** @throws EngineError `page_conflict` (somebody wrote meanwhile; `details` has the version and content that stand), `invalid_page` */
  save(command: SavePage): Promise<MemoryPage>;
  rename(
    uri: string,
    to: string,
    options: { readonly baseVersion?: number; readonly author: PageAuthor },
  ): Promise<MemoryPage>;
  history(uri: string, page: PageRequest): Promise<Page<PageVersion>>;
  readVersion(uri: string, version: number): Promise<MemoryPage>;
  restore(
    uri: string,
    version: number,
    options: { readonly baseVersion?: number; readonly author: PageAuthor },
  ): Promise<MemoryPage>;
  /** Removes file, versions and index rows, and overwrites what the database held. What remains elsewhere is said. */
  erase(
    uri: string,
    options: { readonly baseVersion?: number },
  ): Promise<{
    readonly removed: readonly { readonly what: string; readonly count: number }[];
    readonly remains: readonly { readonly what: string; readonly until: string }[];
  }>;
  /** Called after a version was written, by whomever. */
  onChange(listener: (uri: string) => void): () => void;
  /** Whoever keeps something of pages elsewhere removes it before a hard forget is answered. */
  onErase(forget: (uri: string) => Promise<void>): () => void;
}
