import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';
import type { MemoryOutbox } from '../../ports/memory-outbox.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { TurnFollower } from './turn-follower.ts';

export interface RepairParts {
  readonly index: MemoryIndexWriter;
  readonly outbox: MemoryOutbox;
  readonly pages: Pick<MemoryPages, 'list' | 'find'>;
  readonly turns: TurnFollower;
  readonly now: () => number;
}

/** What was found amiss and mended, or announced to be. */
export interface RepairReport {
  readonly pages: number;
  /** Pages that had no rows, and rows of another version of their page. */
  readonly missing: number;
  readonly stale: number;
  /** Rows of pages that are gone. */
  readonly orphans: number;
  /** Entries of the outbox that had been given up and are tried again. */
  readonly revived: number;
  /** Sessions and turns beyond what was indexed. */
  readonly sessions: number;
  readonly turns: number;
  /** Texts that wait for a vector of the embedder; up to the first thousand of them. */
  readonly without_vector: number;
}

const pagesAtOnce = 500;
const mostCounted = 1_000;

/** Compares pages, turns and vectors with the index and mends what differs. What is whole is left as it is. */
export async function repairIndex(
  parts: RepairParts,
  options: {
    readonly embedderId: string | undefined;
    /** How many numbers its vectors have now; undefined where it does not answer. */
    readonly dimensionNow?: (signal: AbortSignal) => Promise<number | undefined>;
    readonly signal: AbortSignal;
    readonly progress: (done: number, total: number, note?: string) => void;
  },
): Promise<RepairReport> {
  const { index, outbox, turns, now } = parts;
  const { signal, progress } = options;
  const revived = outbox.reviveDead();
  if (await turns.isAheadOfLog()) {
    // The log is of an earlier day (a backup was restored): what the index has beyond it was never said.
    await index.clear();
    turns.forget();
  }
  const rows = await rowsOf(index, signal);
  const [missing, stale]: [string[], string[]] = [[], []];
  let pages = 0;
  for await (const { items, total } of allPages(parts.pages, signal)) {
    for (const { uri, content_hash: contentHash, version } of items) {
      const row = rows.get(uri);
      rows.delete(uri);
      if (!row) missing.push(uri);
      else if (row.contentHash !== contentHash || row.version !== version) stale.push(uri);
    }
    pages += items.length;
    progress(pages, total, 'pages');
  }
  signal.throwIfAborted();
  outbox.put([...missing, ...stale], 'put', now());
  const orphans = [...rows.keys()];
  outbox.put(orphans, 'remove', now());
  let sessions = 0;
  let taken = 0;
  turns.forget();
  for await (const session of turns.behind()) {
    signal.throwIfAborted();
    taken += await turns.follow(session.uid, true, signal);
    sessions += 1;
    progress(sessions, sessions, 'sessions');
  }
  await dropOtherVectors(index, options);
  const waiting = options.embedderId === undefined ? [] : await index.pendingTexts(options.embedderId, mostCounted);
  return {
    pages,
    missing: missing.length,
    stale: stale.length,
    orphans: orphans.length,
    revived,
    sessions,
    turns: taken,
    without_vector: waiting.length,
  };
}

/** A model that changed behind its name: nothing that it says now can be compared with what is there. */
async function dropOtherVectors(
  index: MemoryIndexWriter,
  { embedderId, dimensionNow, signal }: Parameters<typeof repairIndex>[1],
): Promise<void> {
  const { embedder, dimension } = await index.state();
  if (embedderId === undefined || embedder !== embedderId || dimension === undefined) return;
  const now = await dimensionNow?.(signal);
  if (now !== undefined && now !== dimension) await index.forgetVectors();
}

async function rowsOf(
  index: MemoryIndexWriter,
  signal: AbortSignal,
): Promise<Map<string, { readonly contentHash: string; readonly version: number }>> {
  const rows = new Map<string, { readonly contentHash: string; readonly version: number }>();
  let after = '';
  for (;;) {
    signal.throwIfAborted();
    const entries = await index.entries(after, pagesAtOnce);
    for (const entry of entries) rows.set(entry.uri, entry);
    const last = entries.at(-1);
    if (!last || entries.length < pagesAtOnce) return rows;
    after = last.uri;
  }
}

/** All pages there are, whatever their status. */
export async function* allPages(
  pages: Pick<MemoryPages, 'list'>,
  signal: AbortSignal,
): AsyncIterable<Awaited<ReturnType<MemoryPages['list']>>> {
  let cursor: string | undefined;
  do {
    signal.throwIfAborted();
    const page = await pages.list({ cursor, limit: pagesAtOnce }, {});
    yield page;
    cursor = page.nextCursor;
    await nextTurn();
  } while (cursor !== undefined);
}
