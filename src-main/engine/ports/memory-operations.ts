import type { MemoryAction, MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import type { Page, PageRequest } from './session-store.ts';

/** What an operation did to one page. */
export interface OperationChange {
  readonly uri: string;
  /** 0: the page was new. */
  readonly versionBefore: number;
  readonly versionAfter: number;
}

export interface StoredOperation {
  readonly operation: MemoryOperation;
  /** In the order in which they were written. */
  readonly changes: readonly OperationChange[];
}

export interface OperationFilter {
  readonly uri?: string | undefined;
  readonly sessionUid?: string | undefined;
  readonly action?: MemoryAction | undefined;
}

/** Turns of one session, ends included. */
export interface TurnRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Everything that was judged about memory, and how far each session was read for it. Each method is one transaction.
 * Failures are EngineErrors `store_failed`, `store_corrupt` or `disk_full`.
 */
export interface MemoryOperations {
  /** @param key what makes a second judgement of the same words needless; undefined where each asking counts */
  add(stored: StoredOperation, key: string | undefined): Promise<void>;
  find(operationId: string): Promise<StoredOperation | undefined>;
  /** Newest first. */
  list(page: PageRequest, filter: OperationFilter): Promise<Page<MemoryOperation>>;
  /** Those of the keys that were judged before. */
  judged(keys: readonly string[]): Promise<ReadonlySet<string>>;
  /** False when somebody undid it already. */
  markUndone(operationId: string, at: string): Promise<boolean>;
  /**
   * Takes the words out of all operations about a page, so that nothing of it can be read here any more. That they took
   * place stays on record, and so does that their words are not to be judged again. Returns how many.
   */
  eraseTexts(uri: string): Promise<number>;
  /** Parts of a range that were not read for memories yet, oldest first. */
  unread(sessionUid: string, range: TurnRange): Promise<readonly TurnRange[]>;
  /** The range was read as a whole. */
  noteRead(sessionUid: string, range: TurnRange, at: number): Promise<void>;
  /** Sessions that have turns which were not read yet, last active first, with the newest of them. */
  behind(limit: number): Promise<readonly { readonly sessionUid: string; readonly lastSequence: number }[]>;
}
