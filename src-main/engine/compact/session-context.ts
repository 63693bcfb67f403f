import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import { summariesTokens } from '../assemble/summary-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { ContextEngine } from '../strategies/context-engine.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { calibrate } from '../tokens/calibrate.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { Pacer } from './pacer.ts';
import { contextTokens } from './plan-compaction.ts';

/** What a compaction starts from. Tokens are ours, not calibrated. */
export interface SessionContext {
  readonly session: SessionRow;
  readonly strategy: ContextEngine;
  /** In the place of turns now, the one of the newest turns first. */
  readonly standing: readonly CompactCheckpoint[];
  /** Ids of those that stand because somebody dissolved the one of a higher level that they were folded into. */
  readonly unfolded: ReadonlySet<string>;
  /** Runs of turns before the newest checkpoint that nothing stands for: somebody dissolved what stood there. */
  readonly holes: readonly (readonly TurnMeta[])[];
  /** Behind all that checkpoints stand for, oldest first. */
  readonly turns: readonly TurnMeta[];
  /** Of the whole context: summaries and raw turns, also those before a checkpoint that stand raw again. */
  readonly tokens: number;
  readonly ratio: number;
}

/** Turns that are read without letting anything else in between. */
const readAtOnce = 100;

const calibrationWindow = 60;

/** Reads what there is to compact; a long session is read in pieces. */
export async function readSessionContext(
  session: SessionRow,
  parts: EngineParts,
  strategies: StrategyRegistry,
  counter: TokenCounter,
): Promise<SessionContext> {
  const { store } = parts;
  const strategy = await strategies.get(strategies.nameFor(session));
  const standing = await store.standingCheckpoints(session.uid, session.epoch);
  const ends = standing.map((one) => one.source_turn_range.end_sequence);
  const from = Math.max(session.epochStart, ...ends) + 1;
  const turns = await readTurns(session, from, parts);
  const model = session.lastModel;
  const { ratio } = calibrate(model === undefined ? [] : await store.calibrationSamples(model, calibrationWindow));
  const holes = await readHoles(session, standing, parts);
  const raw = [...holes, turns].reduce((sum, run) => sum + contextTokens(run), 0);
  const tokens = raw + (await summariesTokens(overviewsOf(session, standing), counter));
  const unfolded = new Set(await store.unfoldedCheckpoints(session.uid, session.epoch));
  return { session, strategy, standing, unfolded, holes, turns, ratio, tokens };
}

/** Summaries as they stand in a list at most: where room is short, older ones stand with their abstracts. */
export function overviewsOf(session: SessionRow, checkpoints: readonly CompactCheckpoint[]) {
  return checkpoints.map((checkpoint) => ({
    uri: checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id),
    text: checkpoint.overview,
  }));
}

export async function readTurns(
  session: SessionRow,
  from: number,
  { store }: Pick<EngineParts, 'store'>,
  to = session.lastSequence,
): Promise<readonly TurnMeta[]> {
  const pacer = new Pacer();
  const turns: TurnMeta[] = [];
  for (let next = from; next <= to; next += readAtOnce) {
    const last = Math.min(to, next + readAtOnce - 1);
    if (pacer.isDue()) await pacer.pause();
    for (const turn of await store.turnsInRange(session.uid, next, last, readAtOnce)) turns.push(turn);
  }
  return turns;
}

async function readHoles(
  session: SessionRow,
  standing: readonly CompactCheckpoint[],
  parts: EngineParts,
): Promise<readonly (readonly TurnMeta[])[]> {
  const holes: (readonly TurnMeta[])[] = [];
  let end = session.epochStart;
  for (const { source_turn_range: range } of [...standing].reverse()) {
    if (range.start_sequence > end + 1) holes.push(await readTurns(session, end + 1, parts, range.start_sequence - 1));
    end = Math.max(end, range.end_sequence);
  }
  return holes;
}
