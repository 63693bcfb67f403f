import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { HeaderLine, TurnLine } from './transcript-lines.ts';

const pageSize = 500;

/** JSON lines of a session, page by page; the hosts' messages are spliced in as stored, not written anew. */
export async function* exportTranscript(store: SessionStore, session: SessionRow, now: number): AsyncIterable<string> {
  const header: HeaderLine = {
    type: 'strata.session',
    version: 1,
    user_id: session.userId,
    agent_id: session.agentId,
    session_key: session.sessionKey,
    session_id: session.sessionId,
    epoch: session.epoch,
    exported_at: new Date(now).toISOString(),
  };
  yield `${JSON.stringify(header)}\n`;
  for (let start = 1; start <= session.lastSequence; start += pageSize) {
    const turns = await store.turnsInRange(session.uid, start, start + pageSize - 1, pageSize);
    const bodies = await store.readBodies(turns.map((turn) => turn.contentHash));
    yield turns.map((turn) => turnLine(turn, bodies.get(turn.contentHash) ?? 'null')).join('');
  }
  yield* checkpointLines(store, session.uid);
}

async function* checkpointLines(store: SessionStore, uid: string): AsyncIterable<string> {
  let cursor: string | undefined;
  do {
    const page = await store.pageCheckpoints(uid, { cursor, limit: 200 });
    yield page.items.map((checkpoint) => `${JSON.stringify({ type: 'checkpoint', checkpoint })}\n`).join('');
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

function turnLine(turn: TurnMeta, body: string): string {
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
