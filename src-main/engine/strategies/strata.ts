import type { DecisionReason } from '../../../src-shared/model/trace.ts';
import type { AssembleInput, Choice, Selection } from '../assemble/assemble-input.ts';
import { buildUnits, type Unit } from '../assemble/build-units.ts';
import type { Candidate } from '../assemble/candidate.ts';
import { chooseWindow, type Window } from '../assemble/choose-window.ts';
import { slotsOf } from '../assemble/slots.ts';
import { planByTarget } from '../compact/plan-by-target.ts';
import type { ContextEngine } from './context-engine.ts';

/**
 * The default: system instructions, then the newest turns, then summaries within their share, then older turns while
 * there is room (spec §5). Summaries never push out the newest turns.
 */
export function createStrataStrategy(): ContextEngine {
  return { name: 'strata', assemble, planCompaction: planByTarget };
}

function assemble(input: AssembleInput): Selection {
  const { units, rejected } = buildUnits(input.raw);
  const standing = input.standing.map((candidate) =>
    included(candidate, candidate.source === 'host' ? 'host_system_message' : 'standing_instruction'),
  );
  const afterStanding = input.budget - tokensOf(standing);
  const newestTokens = newest(units, input.recentRawTurnCount, afterStanding);
  const summaryLimit = summaryRoom(input, afterStanding - newestTokens);
  const summaries = chooseSummaries(input, summaryLimit);
  const summaryTokens = tokensOf(summaries);
  const window = chooseWindow({
    units,
    tokensBefore: input.olderTokens,
    budget: Math.max(0, afterStanding - summaryTokens),
    recentCount: input.recentRawTurnCount,
    userBefore: summaries.some((choice) => choice.action !== 'dropped'),
  });
  const raw = chooseRaw(units, window, input.recentRawTurnCount, Math.max(0, afterStanding - summaryTokens));
  const choices = [
    ...standing,
    ...raw.newest,
    ...summaries,
    ...raw.others,
    ...rejected.map(({ candidate, reason }) => dropped(candidate, reason)),
    ...(input.older ? [dropped(input.older, 'over_budget')] : []),
    ...input.covered.map((candidate) => dropped(candidate, 'covered_by_checkpoint')),
  ];
  return {
    choices,
    slots: slotsOf(
      choices,
      [
        { kind: 'system', kinds: ['system'], allotted: tokensOf(standing), rule: 'sent always' },
        {
          kind: 'summary',
          kinds: ['summary'],
          allotted: summaryLimit,
          rule: `${Math.round(input.summaryBudgetShare * 100)} % of the budget or the newest summary, after the newest ${input.recentRawTurnCount} turns`,
        },
        {
          kind: 'raw_turn',
          kinds: ['raw_turn', 'tool_result'],
          allotted: Math.max(0, afterStanding - summaryTokens),
          rule: `what system and summaries leave; the start moves in steps of ${window.step} tokens`,
        },
      ],
      input.budget,
    ),
  };
}

function newest(units: readonly Unit[], count: number, limit: number): number {
  let tokens = 0;
  let messages = 0;
  for (let index = units.length - 1; index >= 0 && messages < count; index -= 1) {
    const unit = units[index];
    if (!unit || tokens + unit.tokens > limit) break;
    tokens += unit.tokens;
    messages += unit.members.length;
  }
  return tokens;
}

/**
 * Room for summaries: their share, or as much as the newest one takes, since without it a compaction would have lost
 * the conversation; never more than the newest turns leave.
 */
function summaryRoom(input: AssembleInput, left: number): number {
  const [newestSummary] = input.summaries;
  const needed = newestSummary ? newestSummary.tokens + input.summaryFrameTokens : 0;
  const hostTokens = input.hostSummaries.reduce((sum, candidate) => sum + candidate.tokens, 0);
  const share = Math.floor(input.budget * input.summaryBudgetShare);
  return Math.max(0, Math.min(left, Math.max(share, needed + hostTokens)));
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
    return dropped(candidate, 'summary_over_budget', left);
  };
  return [
    ...input.hostSummaries.map((candidate) => choose(candidate, 'host_summary', 0)),
    ...input.summaries.map((candidate, index) =>
      choose(candidate, index === 0 ? 'summary_newest' : 'summary_older', input.summaryFrameTokens),
    ),
  ];
}

function chooseRaw(units: readonly Unit[], window: Window, recentCount: number, budget: number) {
  const newestFirst = [...units.entries()].reverse();
  const newestChoices: Choice[] = [];
  const others: Choice[] = [];
  let messages = 0;
  for (const [index, unit] of newestFirst) {
    const isNewest = messages < recentCount;
    messages += unit.members.length;
    const target = isNewest ? newestChoices : others;
    for (const member of [...unit.members].reverse()) target.push(chooseMember(member, unit, index));
  }
  return { newest: newestChoices, others };

  function chooseMember(member: Candidate, unit: Unit, index: number): Choice {
    if (index === units.length - 1 && unit.tokens > budget) {
      const limit = Math.floor((budget * member.tokens) / unit.tokens);
      return {
        candidate: member,
        action: 'trimmed',
        reason: 'oversized_newest',
        tokensAfter: limit,
        threshold: budget,
      };
    }
    if (index === window.anchor) return included(member, 'anchor_user_turn');
    if (index >= window.start) return included(member, reasonInside(member, units, index, recentCount));
    return dropped(member, index >= window.fitsFrom ? 'window_starts_at_user' : 'over_budget', budget);
  }
}

function reasonInside(member: Candidate, units: readonly Unit[], index: number, recentCount: number): DecisionReason {
  if (member.live) return 'live_not_stored';
  const newer = units.slice(index + 1, index + 1 + recentCount).reduce((sum, unit) => sum + unit.members.length, 0);
  return newer < recentCount ? 'newest_turns' : 'within_budget';
}

function included(candidate: Candidate, reason: DecisionReason): Choice {
  return { candidate, action: 'included', reason, tokensAfter: candidate.tokens };
}

function dropped(candidate: Candidate, reason: DecisionReason, threshold?: number): Choice {
  return {
    candidate,
    action: 'dropped',
    reason,
    tokensAfter: 0,
    ...(threshold === undefined ? {} : { threshold }),
  };
}

function tokensOf(choices: readonly Choice[]): number {
  return choices.reduce((sum, choice) => sum + choice.tokensAfter, 0);
}
