import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { summariesTokens } from '../assemble/summary-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import { calibrate } from '../tokens/calibrate.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { TriggerFacts } from './choose-trigger.ts';
import { overviewsOf } from './session-context.ts';

/** What has happened in a session since it was compacted last. */
export interface SessionProgress {
  readonly epoch: number;
  /** Where counting starts: the compaction that saw most, else the beginning of the epoch. */
  readonly since: { readonly sequence: number; readonly tokens: number; readonly at: number };
  userTurns: number;
  /** Newest turn that `userTurns` has counted. */
  counted: number;
  /** Newest turn that a summary stands for, and the tokens of the epoch up to there. */
  readonly covered: { readonly sequence: number; readonly tokens: number };
  /** Tokens of the summaries that stand. */
  readonly summaries: number;
  readonly ratio: number;
}

/** Turns in which user turns are counted; beyond that many the answer is "enough" anyway. */
const mostCounted = 2_000;

/** Reads where a session stands; needed once after a start and after each compaction. */
export async function readProgress(
  session: SessionRow,
  { store }: Pick<EngineParts, 'store'>,
  counter: TokenCounter,
): Promise<SessionProgress> {
  const standing = await store.standingCheckpoints(session.uid, session.epoch);
  const newest = await store.newestCheckpoint(session.uid, session.epoch);
  const since = sinceLast(newest ? [newest, ...standing] : standing) ?? (await sinceBeginning(session, store));
  const added = await store.turnsInRange(session.uid, since.sequence + 1, session.lastSequence, mostCounted);
  const model = session.lastModel;
  return {
    epoch: session.epoch,
    since,
    userTurns: countUserTurns(added),
    counted: session.lastSequence,
    covered: await coveredThrough(session, standing, store),
    summaries: await summariesTokens(overviewsOf(session, standing), counter),
    ratio: calibrate(model === undefined ? [] : await store.calibrationSamples(model, 60)).ratio,
  };
}

export function countUserTurns(turns: readonly TurnMeta[]): number {
  return turns.filter((turn) => turn.role === 'user' && !turn.excluded && !turn.heartbeat).length;
}

export function factsOf(
  session: SessionRow,
  progress: SessionProgress,
  fallbackBudget: number,
  now: number,
): Omit<TriggerFacts, 'rawTurnLimit'> {
  // Turns that somebody made raw again before what is covered are left alone: they must not ask for a compaction that
  // will not touch them.
  const context = Math.max(0, session.epochTokens - progress.covered.tokens) + progress.summaries;
  return {
    contextTokens: context * progress.ratio,
    budget: session.lastBudget ?? fallbackBudget,
    tokensAdded: session.epochTokens - progress.since.tokens,
    userTurnsAdded: progress.userTurns,
    turnsAdded: session.lastSequence - progress.since.sequence,
    rawTurns: session.lastSequence - progress.covered.sequence,
    msPassed: now - progress.since.at,
  };
}

async function coveredThrough(
  session: SessionRow,
  standing: readonly CompactCheckpoint[],
  store: EngineParts['store'],
): Promise<SessionProgress['covered']> {
  const sequence = Math.max(session.epochStart, ...standing.map((one) => one.source_turn_range.end_sequence));
  const [last] = sequence > session.epochStart ? await store.turnsInRange(session.uid, sequence, sequence, 1) : [];
  return { sequence, tokens: last?.tokensCumulative ?? 0 };
}

/** The one that saw most counts: one that was run again is newer, and saw no more than the first time. */
function sinceLast(checkpoints: readonly CompactCheckpoint[]): SessionProgress['since'] | undefined {
  return checkpoints.map(sinceCheckpoint).sort((a, b) => b.sequence - a.sequence || b.at - a.at)[0];
}

/** Checkpoints of earlier versions do not say what they saw; they saw at least what they cover. */
function sinceCheckpoint(checkpoint: CompactCheckpoint): SessionProgress['since'] {
  const { as_of: seen, source_turn_range: range, source_tokens: tokens, committed_at: at } = checkpoint;
  return { sequence: seen?.sequence ?? range.end_sequence, tokens: seen?.epoch_tokens ?? tokens, at: Date.parse(at) };
}

/** A host's clock may be ahead of ours or behind; a session is no older than its row. */
async function sinceBeginning(session: SessionRow, store: EngineParts['store']): Promise<SessionProgress['since']> {
  const [first] = await store.turnsInRange(session.uid, session.epochStart + 1, session.epochStart + 1, 1);
  const at = Math.max(session.createdAt, Math.min(first?.timestamp ?? session.createdAt, session.lastActiveAt));
  return { sequence: session.epochStart, tokens: 0, at };
}
