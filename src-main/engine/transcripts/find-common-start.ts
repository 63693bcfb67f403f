import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import type { Transcript } from './parse-transcript.ts';

const pageSize = 500;

/**
 * How many turns of a transcript are stored already, at its start. Either the transcript or the stored session may go
 * on where the other ends.
 * @throws EngineError `import_invalid` when the two part before that, `advancement_conflict` when a key that both have
 * stands for other messages
 */
export async function findCommonStart(
  store: SessionStore,
  session: SessionRow,
  transcript: Transcript,
): Promise<number> {
  const { turns } = transcript;
  const known = Math.min(turns.length, session.lastSequence);
  for (let start = 1; start <= known; start += pageSize) {
    const end = Math.min(start + pageSize - 1, known);
    for (const stored of await store.turnsInRange(session.uid, start, end, pageSize)) {
      const line = turns[stored.sequence - 1];
      if (line?.identity !== stored.identity || line.epoch !== stored.epoch) throw parts(stored.sequence, session);
    }
  }
  const next = turns[known];
  // Reset here since, which is no turn: what was said before the reset must not come after it.
  if (next !== undefined && next.epoch < session.epoch) throw parts(next.sequence, session);
  for (const { key, payloadHash } of await store.advancements(session.uid)) {
    const line = transcript.advancements.get(key);
    if (line !== undefined && line.payload_hash !== payloadHash) throw conflict(key);
  }
  return known;
}

function parts(sequence: number, session: SessionRow): EngineError {
  return new EngineError(
    'import_invalid',
    `The session ${session.uid} is stored here already, and from turn ${sequence} on it is another one than in the ` +
      'transcript. Nothing was imported: give the transcript another session_id in its first line.',
    { details: { sequence, session_uid: session.uid } },
  );
}

function conflict(key: string): EngineError {
  return new EngineError(
    'advancement_conflict',
    `The advancement ${JSON.stringify(key.slice(0, 200))} is stored with other messages. Nothing was imported.`,
    { details: { advancement_key: key } },
  );
}
