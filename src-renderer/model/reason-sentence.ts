import type { DecisionAction, DecisionReason, TraceDecision, TraceItem } from '../../src-shared/model/trace.ts';
import { formatCount, formatNoun, formatScore } from './format-number.ts';
import { headlineScore } from './headline-score.ts';

type Case = { readonly decision: TraceDecision; readonly item: TraceItem | undefined };

const sentences: { readonly [R in DecisionReason]: (the: Case) => string } = {
  standing_instruction: () => 'standing instruction of every call',
  host_system_message: () => 'the host’s own system message, passed on as it is',
  newest_turns: () => 'one of the newest turns, which nothing pushes out',
  within_budget: ({ decision }) => `fits, ${tokens(decision.tokens_after)} of budget taken`,
  summary_newest: () => 'summary of the newest checkpoint',
  summary_older: () => 'abstract of an older checkpoint',
  summary_shortened: ({ decision }) =>
    `its abstract stands for its overview, ${formatCount(decision.tokens_before)} cut to ${tokens(decision.tokens_after)}`,
  host_summary: () => 'the host’s own summary of older turns',
  anchor_user_turn: () => 'the user turn that the kept turns answer',
  live_not_stored: () => 'part of the running turn, not in the log yet',
  strategy_choice: () => 'chosen by the strategy',
  passed_through: () => 'passed on unchanged',
  standing_memory: ({ item }) =>
    item?.changes_waiting === true
      ? 'standing memory, part of every call; the file was changed since, which waits for the next refresh'
      : 'standing memory, part of every call',
  prompt_layer: () => 'a layer of the system prompt from the workspace',
  recalled: ({ decision }) => `recalled from memory for this question${withScore(decision)}`,
  recall_frame: () => 'the call of the tool and the words around what was recalled',
  recalled_pinned: () => 'recalled from memory because it is pinned',
  oversized_newest: ({ decision }) =>
    `the newest turn alone is larger than the budget, ${formatCount(decision.tokens_before)} cut to ${tokens(decision.tokens_after)}`,
  large_result_old: ({ decision }) =>
    `a synopsis stands for this large or pictured result of an older turn, ${formatCount(decision.tokens_before)} cut to ${tokens(decision.tokens_after)}`,
  over_budget: needsMore('over budget'),
  summary_over_budget: needsMore('over the share of the budget that summaries may take'),
  covered_by_checkpoint: ({ item }) =>
    `${item !== undefined && item.count > 1 ? 'they are' : 'it is'} covered by a checkpoint summary`,
  covered_by_host_summary: () => 'covered by the host’s own summary',
  excluded_from_context: () => 'the host asked not to send it to the model',
  orphan_tool_result: () => 'a tool result whose call is not in the list',
  orphan_tool_call: () => 'a tool call whose result is not in the list',
  blank_content: () => 'it has no content, and providers refuse blank messages',
  window_starts_at_user: () => 'the list must start with a user message',
  before_reset: () => 'from before the reset of the session',
  deadline: () => 'the deadline came before it was looked at',
  standing_over_budget: needs('standing memory would take too much of this budget'),
  host_sends_it: () => 'the host puts this file into the prompt itself',
  recall_over_budget: needs('over the share of the budget that recalled memory may take'),
  recall_over_limit: ({ decision }) => `better ones took the places of what is recalled at once${withScore(decision)}`,
  recall_below_threshold: () => 'recalled, but below the threshold of what helps',
  recall_duplicate: () => 'another recalled memory says the same',
  recall_superseded: () => 'another page holds instead of it',
  recall_in_context: () => 'it is in the list anyway',
  recall_unchanged: () => 'an earlier call of this turn was answered without it',
  recall_abstained: () => 'nothing in memory was good enough to answer with',
  recall_skipped: () => 'memory was not asked: the message asks nothing that it could answer',
  recall_late: () => 'memory did not answer before the deadline of the call',
  recall_failed: () => 'memory could not be searched',
};

/** The word for an action; the same in tables, filters and sentences. */
export function actionWord(action: DecisionAction): string {
  switch (action) {
    case 'included':
      return 'Included';
    case 'trimmed':
      return 'Trimmed';
    case 'dropped':
      return 'Left out';
  }
}

/**
 * A decision as a sentence made from its code and values, such as
 * `Left out: over budget, 1,204 tokens needed, 310 left`.
 */
export function reasonSentence(decision: TraceDecision, item: TraceItem | undefined): string {
  return `${actionWord(decision.action)}: ${reasonClause(decision, item)}`;
}

/** The sentence without the action, for where the action stands beside it. */
export function reasonClause(decision: TraceDecision, item: TraceItem | undefined): string {
  // A newer daemon may know reasons that this page does not: then the code itself is shown.
  const known = sentences[decision.reason] as ((the: Case) => string) | undefined;
  const clause = known === undefined ? decision.reason.replaceAll('_', ' ') : known({ decision, item });
  const compared = thresholdClause(decision);
  return compared === undefined ? clause : `${clause}, ${compared}`;
}

/** `0.42 < 0.50`, when the decision compared a score with a threshold. */
export function thresholdClause(decision: TraceDecision): string | undefined {
  // What is pinned is recalled whatever its score.
  if (decision.threshold === undefined || decision.reason === 'recalled_pinned') return undefined;
  if (decision.reason === 'recall_over_limit') return `limit ${formatNoun(decision.threshold, 'result')}`;
  const score = decision.reason === 'recall_over_budget' ? undefined : headlineScore(decision.scores);
  // Without a score the threshold is a number of tokens.
  if (score === undefined) return `limit ${formatCount(decision.threshold)}`;
  return `${formatScore(score)} ${score < decision.threshold ? '<' : '≥'} ${formatScore(decision.threshold)}`;
}

/** What competes with nothing but its own kind. */
function needs(why: string): (the: Case) => string {
  return ({ decision }) => `${why}, ${tokens(decision.tokens_before)} needed`;
}

/** `, score 0.86`, where there is one and it is compared with nothing. */
function withScore(decision: TraceDecision): string {
  const isCompared = decision.threshold !== undefined && decision.reason !== 'recall_over_limit';
  const score = isCompared ? undefined : headlineScore(decision.scores);
  return score === undefined ? '' : `, score ${formatScore(score)}`;
}

/** What is older than the start of the window may be small enough and is left out all the same. */
function needsMore(why: string): (the: Case) => string {
  return ({ decision }) => {
    const left = Math.max(0, decision.budget_left);
    const rule = decision.tokens_before > left ? why : 'outside of the window, which starts after it';
    return `${rule}, ${tokens(decision.tokens_before)} needed, ${formatCount(left)} left`;
  };
}

function tokens(count: number): string {
  return formatNoun(count, 'token');
}
