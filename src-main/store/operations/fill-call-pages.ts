import { callPagesOf } from '../../engine/ports/call-pages-of.ts';
import { unpackTrace } from '../content/pack-trace.ts';
import type { metaWrites } from '../tables/meta-table.ts';
import type { ReadTables, WriteTables } from '../tables/store-tables.ts';
import { turnItemsOf } from './turn-items-of.ts';

/** Looks through the newest `limit` of the calls that were recorded before uses of pages were. Answers how many are left. */
export function fillCallPages(
  tables: WriteTables,
  reads: ReadTables,
  meta: ReturnType<typeof metaWrites>,
  limit: number,
): number {
  const newest = Number(meta.get('calls_without_pages') ?? 0);
  const calls = tables.calls.upTo(newest, limit);
  for (const { no, sessionNo, packed } of calls) {
    const trace = unpackTrace(packed, (sequences) => turnItemsOf(reads, sessionNo, sequences));
    tables.callPages.insert(no, callPagesOf(trace));
  }
  meta.set('calls_without_pages', String(calls.length < limit ? 0 : (calls.at(-1)?.no ?? 1) - 1));
  return tables.callPages.pending();
}
