import type { CallSummary, DecisionAction } from '../../../src-shared/model/trace.ts';
import type { PageUses } from '../../engine/ports/call-pages.ts';
import type { Page, PageRequest, StoredCheckpoint, TurnListing, TurnMeta } from '../../engine/ports/session-store.ts';
import { readCursor, writeCursor } from '../page-cursor.ts';
import type { SessionFilter, StoredSession } from '../tables/session-table.ts';
import type { ReadTables } from '../tables/store-tables.ts';
import { requireSession } from './require-session.ts';

type Listing = Parameters<typeof writeCursor>[0];

/** Last active first. */
export function pageSessions({ sessions }: ReadTables, page: PageRequest, filter: SessionFilter): Page<StoredSession> {
  const [lastActiveAt = Infinity, no = Infinity] = start('sessions', page, 2);
  const items = sessions.page(filter, { lastActiveAt, no }, page.limit + 1);
  return cut('sessions', page, items, (last) => [last.lastActiveAt, last.no], sessions.count(filter));
}

export function pageTurns(
  tables: ReadTables,
  uid: string,
  page: PageRequest,
  { order, epoch, from = 1, to = Infinity }: TurnListing,
): Page<TurnMeta> {
  const session = requireSession(tables.sessions, uid);
  const epochRange =
    epoch === undefined ? { start: 0, end: session.lastSequence } : tables.epochs.range(session, epoch);
  const [last] = start('turns', page, 1);
  if (epochRange === undefined) return { items: [], nextCursor: undefined, total: 0 };
  const whole = { start: Math.max(epochRange.start, from - 1), end: Math.min(epochRange.end, to) };
  const range =
    order === 'asc'
      ? { ...whole, start: Math.max(whole.start, last ?? 0) }
      : { ...whole, end: Math.min(whole.end, (last ?? Infinity) - 1) };
  const items = tables.turns.range(session.no, range, order, page.limit + 1);
  return cut('turns', page, items, (turn) => [turn.sequence], Math.max(0, whole.end - whole.start));
}

/** Newest first. */
export function pageCheckpoints(tables: ReadTables, uid: string, page: PageRequest): Page<StoredCheckpoint> {
  const session = requireSession(tables.sessions, uid);
  const [before = Infinity] = start('checkpoints', page, 1);
  const items = tables.checkpoints.page(session.no, before, page.limit + 1);
  const found = cut('checkpoints', page, items, (last) => [last.no], session.checkpointCount);
  return { ...found, items: found.items.map(({ checkpoint, end }) => ({ checkpoint, end })) };
}

/** Newest first. */
export function pageCalls(tables: ReadTables, uid: string, page: PageRequest): Page<CallSummary> {
  const session = requireSession(tables.sessions, uid);
  const [before = Infinity] = start('calls', page, 1);
  const items = tables.calls.page(session.no, before, page.limit + 1);
  const found = cut('calls', page, items, (last) => [last.no], session.callCount);
  return { ...found, items: found.items.map((item) => item.summary) };
}

function start(listing: Listing, page: PageRequest, length: number): readonly number[] {
  return page.cursor === undefined ? [] : readCursor(listing, page.cursor, length);
}

/** Newest call first. */
export function pageUses(
  { callPages }: ReadTables,
  uris: readonly string[],
  page: PageRequest,
  action: DecisionAction | undefined,
): PageUses {
  const [before = Infinity] = start('page uses', page, 1);
  const counts = callPages.counts(uris);
  const total = action ? (counts.get(action) ?? 0) : [...counts.values()].reduce((sum, calls) => sum + calls, 0);
  const found = cut('page uses', page, callPages.page(uris, before, action, page.limit + 1), ({ no }) => [no], total);
  return {
    page: { ...found, items: found.items.map(({ no: _, ...use }) => use) },
    counts,
    newestCost: callPages.newestCost(uris),
    pending: callPages.pending(),
  };
}

/** One row more than the page holds was read: it tells whether there is a next page. */
function cut<T>(
  listing: Listing,
  page: PageRequest,
  rows: readonly T[],
  position: (last: T) => readonly number[],
  total: number,
): Page<T> {
  const items = rows.slice(0, page.limit);
  const last = items.at(-1);
  const more = rows.length > page.limit && last !== undefined;
  return { items, nextCursor: more ? writeCursor(listing, position(last)) : undefined, total };
}
