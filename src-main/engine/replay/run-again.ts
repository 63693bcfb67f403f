import type { Config } from '../../../src-shared/model/config.ts';
import type { AssembleTrace, Calibration } from '../../../src-shared/model/trace.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { ReplayChanges, ReplayNote } from '../../../src-shared/protocol/replay.ts';
import { AnswerBuilder, type StrategiesOfCalls } from '../assemble/answer-builder.ts';
import type { MemoryOfCall } from '../assemble/call-memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import { sha256 } from '../hash.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { HostViews } from '../turns/host-views.ts';
import type { CallState } from './call-state.ts';
import { RecordedMemory } from './recorded-memory.ts';
import type { ReplaySource } from './replay-source.ts';
import { storeAsOf } from './store-as-of.ts';
import { Trial } from './trial.ts';
import { trialStrategy } from './trial-strategy.ts';

export interface RunParts {
  readonly parts: EngineParts;
  readonly counter: TokenCounter;
  readonly strategies: StrategiesOfCalls;
  readonly source: ReplaySource;
  /** Memory as it is now, over the store of then; undefined: there is none but what is on record. */
  readonly today?: ((parts: EngineParts) => { memory: MemoryOfCall; stop(): Promise<void> }) | undefined;
}

export interface Run {
  readonly trace: AssembleTrace;
  readonly notes: readonly ReplayNote[];
}

/** What of a recorded call a run needs besides its state. */
export type RecordedHead = Pick<AssembleTrace, 'call_id' | 'created_at' | 'strategy' | 'calibration' | 'config_hash'>;

/**
 * Runs a recorded call again, with changes or as it was. Everything that could remember it is made for this run and
 * thrown away: nothing is written, and no cache of the engine learns of it.
 */
export async function runAgain(
  recorded: RecordedHead,
  state: CallState,
  changes: ReplayChanges,
  { parts: given, counter, strategies, source, today: createToday }: RunParts,
): Promise<Run> {
  const notes: ReplayNote[] = [];
  const trial = new Trial(changes.pins, changes.exclude);
  const config = configOf(given.config, state, changes);
  const checkpoints = state.checkpoints.filter(({ checkpoint_id: id }) => {
    const uri = checkpointUri(state.session.userId, state.session.uid, id);
    return !trial.isExcluded({ item: `checkpoint:${id}`, uri });
  });
  const store = storeAsOf(source, { lastSequence: state.session.lastSequence, checkpoints });
  const parts: EngineParts = { ...given, store, config };
  const today = createToday?.(parts);
  try {
    const memory = new RecordedMemory({
      ...{ recorded: state.memory, settingsThen: state.settings, config, counter, trial },
      today: today?.memory,
      onToday: (what) => notes.push(todayNotes[what]),
    });
    const strategy = changes.strategy ?? recorded.strategy;
    const named: StrategiesOfCalls = {
      nameFor: () => strategy,
      get: async (name) => {
        const engine = await strategies.get(name);
        return trial.isEmpty ? engine : trialStrategy(engine, trial);
      },
    };
    const builder = new AnswerBuilder(parts, counter, named, new HostViews(), undefined, {
      calibration: calibrationOf(recorded, changes, notes),
      memory,
      configHash: changes.settings === undefined ? recorded.config_hash : sha256(JSON.stringify(config)),
    });
    const call = {
      request: requestOf(state.request, changes),
      callId: recorded.call_id,
      started: Date.parse(recorded.created_at),
    };
    const session = { ...state.session, checkpointCount: checkpoints.length };
    const { trace } = await builder.build(call, session);
    return { trace, notes: [...notes, ...trial.notes()] };
  } finally {
    await today?.stop();
  }
}

const todayNotes: Readonly<Record<'standing' | 'recall', ReplayNote>> = {
  standing: { code: 'standing_of_today', message: 'Standing memory is that of today: that of then is not on record.' },
  recall: {
    code: 'recall_of_today',
    message: 'What is recalled is what memory holds today: the call had no search on record.',
  },
};

function configOf(present: Config, { settings }: CallState, { settings: changed }: ReplayChanges): Config {
  return {
    ...present,
    assemble: { ...settings.assemble, ...changed?.assemble },
    recall: { ...settings.recall, ...changed?.recall },
    tool_results: { ...settings.tool_results, ...changed?.tool_results },
  };
}

/** What a request says comes before the configuration; a change comes before both. */
function requestOf(request: AssembleRequest, { token_budget, model, settings }: ReplayChanges): AssembleRequest {
  const count = settings?.assemble?.recent_raw_turn_count;
  const { enabled, limit, max_tokens, min_score } = settings?.recall ?? {};
  const changed = Object.entries({ enabled, limit, max_tokens, min_score }).filter(([, value]) => value !== undefined);
  return {
    ...request,
    ...(token_budget === undefined ? {} : { token_budget }),
    ...(model === undefined ? {} : { model }),
    ...(count === undefined ? {} : { recent_raw_turn_count: count }),
    ...(changed.length === 0 ? {} : { recall: { ...request.recall, ...Object.fromEntries(changed) } }),
  };
}

function calibrationOf(
  { calibration }: RecordedHead,
  { model }: ReplayChanges,
  notes: ReplayNote[],
): Calibration | undefined {
  if (model === undefined) return calibration;
  notes.push({
    code: 'calibration_of_today',
    message: `How ${model.slice(0, 200)} counts is taken from the calls that are on record today.`,
  });
  return undefined;
}
