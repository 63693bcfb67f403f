import type { NewStandIn, StoredStandIn } from '../../engine/ports/tool-result-store.ts';
import type { ReadTables, WriteTables } from '../tables/store-tables.ts';

/** Those whose text is still there: what was pruned is made again. */
export function findStandIns(tables: ReadTables, keys: readonly string[]): ReadonlyMap<string, StoredStandIn | null> {
  const rows = tables.standIns.find(keys);
  const bodies = tables.contents.bodies(rows.flatMap(({ contentHash }) => contentHash ?? []));
  const found = new Map<string, StoredStandIn | null>();
  for (const { key, contentHash, tokens } of rows) {
    const body = contentHash === null ? undefined : bodies.get(contentHash);
    if (contentHash === null) found.set(key, null);
    else if (body !== undefined) found.set(key, { contentHash, tokens, body });
  }
  return found;
}

export function putStandIns(tables: WriteTables, standIns: readonly NewStandIn[]): void {
  for (const { key, content } of standIns) {
    if (content) tables.contents.putLoose(content);
    tables.standIns.put({ key, contentHash: content?.contentHash ?? null, tokens: content?.tokens ?? 0 });
  }
}
