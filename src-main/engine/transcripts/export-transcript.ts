import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import { exportedCheckpoints } from './exported-checkpoints.ts';
import { ReferredResults } from './referred-results.ts';
import { exportedCheckpointSchema, type AdvancementLine, type HeaderLine, type TurnLine } from './transcript-lines.ts';

const pageSize = 500;
const mostCheckpoints = 1_000_000;

/**
 * JSON lines of a session as `session` found it, page by page; the hosts' messages are spliced in as stored, not
 * written anew. What comes while it runs is left out.
 */
export async function* exportTranscript(store: SessionStore, session: SessionRow, now: number): AsyncIterable<string> {
  const header: HeaderLine = {
    type: 'strata.session',
    version: 2,
    session_uid: session.uid,
    user_id: session.userId,
    agent_id: session.agentId,
    session_key: session.sessionKey,
    session_id: session.sessionId,
    epoch: session.epoch,
    exported_at: new Date(now).toISOString(),
  };
  yield `${JSON.stringify(header)}\n`;
  const results = new ReferredResults(store, session.userId);
  for (let start = 1; start <= session.lastSequence; start += pageSize) {
    const end = Math.min(start + pageSize - 1, session.lastSequence);
    const turns = await store.turnsInRange(session.uid, start, end, pageSize);
    const bodies = await store.readBodies(turns.map((turn) => turn.contentHash));
    yield turns.map((turn) => turnLine(turn, bodies.get(turn.contentHash))).join('');
    for (const turn of turns) results.note(bodies.get(turn.contentHash) ?? '');
  }
  yield* results.lines();
  const advancements = await store.advancements(session.uid);
  yield advancements
    .filter(({ sequences }) => sequences.every((sequence) => sequence <= session.lastSequence))
    .map(({ key, payloadHash, sequences }): AdvancementLine => {
      return { type: 'advancement', key, payload_hash: payloadHash, sequences: [...sequences] };
    })
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
  yield* checkpointLines(store, session);
}

async function* checkpointLines(store: SessionStore, session: SessionRow): AsyncIterable<string> {
  // At once: while it is read page by page one may be folded into another, and would be nowhere, or stand beside it.
  const all = await store.pageCheckpoints(session.uid, { cursor: undefined, limit: mostCheckpoints });
  for (const stored of exportedCheckpoints(all.items, session)) {
    // In the schema's order of fields, which is how an import has them: the same checkpoint is the same line everywhere.
    yield `${JSON.stringify(exportedCheckpointSchema.parse({ type: 'checkpoint', ...stored }))}\n`;
  }
}

function turnLine(turn: TurnMeta, body: string | undefined): string {
  if (body === undefined) {
    throw new EngineError(
      'store_corrupt',
      `The message of turn ${turn.sequence} is missing from the database. Run "npm run strata -- doctor"; the backups may have it.`,
    );
  }
  const line: Omit<TurnLine, 'message'> = {
    type: 'turn',
    turn_id: turn.turnId,
    sequence: turn.sequence,
    epoch: turn.epoch,
    identity: turn.identity,
    role: turn.role,
    format: turn.format,
    timestamp: turn.timestamp,
    ...(turn.entryId === undefined ? {} : { entry_id: turn.entryId }),
    ...(turn.advancementKey === undefined ? {} : { advancement_key: turn.advancementKey }),
    ...(turn.heartbeat ? { is_heartbeat: true } : {}),
  };
  return `${JSON.stringify(line).slice(0, -1)},"message":${body}}\n`;
}
