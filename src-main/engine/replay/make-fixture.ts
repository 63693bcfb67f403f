import type { CallFixture, FixtureTurn } from '../../../src-shared/protocol/fixture.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { ContentInfo, TurnMeta } from '../ports/session-store.ts';
import { readCallState } from './call-state.ts';
import { noChanges } from './no-changes.ts';
import type { CallSettings } from './record-inputs.ts';
import type { ReplaySource } from './replay-source.ts';
import { runAgain, type RunParts } from './run-again.ts';

/**
 * A call as a test by itself: it is run again once, and everything that this asked for is kept.
 * @throws EngineError `invalid_request` for a call that has no inputs on record, or does not come out as it did
 */
export async function makeFixture(trace: AssembleTrace, run: RunParts, today: CallSettings): Promise<CallFixture> {
  const { inputs } = trace;
  if (!inputs) {
    throw new EngineError(
      'invalid_request',
      'This call was recorded by a version that did not keep what a call is made from; make a fixture of a newer one.',
    );
  }
  const asked = new AskedSource(run.source);
  const state = await readCallState(trace, inputs, asked.source, today);
  const again = await runAgain(trace, state, noChanges, { ...run, source: asked.source });
  if (again.trace.output_hash !== trace.output_hash) {
    throw new EngineError(
      'invalid_request',
      'Run again, this call does not come out as it did; see POST /v1/calls/{id}/replay for the reasons.',
    );
  }
  const { call_id, session_uid, session_id, session_key, agent_id, epoch, created_at, engine_version } = trace;
  const { format, reply, history, strategy, calibration } = trace;
  return {
    kind: 'strata-call-fixture',
    version: 1,
    ...{ engine_version, call_id, session_uid, session_id, session_key, agent_id, epoch, created_at },
    ...{ format, reply, history, strategy, calibration, inputs },
    turns: [...asked.turns.values()].sort((one, other) => one.sequence - other.sequence).map(turnOf),
    checkpoints: [...asked.checkpoints.values()],
    contents: Object.fromEntries(
      [...asked.bodies].map(([hash, body]) => {
        const info = asked.infos.get(hash);
        return [hash, { body, message_key: info?.messageKey ?? '', tokens: info?.tokens ?? 0 }];
      }),
    ),
    expected: {
      output_hash: trace.output_hash,
      estimated_tokens: trace.estimated_tokens,
      output: [...trace.output],
    },
  };
}

/** A source that keeps what it was asked for. */
class AskedSource {
  readonly turns = new Map<number, TurnMeta>();
  readonly bodies = new Map<string, string>();
  readonly infos = new Map<string, ContentInfo>();
  readonly checkpoints = new Map<string, CompactCheckpoint>();
  readonly source: ReplaySource;

  constructor(source: ReplaySource) {
    const keep = (turns: readonly TurnMeta[]): readonly TurnMeta[] => {
      for (const turn of turns) this.turns.set(turn.sequence, turn);
      return turns;
    };
    this.source = {
      turnsBefore: async (uid, range) => keep(await source.turnsBefore(uid, range)),
      turnsInRange: async (uid, start, end, limit) => keep(await source.turnsInRange(uid, start, end, limit)),
      turnsByMessageKey: async (uid, epoch, keys) => keep(await source.turnsByMessageKey(uid, epoch, keys)),
      readBodies: async (hashes) => {
        const found = await source.readBodies(hashes);
        for (const [hash, body] of found) this.bodies.set(hash, body);
        return found;
      },
      findContents: async (keys) => {
        const found = await source.findContents(keys);
        for (const info of found.values()) this.infos.set(info.contentHash, info);
        return found;
      },
      // Made anew: what stands for a result is a function of it.
      findStandIns: async () => new Map(),
      findCheckpoint: async (id) => {
        const found = await source.findCheckpoint(id);
        if (found) this.checkpoints.set(id, found.checkpoint);
        return found;
      },
      listSessions: (page, filter) => source.listSessions(page, filter),
      calibrationSamples: (model, limit) => source.calibrationSamples(model, limit),
    };
  }
}

function turnOf(turn: TurnMeta): FixtureTurn {
  return {
    turn_id: turn.turnId,
    sequence: turn.sequence,
    epoch: turn.epoch,
    identity: turn.identity,
    message_key: turn.messageKey,
    role: turn.role,
    format: turn.format,
    timestamp: turn.timestamp,
    content_hash: turn.contentHash,
    tokens: turn.tokens,
    tokens_cumulative: turn.tokensCumulative,
    preview: turn.preview,
    tool_call_ids: [...turn.toolCallIds],
    ...(turn.toolResultFor === undefined ? {} : { tool_result_for: turn.toolResultFor }),
    excluded: turn.excluded,
    heartbeat: turn.heartbeat,
  };
}
