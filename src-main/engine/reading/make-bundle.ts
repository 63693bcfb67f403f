import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { SessionBundle } from '../../../src-shared/protocol/bundle.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { readCallMessages } from './call-messages.ts';
import { checkpointRecord } from './checkpoint-record.ts';
import { Redaction } from './redact.ts';
import type { SessionReader } from './session-reader.ts';

export interface BundleParts extends Pick<EngineParts, 'store' | 'operations' | 'clock' | 'version'> {
  readonly pages: Pick<MemoryPages, 'find'>;
  readonly reader: Pick<SessionReader, 'records' | 'summary'>;
}

export interface BundleOptions {
  readonly redact: boolean;
  readonly messages: boolean;
  readonly calls: number;
  readonly turns: number;
}

/** Beyond these a bundle has the newest only, and says so. */
const most = { checkpoints: 500, pages: 300, operations: 1_000 };
const turnsAtOnce = 500;

/** A session as one file; secrets are masked in every text of it, unless that is turned off. */
export async function makeBundle(
  session: SessionRow,
  options: BundleOptions,
  parts: BundleParts,
): Promise<SessionBundle> {
  const { store, operations, clock, version } = parts;
  const checkpoints = await store.pageCheckpoints(session.uid, { cursor: undefined, limit: most.checkpoints });
  const judged = await operations.list({ cursor: undefined, limit: most.operations }, { sessionUid: session.uid });
  const turns = await turnsOf(session, options.turns, parts);
  const calls = await callsOf(session, options, parts);
  const uris = pagesIn(calls.map(({ trace }) => trace));
  const pages = await Promise.all(uris.slice(0, most.pages).map((uri) => parts.pages.find(uri)));
  const truncated = [
    { what: 'turns', kept: turns.length, of: session.lastSequence },
    { what: 'calls', kept: calls.length, of: session.callCount },
    { what: 'checkpoints', kept: checkpoints.items.length, of: checkpoints.total },
    { what: 'operations', kept: judged.items.length, of: judged.total },
    { what: 'pages', kept: Math.min(uris.length, most.pages), of: uris.length },
  ].filter(({ kept, of }) => kept < of);
  const bundle: SessionBundle = {
    kind: 'strata-session-bundle',
    version: 1,
    made_at: new Date(clock.now()).toISOString(),
    engine_version: version,
    redacted: options.redact,
    masked: {},
    session: parts.reader.summary(session),
    turns,
    checkpoints: checkpoints.items.map(checkpointRecord),
    calls,
    pages: pages.filter((page) => page !== undefined),
    operations: [...judged.items],
    truncated,
  };
  if (!options.redact) return bundle;
  const redaction = new Redaction();
  return { ...redaction.of(bundle), masked: redaction.masked };
}

async function turnsOf(session: SessionRow, limit: number, { store, reader }: BundleParts) {
  const turns: SessionBundle['turns'] = [];
  const first = Math.max(1, session.lastSequence - limit + 1);
  for (let start = first; start <= session.lastSequence; start += turnsAtOnce) {
    const end = Math.min(session.lastSequence, start + turnsAtOnce - 1);
    const items = await store.turnsInRange(session.uid, start, end, turnsAtOnce);
    turns.push(...(await reader.records(session, { items, nextCursor: undefined, total: items.length }, true)));
  }
  return turns;
}

async function callsOf(session: SessionRow, { calls, messages }: BundleOptions, { store }: BundleParts) {
  if (calls === 0) return [];
  const { items } = await store.pageCalls(session.uid, { cursor: undefined, limit: calls });
  const found: SessionBundle['calls'] = [];
  for (const { call_id: id } of items) {
    const call = await store.findCall(id);
    if (!call) continue;
    found.push({
      trace: call.trace,
      ...(call.usage && { usage: call.usage }),
      ...(messages ? { messages: await readCallMessages(call.trace, store) } : {}),
    });
  }
  return found;
}

function pagesIn(traces: readonly AssembleTrace[]): readonly string[] {
  const uris = new Set<string>();
  for (const { items } of traces) {
    for (const { source, uri } of items) {
      if (source === 'engine' && uri !== undefined && /^strata:\/\/(?:user|agent|resources)\//.test(uri)) uris.add(uri);
    }
  }
  return [...uris];
}
