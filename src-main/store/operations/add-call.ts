import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { CallPage } from '../../engine/ports/call-pages.ts';
import type { NewContent, SessionPatch } from '../../engine/ports/session-store.ts';
import type { PackedBytes } from '../content/pack-bytes.ts';
import type { WriteTables } from '../tables/store-tables.ts';
import { patchSession } from './patch-session.ts';
import { requireSession } from './require-session.ts';
import { summariseCall } from './summarise-call.ts';

/** Writes a trace with everything that it names. Must run in one transaction. */
export function addCall(
  tables: WriteTables,
  trace: AssembleTrace,
  packed: PackedBytes,
  contents: readonly NewContent[],
  patch: SessionPatch,
  pages: readonly CallPage[],
): void {
  const session = requireSession(tables.sessions, trace.session_uid);
  for (const content of contents) tables.contents.putLoose(content);
  const callNo = tables.calls.insert(session.no, summariseCall(trace), packed, tables.contents.newestNo());
  tables.callPages.insert(callNo, pages);
  tables.calls.nameContents(callNo, looseHashes(trace, contents));
  tables.sessions.save({
    ...patchSession(session, patch),
    callCount: session.callCount + 1,
    lastCallId: trace.call_id,
  });
}

/**
 * What the trace names beyond stored turns, whose contents stay anyway: a call names a thousand of those, and looking
 * each up would double the time of this write.
 */
function looseHashes(trace: AssembleTrace, contents: readonly NewContent[]): readonly string[] {
  const named = contents.map((content) => content.contentHash);
  const ofTurns = new Set<string>();
  for (const { content_hash: hash, sequence } of trace.items) {
    if (hash === undefined) continue;
    if (sequence === undefined) named.push(hash);
    else ofTurns.add(hash);
  }
  for (const entry of trace.output) {
    if ('inline' in entry && !ofTurns.has(entry.inline)) named.push(entry.inline);
  }
  return named;
}
