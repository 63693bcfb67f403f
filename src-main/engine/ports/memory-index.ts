import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { PageLink, PageStatus, PageVisibility } from '../../../src-shared/model/memory-page.ts';
import type { RecallSource } from '../../../src-shared/model/recall.ts';

/** Who may see a row. A user or agent that is undefined means: everybody of the account. */
export interface RowOwner {
  readonly accountId: string;
  readonly userId: string | undefined;
  readonly agentId: string | undefined;
  readonly sessionUid: string | undefined;
  readonly visibility: PageVisibility;
  readonly labels: readonly string[];
}

/**
 * A link as it was written. Which page it means is decided when links are read, so that pages may appear, go and be
 * renamed in any order: the first of `to` and `alternatives` that is a page; else the one page that `name` names. A name
 * of several pages means none.
 */
export interface IndexedLink extends PageLink {
  /** URI of the other page; empty when only a name is known. */
  readonly to: string;
  readonly origin: 'front_matter' | 'text';
  /** Further URIs that the same address could mean (relative to the page, or to the workspace). */
  readonly alternatives?: readonly string[];
  /** Title or alias of the other page. */
  readonly name?: string;
  /** The other page is the subject: `investors: [Lin]` on a company's page says that Lin `invested_in` it. */
  readonly incoming?: boolean;
}

/** A page as the index keeps it; everything in it can be made again from the file. */
export interface IndexedPage {
  readonly uri: string;
  readonly owner: RowOwner;
  readonly kind: string;
  readonly status: PageStatus;
  readonly pinned: boolean;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  /** L0, L1 and L2 as plain text: abstract, overview, compiled truth with the timeline. */
  readonly levels: { readonly abstract: string; readonly overview: string; readonly text: string };
  readonly links: readonly IndexedLink[];
  readonly contentHash: string;
  readonly version: number;
  readonly updatedAt: number;
}

/** A turn or a summary as the index keeps it. */
export interface IndexedTurn {
  readonly uri: string;
  readonly source: 'turn' | 'checkpoint';
  readonly owner: RowOwner;
  readonly sessionUid: string;
  readonly epoch: number;
  readonly sequence: number;
  readonly role: string;
  /** Who said it where the host tells names, else empty. */
  readonly speaker: string;
  readonly at: number;
  /** Of a turn: level 2. Of a checkpoint: its overview, level 1. */
  readonly text: string;
  /** Of a checkpoint: level 0. */
  readonly abstract?: string;
  /** Of a checkpoint that stands no longer: `superseded`. Default `active`. */
  readonly status?: PageStatus;
}

export interface TextQuery {
  readonly scope: MemoryScope;
  /** Words as `segmentWords` makes them; any of them may match. With weights where some count more. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  readonly sources: readonly RecallSource[];
  readonly kinds?: readonly string[] | undefined;
  /** Also superseded and retired pages. */
  readonly includeInactive: boolean;
  readonly limit: number;
  /** BM25 weights of the columns. */
  readonly weights?: { readonly title: number; readonly aliases: number; readonly body: number };
  /** Given up before it began, the query rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** One row that matched. */
export interface IndexHit {
  readonly rowId: number;
  readonly uri: string;
  readonly source: RecallSource;
  readonly level: 0 | 1 | 2;
  readonly kind: string;
  readonly title: string;
  readonly status: PageStatus;
  readonly pinned: boolean;
  readonly sessionUid: string | undefined;
  readonly epoch: number | undefined;
  readonly sequence: number | undefined;
  readonly role: string | undefined;
  readonly speaker: string | undefined;
  readonly at: number;
  /** BM25, larger is better; or cosine, 1 is equal. */
  readonly score: number;
}

export interface IndexState {
  /** Rows that wait to be written, those that failed for good, and when the oldest was enqueued (ms since the epoch). */
  readonly backlog: number;
  readonly dead: number;
  readonly oldest: number | undefined;
  readonly pages: number;
  readonly turns: number;
  readonly vectors: number;
  readonly embedder: string | undefined;
  /** How many numbers its vectors have. */
  readonly dimension?: number | undefined;
  /** Counts what changed in any way; a cached answer is good while it stays the same. */
  readonly generation: number;
}

/** Search over pages, turns and summaries. Every query carries its scope, and rows outside it are never returned. */
export interface MemoryIndex {
  searchText(query: TextQuery): Promise<readonly IndexHit[]>;
  /** Nearest by cosine, best first. Rows of another model than `embedderId` are left out. */
  searchVectors(
    query: Omit<TextQuery, 'terms' | 'weights'> & { readonly vector: Float32Array; readonly embedderId: string },
  ): Promise<readonly IndexHit[]>;
  /** Rows of these URIs that the scope may see: level 2, of checkpoints level 1. */
  rows(uris: readonly string[], scope: MemoryScope): Promise<readonly IndexHit[]>;
  /** Indexed text of rows (level as given), by row id. */
  texts(rowIds: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /** Vectors of rows that have one of this model, by row id; their length means nothing, cosines do not care for it. */
  vectors(rowIds: readonly number[], embedderId: string): Promise<ReadonlyMap<number, Int8Array>>;
  /** Turns of the same session on either side, for level expansion. */
  neighbours(
    of: readonly { readonly sessionUid: string; readonly sequence: number }[],
    distance: number,
    scope: MemoryScope,
  ): Promise<readonly IndexHit[]>;
  /** Pages with exactly this name or alias, after folding case, width and accents; all of them, so that ambiguity shows. */
  resolveNames(names: readonly string[], scope: MemoryScope): Promise<ReadonlyMap<string, readonly IndexHit[]>>;
  /**
   * Names that differ from a misspelled one by one letter (left out, put in, changed, or two swapped) and begin with the same
   * two; by the name that was asked for, with the pages of each. Names of fewer than four letters have none.
   */
  similarNames(
    names: readonly string[],
    scope: MemoryScope,
  ): Promise<ReadonlyMap<string, readonly { readonly name: string; readonly pages: readonly IndexHit[] }[]>>;
  /** Active pages that are pinned, the newest first; level 2. */
  pinned(scope: MemoryScope, limit: number): Promise<readonly IndexHit[]>;
  /** Links of these pages; names in the text are resolved, ambiguous ones left out. */
  links(
    uris: readonly string[],
    direction: 'out' | 'in',
    scope: MemoryScope,
    types?: readonly string[],
  ): Promise<readonly { readonly from: string; readonly to: string; readonly type: string }[]>;
  /** How often and when a page was packed or opened, for hotness. */
  uses(uris: readonly string[]): Promise<ReadonlyMap<string, { readonly count: number; readonly last: number }>>;
  noteUses(uris: readonly string[], at: number): Promise<void>;
  /** In how many of the rows that the scope may see a term occurs, and how many rows there are. */
  frequencies(
    terms: readonly string[],
    scope: MemoryScope,
  ): Promise<{ readonly total: number; readonly byTerm: ReadonlyMap<string, number> }>;
  state(): Promise<IndexState>;
}
