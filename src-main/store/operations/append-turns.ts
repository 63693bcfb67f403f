import type { AppendCommand, AppendResult, NewTurn, TurnMeta } from '../../engine/ports/session-store.ts';
import type { Advancement } from '../tables/advancement-table.ts';
import type { StoredSession } from '../tables/session-table.ts';
import type { WriteTables } from '../tables/store-tables.ts';
import { patchSession } from './patch-session.ts';
import { requireSession } from './require-session.ts';

interface Place {
  readonly turnId: string;
  readonly sequence: number;
}

type Appended = Extract<AppendResult, { readonly session: unknown }>;
type Result = Exclude<AppendResult, Appended> | (Omit<Appended, 'session'> & { readonly session: StoredSession });

/** Stores what is new of a command. Must run in one transaction. */
export function appendTurns(tables: WriteTables, command: AppendCommand): Result {
  const session = requireSession(tables.sessions, command.sessionUid);
  const { advancement } = command;
  const earlier = advancement && tables.advancements.find(session.no, advancement.key);
  if (earlier !== undefined) {
    if (earlier.payloadHash !== advancement?.payloadHash) {
      return { status: 'conflict', storedHash: earlier.payloadHash };
    }
    return { status: 'duplicate', turnIds: turnIdsOf(tables, session.no, earlier), stored: [], session };
  }
  const { places, stored, after } = storeUnknown(tables, session, command);
  if (advancement !== undefined) {
    const sequences = places.map((place) => place.sequence);
    tables.advancements.insert(session.no, advancement.key, { ...advancement, sequences }, command.at);
  }
  const patched = patchSession(patchSession(after, { lastActiveAt: command.at }), command.patch ?? {});
  tables.sessions.save(patched);
  return { status: 'stored', turnIds: places.map((place) => place.turnId), stored, session: patched };
}

function turnIdsOf(tables: WriteTables, sessionNo: number, { sequences }: Advancement): readonly string[] {
  return sequences.map((sequence) => {
    const turnId = tables.turns.turnIdAt(sessionNo, sequence);
    if (turnId === undefined) throw new RangeError(`an advancement names turn ${sequence}, which the log lacks`);
    return turnId;
  });
}

function storeUnknown(tables: WriteTables, session: StoredSession, command: AppendCommand) {
  const places: Place[] = [];
  const stored: TurnMeta[] = [];
  let { lastSequence, epochTokens } = session;
  for (const given of command.turns) {
    const turn = wellFormed(given);
    // The table also knows the turns that this command stored before: a repeated identity collapses here.
    const known = tables.turns.find(session.no, turn.identity);
    if (known !== undefined) {
      places.push(known);
      continue;
    }
    lastSequence += 1;
    epochTokens += turn.tokens;
    const meta = metaOf(turn, session.epoch, lastSequence, epochTokens, command.advancement?.key);
    tables.contents.putHeld(turn);
    tables.turns.insert(session.no, meta);
    places.push(meta);
    stored.push(meta);
  }
  return { places, stored, after: { ...session, lastSequence, epochTokens } };
}

function metaOf(
  { body: _, ...turn }: NewTurn,
  epoch: number,
  sequence: number,
  tokensCumulative: number,
  advancementKey: string | undefined,
): TurnMeta {
  return { ...turn, epoch, sequence, tokensCumulative, advancementKey: advancementKey?.toWellFormed() };
}

/**
 * SQLite's text is UTF-8, which has no lone surrogates: what is returned now must equal what is read later, and ids
 * must pair as they did. The body is kept exactly all the same.
 */
function wellFormed(turn: NewTurn): NewTurn {
  return {
    ...turn,
    turnId: turn.turnId.toWellFormed(),
    identity: turn.identity.toWellFormed(),
    entryId: turn.entryId?.toWellFormed(),
    preview: turn.preview.toWellFormed(),
    toolCallIds: turn.toolCallIds.map((id) => id.toWellFormed()),
    toolResultFor: turn.toolResultFor?.toWellFormed(),
  };
}
