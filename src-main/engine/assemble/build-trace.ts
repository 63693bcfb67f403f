import type { TraceDecision, TraceItem } from '../../../src-shared/model/trace.ts';
import type { Choice, Selection } from './assemble-input.ts';
import type { Candidate } from './candidate.ts';

/** Dropped turns next to the window that are shown one by one; older ones of the same fate become one range. */
const shownOneByOne = 50;

export interface Decided {
  readonly items: readonly TraceItem[];
  readonly decisions: readonly TraceDecision[];
  /** Items that are stored turns as they are. */
  readonly turnItems: ReadonlySet<string>;
}

/**
 * The choices as numbered decisions with the budget that was left after each. Long runs of neighbouring turns that
 * were dropped for the same reason are one item, or a call on a long session would record thousands of equal lines.
 */
export function decide(selection: Selection, budget: number, actualTokens: ReadonlyMap<string, number>): Decided {
  const items: TraceItem[] = [];
  const decisions: TraceDecision[] = [];
  const turnItems = new Set<string>();
  let left = budget;
  for (const choice of joinRuns(selection.choices)) {
    const { candidate } = choice;
    const tokensAfter = actualTokens.get(candidate.item) ?? choice.tokensAfter;
    left -= tokensAfter;
    items.push(traceItem(candidate));
    if (isStoredTurn(candidate)) turnItems.add(candidate.item);
    decisions.push(decisionOf(choice, decisions.length, tokensAfter, left));
  }
  return { items, decisions, turnItems };
}

/** A call has a thousand of these, so the objects are written out: spreading parts into them takes three times as long. */
function decisionOf(choice: Choice, seq: number, tokensAfter: number, left: number): TraceDecision {
  const { candidate, threshold, scores = noScores } = choice;
  const { item } = candidate;
  const { action, reason } = outcome(choice);
  const tokens = wholeTokens(candidate);
  return threshold === undefined
    ? { seq, item, action, reason, scores, tokens_before: tokens, tokens_after: tokensAfter, budget_left: left }
    : {
        seq,
        item,
        action,
        reason,
        scores,
        threshold,
        tokens_before: tokens,
        tokens_after: tokensAfter,
        budget_left: left,
      };
}

const noScores = Object.freeze({});

/** What a strategy takes whole may have a stand-in: then it is cut all the same. */
function outcome(choice: Choice): Pick<TraceDecision, 'action' | 'reason'> {
  return choice.action === 'included' && choice.candidate.standIn
    ? { action: 'trimmed', reason: 'large_result_old' }
    : choice;
}

function wholeTokens({ tokens, standIn }: Candidate): number {
  return standIn?.wholeTokens ?? tokens;
}

function joinRuns(choices: readonly Choice[]): Choice[] {
  const joined: Choice[] = [];
  let shown = 0;
  for (const choice of choices) {
    const last = joined.at(-1);
    const mayJoin = choice.action === 'dropped' && choice.candidate.count === 1 && isTurnOfLog(choice.candidate);
    if (!mayJoin || ++shown <= shownOneByOne || !last || !continues(last, choice)) joined.push(choice);
    else joined[joined.length - 1] = joinTwo(last, choice);
  }
  return joined;
}

function continues(last: Choice, next: Choice): boolean {
  return (
    last.action === 'dropped' &&
    last.reason === next.reason &&
    isTurnOfLog(last.candidate) &&
    next.candidate.sequence === (last.candidate.sequence ?? 0) - 1
  );
}

/** Choices run from new to old, so the joined range grows at its start. */
function joinTwo(last: Choice, next: Choice): Choice {
  const start = next.candidate.sequence ?? 0;
  const end = last.candidate.endSequence ?? last.candidate.sequence ?? start;
  const candidate: Candidate = {
    item: `turns:${start}-${end}`,
    kind: 'raw_turn',
    source: last.candidate.source,
    role: 'mixed',
    count: last.candidate.count + next.candidate.count,
    tokens: last.candidate.tokens + next.candidate.tokens,
    preview: next.candidate.preview,
    sequence: start,
    endSequence: end,
    key: last.candidate.key,
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
  return { ...last, candidate };
}

/** Candidates of the log are the same objects from call to call, and so are their items. */
const itemsOfLog = new WeakMap<Candidate, TraceItem>();

function traceItem(candidate: Candidate): TraceItem {
  const known = itemsOfLog.get(candidate);
  if (known) return known;
  const item = newItem(candidate);
  itemsOfLog.set(candidate, item);
  return item;
}

function newItem(candidate: Candidate): TraceItem {
  return {
    item: candidate.item,
    kind: candidate.kind,
    source: candidate.source,
    role: candidate.role,
    ...(candidate.uri === undefined ? {} : { uri: candidate.uri }),
    ...(candidate.hostIndex === undefined ? {} : { host_index: candidate.hostIndex }),
    ...(candidate.sequence === undefined ? {} : { sequence: candidate.sequence }),
    ...(candidate.endSequence === undefined ? {} : { end_sequence: candidate.endSequence }),
    count: candidate.count,
    ...(candidate.contentHash === undefined ? {} : { content_hash: candidate.contentHash }),
    tokens: wholeTokens(candidate),
    preview: candidate.preview,
    ...(candidate.asOf === undefined ? {} : { as_of: new Date(candidate.asOf).toISOString() }),
    ...(candidate.changesWaiting === undefined ? {} : { changes_waiting: candidate.changesWaiting }),
  };
}

/** One or several turns; not a summary of some, nor what stands before the conversation. */
function isTurnOfLog({ kind, sequence }: Candidate): boolean {
  return sequence !== undefined && (kind === 'raw_turn' || kind === 'tool_result');
}

/** The store makes such an item again out of the turn; see `turnTraceItem`. */
function isStoredTurn(candidate: Candidate): boolean {
  return !candidate.restated && candidate.count === 1 && isTurnOfLog(candidate);
}
