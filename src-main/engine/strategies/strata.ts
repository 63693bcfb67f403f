import type { DecisionReason, TraceSlot } from '../../../src-shared/model/trace.ts';
import type { AssembleInput, Choice, Selection } from '../assemble/assemble-input.ts';
import type { Candidate } from '../assemble/candidate.ts';
import { chooseWindow, windowStep } from '../assemble/choose-window.ts';
import { emptySlot } from '../assemble/slots.ts';
import { planByTarget } from '../compact/plan-by-target.ts';
import { chooseTurns } from './choose-turns.ts';
import type { ContextEngine } from './context-engine.ts';

/**
 * The default: system instructions, then the newest turns, then summaries within their share, then recalled memories in
 * theirs, then older turns while there is room (spec §5). Nothing of that pushes out the newest turns.
 */
export function createStrataStrategy(): ContextEngine {
  return { name: 'strata', recall: { room: 1, everyTurn: false }, assemble, planCompaction: planByTarget };
}

function assemble(input: AssembleInput): Selection {
  const { units, recentRawTurnCount: recentCount } = input;
  const standing = input.standing.map((candidate) => included(candidate, standingReason(candidate)));
  const afterStanding = input.budget - tokensOf(standing);
  const summaryLimit = summaryRoom(input, afterStanding);
  const summaries = chooseSummaries(input, summaryLimit);
  const afterSummaries = afterStanding - tokensOf(summaries);
  const recallLimit = recallRoom(input, afterSummaries);
  const recalled = chooseRecalled(input, recallLimit);
  const budget = Math.max(0, afterSummaries - recallLimit);
  const step = windowStep(budget);
  const window = chooseWindow({
    units,
    budget,
    recentCount,
    userBefore: summaries.some((choice) => choice.action !== 'dropped'),
    hasOlder: input.hasOlder,
    earliest: input.earliest,
    step,
  });
  const turns = chooseTurns(units, window, { recentCount, budget });
  return {
    choices: [...standing, ...turns.newest, ...summaries, ...recalled, ...turns.others],
    slots: [
      ...standingSlots(standing),
      emptySlot(
        'summary',
        summaryLimit,
        `${Math.round(input.summaryBudgetShare * 100)} % of the budget or the newest summary, after the newest ${recentCount} turns`,
      ),
      ...(input.recallRoom === 0
        ? []
        : [
            emptySlot(
              'recalled_memory',
              recallLimit,
              'set apart for what is recalled, after the newest turns and summaries',
            ),
          ]),
      emptySlot('raw_turn', budget, `what the others leave; the start moves in steps of ${step} tokens`),
    ],
  };
}

/** What each kind of what is sent always takes. */
export function standingSlots(standing: readonly Choice[]): TraceSlot[] {
  return (['system', 'profile', 'memory_index'] as const).flatMap((kind) => {
    const chosen = standing.filter(({ candidate }) => candidate.kind === kind);
    return chosen.length === 0 && kind !== 'system' ? [] : [emptySlot(kind, tokensOf(chosen), 'sent always')];
  });
}

export function standingReason({ source, kind, item }: Candidate): DecisionReason {
  if (source === 'host') return 'host_system_message';
  if (item.startsWith('layer:')) return 'prompt_layer';
  return kind === 'system' ? 'standing_instruction' : 'standing_memory';
}

/** What is set apart for recalled memories goes first where room is short: before summaries, and before any new turn. */
function recallRoom(input: AssembleInput, afterSummaries: number): number {
  const taken = newestTokens(input, afterSummaries);
  return taken === undefined ? 0 : Math.max(0, Math.min(input.recallRoom, afterSummaries - taken));
}

/** Best first, as many as fit; the best of all takes the frame along. */
function chooseRecalled({ recalled, recalledFrameTokens }: AssembleInput, limit: number): Choice[] {
  let left = limit;
  let frame = recalledFrameTokens;
  return recalled.map((candidate): Choice => {
    const { scores, threshold, pinned } = candidate;
    const tokensAfter = candidate.tokens + frame;
    if (tokensAfter > left) {
      return { candidate, action: 'dropped', reason: 'recall_over_budget', tokensAfter: 0, scores, threshold };
    }
    left -= tokensAfter;
    frame = 0;
    return {
      candidate,
      action: 'included',
      reason: pinned ? 'recalled_pinned' : 'recalled',
      tokensAfter,
      scores,
      threshold,
    };
  });
}

/** Tokens of the newest messages, as many of them as fit; `undefined` when not even the newest fits. */
function newestTokens({ units, recentRawTurnCount }: AssembleInput, limit: number): number | undefined {
  let tokens = 0;
  let messages = 0;
  for (let index = units.length - 1; index >= 0 && messages < recentRawTurnCount; index -= 1) {
    const unit = units[index];
    if (!unit || tokens + unit.tokens > limit) break;
    tokens += unit.tokens;
    messages += unit.members.length;
  }
  return messages === 0 && units.length > 0 ? undefined : tokens;
}

/**
 * Room for summaries: their share, or as much as the newest one takes, since without it a compaction would have lost
 * the conversation; never more than the newest turns leave. Where the conversation has no user message of its own, a
 * summary stands for it, since no provider takes a list that starts with the assistant.
 */
function summaryRoom(input: AssembleInput, afterStanding: number): number {
  const [newestSummary] = input.summaries;
  const taken = newestTokens(input, afterStanding);
  const needed = newestSummary ? newestSummary.tokens + input.summaryFrameTokens : 0;
  const hostTokens = input.hostSummaries.reduce((sum, candidate) => sum + candidate.tokens, 0);
  const share = Math.floor(input.budget * input.summaryBudgetShare);
  const left = taken === undefined ? 0 : Math.min(afterStanding - taken, Math.max(share, needed + hostTokens));
  const least = newestSummary
    ? (newestSummary.shortTokens ?? newestSummary.tokens) + input.summaryFrameTokens
    : hostTokens;
  const needsUser = input.units.length > 0 && !input.units.some((unit) => unit.startsWithUser);
  return Math.max(0, left, needsUser ? least : 0);
}

/** The host's own summaries stand for what nobody else has, so they come first; then ours, newest first. */
function chooseSummaries(input: AssembleInput, limit: number): Choice[] {
  let left = limit;
  let framed = false;
  const take = (
    candidate: Candidate,
    cost: number,
    choice: Pick<Choice, 'action' | 'reason'>,
    frame: number,
  ): Choice => {
    left -= cost;
    framed ||= frame > 0;
    return { candidate, ...choice, tokensAfter: cost, threshold: limit };
  };
  const choose = (candidate: Candidate, reason: DecisionReason, frame: number): Choice => {
    const overhead = framed ? 0 : frame;
    if (candidate.tokens + overhead <= left) {
      return take(candidate, candidate.tokens + overhead, { action: 'included', reason }, frame);
    }
    const short = candidate.shortTokens;
    if (short !== undefined && short < candidate.tokens && short + overhead <= left) {
      return take(candidate, short + overhead, { action: 'trimmed', reason: 'summary_shortened' }, frame);
    }
    return { candidate, action: 'dropped', reason: 'summary_over_budget', tokensAfter: 0, threshold: left };
  };
  return [
    ...input.hostSummaries.map((candidate) => choose(candidate, 'host_summary', 0)),
    ...input.summaries.map((candidate, index) =>
      choose(candidate, index === 0 ? 'summary_newest' : 'summary_older', input.summaryFrameTokens),
    ),
  ];
}

function included(candidate: Candidate, reason: DecisionReason): Choice {
  return { candidate, action: 'included', reason, tokensAfter: candidate.tokens };
}

function tokensOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, choice) => sum + choice.tokensAfter, 0);
}
