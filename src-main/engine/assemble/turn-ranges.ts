import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { DecisionReason } from '../../../src-shared/model/trace.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { Rejected } from './build-units.ts';
import type { Candidate } from './candidate.ts';

/** A stored turn that the call shows one by one, and where the host has it. */
export interface ShownTurn {
  readonly meta: Pick<TurnMeta, 'sequence' | 'tokens' | 'tokensCumulative'>;
  readonly hostIndex: number | undefined;
}

export interface RangeInput {
  readonly session: SessionRow;
  readonly history: 'full' | 'window';
  /** The host's list is another conversation than the log's. */
  readonly startsOver: boolean;
  readonly shown: readonly ShownTurn[];
  /** Checkpoints whose ranges are on record as such, and why their turns are not sent. */
  readonly checkpoints: readonly { readonly checkpoint: CompactCheckpoint; readonly reason: DecisionReason }[];
  /** Index in the host's list at which the conversation begins. */
  readonly firstIndex: number;
  /** Turns up to this sequence are in the host's own summary; the epoch's start when there is none. */
  readonly hostCoversThrough: number;
}

/**
 * The stored turns of the epoch that nobody looks at one by one, as ranges with the reason: together with what is shown
 * they are all turns of the epoch.
 */
export function turnRanges(input: RangeInput): readonly Rejected[] {
  const { session, checkpoints } = input;
  const ranges = checkpoints.map(({ checkpoint, reason }) => ({
    candidate: checkpointRange(checkpoint, session),
    reason,
  }));
  const covered = checkpoints.map(({ checkpoint }) => checkpoint.source_turn_range.end_sequence);
  const boundary = Math.max(session.epochStart, ...covered);
  // Checkpoints follow each other without gaps, so their sources add up to the tokens before the boundary.
  let tokens = checkpoints.reduce((sum, { checkpoint }) => sum + checkpoint.source_tokens, 0);
  let last: ShownTurn | undefined;
  let end = boundary;
  for (const turn of inOrder(input.shown)) {
    if (turn.meta.sequence <= end) continue;
    const before = turn.meta.tokensCumulative - turn.meta.tokens;
    if (turn.meta.sequence > end + 1) {
      const reason = gapReason(input, last, turn);
      ranges.push({ candidate: gap(end + 1, turn.meta.sequence - 1, before - tokens, reason, session), reason });
    }
    end = turn.meta.sequence;
    tokens = turn.meta.tokensCumulative;
    last = turn;
  }
  if (end < session.lastSequence) {
    const reason = gapReason(input, last, undefined);
    ranges.push({
      candidate: gap(end + 1, session.lastSequence, session.epochTokens - tokens, reason, session),
      reason,
    });
  }
  return ranges;
}

/** Mostly they are in order already, and sorting what is sorted is quick. */
function inOrder(shown: readonly ShownTurn[]): readonly ShownTurn[] {
  return [...shown].sort((a, b) => a.meta.sequence - b.meta.sequence);
}

function gapReason(input: RangeInput, before: ShownTurn | undefined, after: ShownTurn | undefined): DecisionReason {
  const { history, startsOver, hostCoversThrough, session, firstIndex } = input;
  if (startsOver) return 'before_reset';
  if (before === undefined && hostCoversThrough > session.epochStart) return 'covered_by_host_summary';
  if (history === 'window')
    return after === undefined && before !== undefined ? 'excluded_from_context' : 'over_budget';
  // Of a long list a host describes only what could fit; what lies between two neighbours of it was left out by it.
  const skipped = (after?.hostIndex ?? 0) - (before?.hostIndex ?? firstIndex - 1);
  return after !== undefined && skipped > 1 ? 'over_budget' : 'excluded_from_context';
}

function checkpointRange(checkpoint: CompactCheckpoint, session: SessionRow): Candidate {
  const { start_sequence: start, end_sequence: end } = checkpoint.source_turn_range;
  const preview = `archived in checkpoint ${checkpoint.archive_index}`;
  return rangeCandidate(start, end, checkpoint.source_tokens, preview, session);
}

const gapPreviews: Partial<Record<DecisionReason, string>> = {
  over_budget: 'older than every turn that could fit',
  covered_by_host_summary: 'summarised by the host',
  excluded_from_context: 'not in the host’s list',
  before_reset: 'of the conversation before this one',
};

function gap(start: number, end: number, tokens: number, reason: DecisionReason, session: SessionRow): Candidate {
  return rangeCandidate(start, end, Math.max(0, tokens), gapPreviews[reason] ?? '', session);
}

function rangeCandidate(start: number, end: number, tokens: number, preview: string, session: SessionRow): Candidate {
  return {
    item: `turns:${start}-${end}`,
    kind: 'raw_turn',
    source: 'store',
    role: 'mixed',
    count: end - start + 1,
    tokens,
    preview,
    sequence: start,
    endSequence: end,
    key: `${session.uid}:${start}-${end}`,
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
}
