import type { CallFixture, FixtureTurn } from '../../../src-shared/protocol/fixture.ts';
import type { TurnRole } from '../../../src-shared/model/turn-envelope.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import type { ReplaySource } from './replay-source.ts';

/** A fixture as what a replay reads from. */
export function fixtureSource({ turns, contents, checkpoints, session_uid }: CallFixture): ReplaySource {
  const metas = turns.map(metaOf);
  const infos = Object.entries(contents).map(([contentHash, { message_key: messageKey, tokens }]) => ({
    ...{ contentHash, messageKey, tokens },
  }));
  return {
    turnsBefore: async (_uid, { epoch, before = Infinity, after = 0, limit }) =>
      metas
        .filter((turn) => turn.epoch === epoch && turn.sequence < before && turn.sequence > after)
        .toReversed()
        .slice(0, limit),
    turnsInRange: async (_uid, start, end, limit) =>
      metas.filter(({ sequence }) => sequence >= start && sequence <= end).slice(0, limit),
    turnsByMessageKey: async (_uid, epoch, keys) =>
      metas.filter((turn) => turn.epoch === epoch && keys.includes(turn.messageKey)),
    readBodies: async (hashes) =>
      new Map(hashes.flatMap((hash) => (contents[hash] ? [[hash, contents[hash].body] as const] : []))),
    findContents: async (keys) =>
      new Map(infos.filter(({ messageKey }) => keys.includes(messageKey)).map((info) => [info.messageKey, info])),
    findStandIns: async () => new Map(),
    findCheckpoint: async (id) => {
      const checkpoint = checkpoints.find(({ checkpoint_id: known }) => known === id);
      return checkpoint && { checkpoint, end: undefined, sessionUid: session_uid };
    },
    listSessions: async () => ({ items: [], nextCursor: undefined, total: 0 }),
    calibrationSamples: async () => [],
  };
}

function metaOf(turn: FixtureTurn): TurnMeta {
  return {
    turnId: turn.turn_id,
    sequence: turn.sequence,
    epoch: turn.epoch,
    identity: turn.identity,
    messageKey: turn.message_key,
    entryId: undefined,
    advancementKey: undefined,
    // Written from a turn's own role.
    role: turn.role as TurnRole,
    format: turn.format,
    timestamp: turn.timestamp,
    contentHash: turn.content_hash,
    tokens: turn.tokens,
    tokensCumulative: turn.tokens_cumulative,
    preview: turn.preview,
    toolCallIds: turn.tool_call_ids,
    toolResultFor: turn.tool_result_for,
    excluded: turn.excluded,
    heartbeat: turn.heartbeat,
  };
}
