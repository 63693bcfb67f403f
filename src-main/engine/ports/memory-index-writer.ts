import type { IndexedPage, IndexedTurn, MemoryIndex } from './memory-index.ts';

/** How far the turns and checkpoints of a session are indexed. */
export interface TurnMark {
  readonly sessionUid: string;
  /** Newest sequence that is done with, whether or not there was something to index in it. */
  readonly sequence: number;
  /** Names the state of the session's checkpoints that was taken in. */
  readonly checkpoints: string;
}

/** What is known of an indexed page without its text. */
export interface IndexEntry {
  readonly uri: string;
  readonly contentHash: string;
  readonly version: number;
}

/** A text that waits for its vector. */
export interface PendingText {
  readonly rowId: number;
  readonly text: string;
  /** Given back with the vector, so that it is not put beside another text. */
  readonly textHash: string;
}

export interface NewVector {
  readonly rowId: number;
  readonly textHash: string;
  /** Undefined: the model knows nothing of this text; it is not asked again. */
  readonly vector: Float32Array | undefined;
}

/**
 * The index as its feeders see it. Each method is one transaction, and may be repeated: what is put replaces what was
 * there under its URI.
 */
export interface MemoryIndexWriter extends MemoryIndex {
  /** Set when a file was set aside when it was opened, or made anew for another reason; in one sentence. */
  readonly note: string;
  putPages(pages: readonly IndexedPage[]): Promise<void>;
  putTurns(turns: readonly IndexedTurn[], mark: TurnMark | undefined): Promise<void>;
  remove(uris: readonly string[]): Promise<void>;
  /** As `remove`, and nothing of it stays in the file or its write-ahead log. Takes a second or so. Counts rows. */
  erase(uris: readonly string[]): Promise<number>;
  marks(): Promise<readonly TurnMark[]>;
  /** Pages by URI, those after `after`. */
  entries(after: string, limit: number): Promise<readonly IndexEntry[]>;
  /** Texts without a vector of this model, in order of row. */
  pendingTexts(embedderId: string, limit: number): Promise<readonly PendingText[]>;
  /**
   * Vectors of one model. The first of another model or length than those that are there removes these.
   * Counts how many were taken in.
   */
  putVectors(
    embedder: { readonly id: string; readonly dimension: number },
    vectors: readonly NewVector[],
  ): Promise<number>;
  /**
   * Everything is put anew from here to `endRebuild`, which then removes what was not; searches find the old until it is
   * replaced. Marks are forgotten at once.
   */
  beginRebuild(): Promise<void>;
  endRebuild(): Promise<void>;
  /** All texts wait for a vector again. */
  forgetVectors(): Promise<void>;
  /** Everything but the counts of use is forgotten. */
  clear(): Promise<void>;
  /** Hex SHA-256 over all that is indexed, in order of URI; equal for equal contents, whatever way they came in. */
  fingerprint(): Promise<string>;
  close(): Promise<void>;
}
