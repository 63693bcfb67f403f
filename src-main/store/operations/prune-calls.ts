import type { WriteTables } from '../tables/store-tables.ts';

/** Deletes the oldest calls beyond `keep`, and the contents that nothing names any more. Returns how many calls. */
export function pruneCalls(tables: WriteTables, keep: number): number {
  const newest = tables.calls.newestBeyond(Math.max(0, Math.floor(keep)));
  if (newest === undefined) return 0;
  const deleted = tables.calls.deleteUpTo(newest.no);
  for (const contentNo of tables.calls.garbage(newest.mark)) tables.contents.delete(contentNo);
  return deleted;
}
