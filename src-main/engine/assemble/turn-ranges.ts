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
  let last: ShownTurn | undefined;
  let end = session.epochStart;
  /** Of all turns up to `end`, as far as it is known: the tokens of gaps before a checkpoint are told by what follows. */
  let tokens = 0;
  const addGap = (to: number, cumulative: number, next: ShownTurn | undefined): void => {
    const reason = gapReason(input, last, next);
    ranges.push({ candidate: gap(end + 1, to, cumulative - tokens, reason, session), reason });
    tokens = Math.max(tokens, cumulative);
  };
  for (const piece of inOrder(input)) {
    if (piece.end <= end) continue;
    if (piece.start > end + 1) addGap(piece.start - 1, piece.cumulativeBefore ?? tokens, piece.turn);
    end = piece.end;
    tokens = piece.turn ? piece.turn.meta.tokensCumulative : tokens + piece.tokens;
    last = piece.turn ?? last;
  }
  if (end < session.lastSequence) addGap(session.lastSequence, session.epochTokens, undefined);
  return ranges;
}

/** Turns that are shown one by one, and ranges that a checkpoint stands for. */
interface Piece {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;
  readonly turn: ShownTurn | undefined;
  /** Tokens of all turns of the epoch before it, where that is known. */
  readonly cumulativeBefore: number | undefined;
}

/** Mostly they are in order already, and sorting what is sorted is quick. */
function inOrder({ shown, checkpoints }: RangeInput): readonly Piece[] {
  const turns = shown.map((turn): Piece => {
    const { sequence, tokens, tokensCumulative } = turn.meta;
    return { start: sequence, end: sequence, tokens, turn, cumulativeBefore: tokensCumulative - tokens };
  });
  const covered = checkpoints.map(({ checkpoint: { source_turn_range: range, source_tokens: tokens } }): Piece => {
    return {
      start: range.start_sequence,
      end: range.end_sequence,
      tokens,
      turn: undefined,
      cumulativeBefore: undefined,
    };
  });
  return [...covered, ...turns].sort((a, b) => a.start - b.start);
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
