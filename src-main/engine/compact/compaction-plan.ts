import type { Config } from '../../../src-shared/model/config.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import { isBackground, type CompactionOrder } from './compaction-order.ts';
import { cutsFrom, findCuts, type Cuts } from './find-cuts.ts';
import { Pacer } from './pacer.ts';
import { planCompaction } from './plan-compaction.ts';
import { segmentsOf } from './segments.ts';
import type { SessionContext } from './session-context.ts';
import { summarySize } from './summary-size.ts';
import { compactTarget, type CompactTarget } from './target-tokens.ts';

export interface CompactionPlan {
  readonly target: CompactTarget;
  /**
   * Ranges to archive one after the other, oldest first. Where a second list follows, the first alone may free too
   * little: its last range is then tried with the one after it.
   */
  readonly segments: readonly (readonly TurnMeta[])[];
  /** For a forced request that freed nothing: all that can be archived at all, in one range. */
  readonly lastResort: readonly TurnMeta[] | undefined;
}

/** Raw turns that are planned one by one; what is older is archived in any case. */
const longestTail = 4_000;

/** Decides what to archive, and in how many pieces. */
export async function planOf(
  context: SessionContext,
  order: CompactionOrder,
  config: Config,
): Promise<CompactionPlan | undefined> {
  const { session, strategy, turns, tokens, ratio } = context;
  if (!strategy.planCompaction) return undefined;
  const facts = { ...config, lastBudget: session.lastBudget, ratio, contextTokens: tokens };
  const target = targetFor(order, compactTarget(order, facts), tokens);
  const background = isBackground(order);
  const cuts = await findCuts(turns);
  // Each step goes over all turns; others get a chance between them.
  const pacer = new Pacer();
  await pacer.pause();
  const older = olderThanTail(cuts);
  const ends = planCompaction({
    strategy,
    turns: turns.slice(older),
    cuts: cutsFrom(cuts, older),
    target,
    // The identifiers come on top of the overview, see the summariser.
    summaryTokens: Math.ceil(1.6 * summarySize(target, Infinity).overviewTokens),
    recentRawTurnCount: strategy.recentRawTurnCount ?? config.assemble.recent_raw_turn_count,
    force: order.force ?? (order.trigger === 'manual' || order.trigger === 'overflow'),
    background,
  });
  const [end, last] = older > 0 && ends.length === 0 ? [turns[older - 1]?.sequence] : ends;
  const through = (sequence: number | undefined) =>
    sequence === undefined ? [] : turns.slice(0, turns.findLastIndex((turn) => turn.sequence <= sequence) + 1);
  await pacer.pause();
  const archived = through(end);
  const lastResort = through(last);
  const limit = segmentTokens(context, config);
  const segments = archived.length === 0 ? [] : segmentsOf(archived, cuts, limit);
  // Who asks for room gets it also from what was made raw again; in the background that is left alone.
  const holes = background ? [] : await holeSegments(context, limit);
  return {
    target,
    segments: [...holes, ...segments],
    lastResort: lastResort.length === 0 ? undefined : lastResort,
  };
}

async function holeSegments({ holes }: SessionContext, limit: number): Promise<(readonly TurnMeta[])[]> {
  const segments: (readonly TurnMeta[])[] = [];
  for (const hole of holes) segments.push(...segmentsOf(hole, await findCuts(hole), limit));
  return segments;
}

/** Share of the budget that a segment may take: the session's own model must be able to read it, and to answer. */
const segmentShare = 0.6;

function segmentTokens({ session, ratio }: SessionContext, { assemble, compaction }: Config): number {
  const budget = session.lastBudget ?? assemble.default_token_budget;
  return Math.max(1_000, Math.min(compaction.segment_tokens, Math.floor((segmentShare * budget) / ratio)));
}

/** Share of the context that a compaction in the background leaves at most, so that the next turn asks for none. */
const headRoom = 0.55;

/**
 * A context that is too large is brought to its target, and where somebody set the trigger below the target, to half of
 * what it is. Where it is only time for a summary, all but the newest turns are archived.
 */
function targetFor(order: CompactionOrder, target: CompactTarget, contextTokens: number): CompactTarget {
  if (!isBackground(order)) return target;
  if (order.trigger !== 'budget') return { ...target, target: 0 };
  return { ...target, target: Math.min(target.target, Math.floor(headRoom * contextTokens)) };
}

/** Index of the first turn of the tail; a cut where the conversation may be cut. */
function olderThanTail({ atUser, anywhere }: Cuts): number {
  const start = anywhere.length - longestTail;
  if (start <= 0) return 0;
  const user = atUser.indexOf(true, start);
  if (user >= 0 && user < start + 400) return user;
  return Math.max(0, anywhere.lastIndexOf(true, start));
}
