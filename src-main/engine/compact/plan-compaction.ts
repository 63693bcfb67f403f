import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import type { ContextEngine } from '../strategies/context-engine.ts';
import type { Cuts } from './find-cuts.ts';
import type { CompactTarget } from './target-tokens.ts';

export interface PlanRequest {
  readonly strategy: ContextEngine;
  /** Turns that no checkpoint covers, oldest first. */
  readonly turns: readonly TurnMeta[];
  readonly cuts: Cuts;
  readonly target: CompactTarget;
  /** Tokens that the summary will take. */
  readonly summaryTokens: number;
  readonly recentRawTurnCount: number;
  readonly force: boolean;
  /** Nobody waits for it: the newest turns stay raw whatever the target is. */
  readonly background: boolean;
}

/**
 * Newest sequences to archive, in the order in which they are worth a try: the strategy's own cut, and for a forced
 * request, if that frees nothing, the last cut there is. Cuts stand before user turns where that reaches the target; a
 * single long tool loop is cut between its calls, and never between a call and its result.
 * @throws EngineError `strategy_failed` when the strategy names a sequence that is no cut.
 */
export function planCompaction(request: PlanRequest): readonly number[] {
  const { turns, cuts, target, force, background } = request;
  const plan = (mayStart: readonly boolean[], limits: CompactTarget): number | undefined =>
    checked(request, mayStart, ask(request, mayStart, limits));
  const atUser = plan(cuts.atUser, target);
  const rest = turns.filter((turn) => atUser === undefined || turn.sequence > atUser);
  const isEnough = atUser !== undefined && contextTokens(rest) <= target.limit;
  const anywhere = isEnough ? undefined : plan(cuts.anywhere, target);
  const last = force && !background ? plan(cuts.anywhere, { target: 0, limit: 0 }) : undefined;
  const planned = atUser === undefined ? anywhere : Math.max(atUser, anywhere ?? 0);
  const ends = [...new Set([planned, last])].filter((end) => end !== undefined);
  if (!background) return ends.filter((end) => end >= (planned ?? end));
  const keeping = ends.filter((end) => keepsNewest(request, end));
  return keeping.length > 0 ? keeping : allButNewest(request, plan);
}

/** Where the newest turns alone exceed the target, the others are archived all the same. */
function allButNewest(
  request: PlanRequest,
  plan: (mayStart: readonly boolean[], limits: CompactTarget) => number | undefined,
): readonly number[] {
  const { cuts } = request;
  const ends = [cuts.atUser, cuts.anywhere].map((mayStart) => plan(mayStart, { target: 0, limit: Infinity }));
  const end = ends.find((one) => one !== undefined && keepsNewest(request, one));
  return end === undefined ? [] : [end];
}

function keepsNewest({ turns, recentRawTurnCount }: PlanRequest, end: number): boolean {
  return turns.filter((turn) => turn.sequence > end).length >= recentRawTurnCount;
}

/** Tokens that turns take in the context; the host keeps some of them out of it. */
export function contextTokens(turns: readonly TurnMeta[]): number {
  return turns.reduce((sum, turn) => sum + contextTokensOf(turn), 0);
}

function contextTokensOf(turn: TurnMeta): number {
  return turn.excluded ? 0 : turn.tokens;
}

function ask(request: PlanRequest, mayStart: readonly boolean[], { target, limit }: CompactTarget) {
  return request.strategy.planCompaction?.({
    targetTokens: Math.max(0, target - request.summaryTokens),
    limitTokens: Math.max(0, limit - request.summaryTokens),
    recentRawTurnCount: request.recentRawTurnCount,
    turns: request.turns.map((turn, index) => ({
      sequence: turn.sequence,
      tokens: contextTokensOf(turn),
      mayStart: mayStart[index] ?? false,
    })),
    force: request.force,
  });
}

function checked({ strategy, turns }: PlanRequest, mayStart: readonly boolean[], end: unknown): number | undefined {
  if (end === undefined || end === null) return undefined;
  const next = turns.findIndex((turn) => turn.sequence === end) + 1;
  if (typeof end === 'number' && next > 0 && mayStart[next]) return end;
  throw new EngineError(
    'strategy_failed',
    `The strategy ${strategy.name} wants to archive up to ${JSON.stringify(end)?.slice(0, 100)}; expected the sequence of a turn before one that may start.`,
  );
}
