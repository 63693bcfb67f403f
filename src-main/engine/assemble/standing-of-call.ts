import { sha256 } from '../hash.ts';
import type { StandingPart } from '../ports/standing-store.ts';
import type { StandingView } from '../standing/standing-memory.ts';
import { layersText, standingBlock, standingPartText } from '../standing/standing-text.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Rejected } from './build-units.ts';
import type { Candidate } from './candidate.ts';

/** Standing memory of one call. */
export interface StandingOfCall {
  /** Before our own instructions, and after them. */
  readonly layers: string;
  readonly block: string;
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly Rejected[];
  /** What it was made of, or why it could not be read. */
  readonly from: StandingView | { readonly failed: string; readonly late: boolean };
}

/** Standing memory takes at most this share of a budget: with less room the conversation is worth more. */
const standingShare = 0.25;

/** What was read as it is sent under this budget (tokens by our tokenizer), or left out as too large for it. */
export async function standingOfCall(
  from: StandingView,
  budget: number,
  counter: Pick<TokenCounter, 'texts'>,
): Promise<StandingOfCall> {
  const { parts, asOf, changesWaiting, isLeftToHost } = from;
  const firstOfBlock = parts.findIndex(({ kind }) => kind !== 'layer');
  const texts = parts.map((part, index) => standingPartText(part, index === firstOfBlock));
  const tokens = await counter.texts(texts);
  const candidates = parts.map((part, index): Candidate => ({
    ...standingCandidate(
      itemOf(part),
      part.kind === 'layer' ? 'system' : part.kind,
      part.text,
      (tokens[index] ?? 0) + 2,
    ),
    ...(part.uris[0] === undefined ? {} : { uri: part.uris[0] }),
    repeats: part.uris,
    asOf,
    changesWaiting,
  }));
  const leftToHost: Rejected[] = isLeftToHost
    ? [{ candidate: standingCandidate('standing:MEMORY.md', 'memory_index', 'MEMORY.md', 0), reason: 'host_sends_it' }]
    : [];
  const total = candidates.reduce((sum, candidate) => sum + candidate.tokens, 0);
  if (total > budget * standingShare) {
    const tooLarge = candidates.map((candidate): Rejected => ({ candidate, reason: 'standing_over_budget' }));
    return { layers: '', block: '', candidates: [], rejected: [...tooLarge, ...leftToHost], from };
  }
  return { layers: layersText(parts), block: standingBlock(parts), candidates, rejected: leftToHost, from };
}

/** @param message what became of reading it */
export function noStandingBecause(message: string, isLate: boolean): StandingOfCall {
  const candidate = {
    ...standingCandidate('standing:memory', 'profile', message, 0),
    preview: message.slice(0, 160),
  };
  return {
    ...{ layers: '', block: '', candidates: [] },
    rejected: [{ candidate, reason: isLate ? 'deadline' : 'recall_failed' }],
    from: { failed: message, late: isLate },
  };
}

export function itemOf({ kind, name }: Pick<StandingPart, 'kind' | 'name'>): string {
  return kind === 'layer' ? `layer:${name}` : `standing:${name}`;
}

function standingCandidate(item: string, kind: Candidate['kind'], text: string, tokens: number): Candidate {
  return {
    item,
    kind,
    source: 'engine',
    role: 'system',
    count: 1,
    tokens,
    preview: text.slice(0, 400).replace(/\s+/gu, ' ').trim().slice(0, 160).toWellFormed(),
    key: sha256(text),
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
}
