import type { RecallCandidate, RecallReason, RecallResult } from '../../../../src-shared/model/recall.ts';
import type { DecisionReason } from '../../../../src-shared/model/trace.ts';
import { sha256 } from '../../hash.ts';
import type { MessageFormat } from '../../../../src-shared/protocol/host-message.ts';
import { readMessage } from '../../messages/read-message.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import { recallBlock, recallMessages, type RecallForm } from './recall-message.ts';
import type { Recalled, RecalledCandidate, RecallRejection } from './recalled.ts';

/** Rejected candidates that are put on record one by one; the worst of long lists are left out. */
const mostRejected = 40;

export interface ReadOptions {
  readonly counter: TokenCounter;
  readonly form: RecallForm;
  readonly format: MessageFormat;
  readonly minScore: number;
  readonly at: number;
}

/** A search's answer as candidates of a call, each with its tokens as it is sent. */
export async function readRecallResult(result: RecallResult, options: ReadOptions): Promise<Recalled> {
  const { counter, form, format, minScore, at } = options;
  const seen = new Set<string>();
  const candidates = result.candidates.filter(({ uri }) => !seen.has(uri) && seen.add(uri));
  const packed = candidates.filter((candidate) => candidate.packed);
  const blocks = packed.map(recallBlock);
  const tokens = await counter.texts(blocks);
  const empty = recallMessages({ query: result.query, blocks: [], at }, form, format, true);
  const frame = await counter.messages(
    empty.map((message, index) => readMessage(message, format, index)),
    format,
  );
  return {
    query: result.query,
    at,
    result,
    packed: packed.map((candidate, index) => ({
      // Joined to its neighbours a text may take one more than alone.
      candidate: toCandidate(candidate, (tokens[index] ?? 0) + 1, minScore),
      block: blocks[index] ?? '',
    })),
    rejected: [
      ...(packed.length === 0 ? lackOf(result) : []),
      ...candidates
        .filter((candidate) => !candidate.packed)
        .slice(0, mostRejected)
        .map((candidate) => toRejection(candidate, minScore)),
    ],
    frameTokens: frame.reduce((sum, count) => sum + count, 0),
  };
}

/** A search that lost a part of itself and found nothing must not look like one that found nothing. */
function lackOf({ degraded }: RecallResult): RecallRejection[] {
  if (degraded.length === 0) return [];
  const isLate = degraded.some(({ code }) => code === 'deadline_exceeded');
  const said = degraded.map(({ message }) => message).join(' ');
  return [recallNote(isLate ? 'recall_late' : 'recall_failed', said)];
}

function toCandidate(found: RecallCandidate, tokens: number, minScore: number): RecalledCandidate {
  return {
    ...bareCandidate(found.uri, `${found.title === '' ? '' : `${found.title}: `}${found.text}`, tokens),
    uri: found.uri,
    scores: scoresOf(found),
    threshold: found.threshold ?? minScore,
    pinned: found.reason === 'pinned',
  };
}

function toRejection(found: RecallCandidate, minScore: number): RecallRejection {
  const threshold = found.threshold ?? (found.reason === 'below_threshold' ? minScore : undefined);
  return {
    candidate: { ...bareCandidate(found.uri, `${found.title} ${found.text}`.trim(), found.tokens), uri: found.uri },
    reason: reasons[found.reason],
    scores: scoresOf(found),
    ...(threshold === undefined ? {} : { threshold }),
  };
}

/** The score stands first: it is what a threshold is compared with. */
function scoresOf({ score, parts }: RecallCandidate): Record<string, number> {
  return { score, ...parts };
}

/** What recall came to, where there is no memory to name. */
export function recallNote(reason: DecisionReason, preview: string): RecallRejection {
  return { candidate: bareCandidate('note', preview, 0), reason, scores: {} };
}

/** A candidate of recall that no other part of the call has. */
export function bareCandidate(name: string, text: string, tokens: number) {
  return {
    item: `recall:${name}`,
    kind: 'recalled_memory',
    source: 'engine',
    role: 'tool',
    count: 1,
    tokens,
    preview: text.slice(0, 400).replace(/\s+/gu, ' ').trim().slice(0, 160).toWellFormed(),
    key: sha256(text),
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  } as const;
}

const reasons: { readonly [R in RecallReason]: DecisionReason } = {
  packed: 'recalled',
  pinned: 'recalled_pinned',
  below_threshold: 'recall_below_threshold',
  duplicate: 'recall_duplicate',
  superseded: 'recall_superseded',
  over_budget: 'recall_over_budget',
  over_limit: 'recall_over_limit',
  already_in_context: 'recall_in_context',
  abstained: 'recall_abstained',
};
