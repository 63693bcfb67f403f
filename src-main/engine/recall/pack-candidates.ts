import type { RecallCandidate, RecallReason } from '../../../src-shared/model/recall.ts';
import { maskSecrets } from '../memory/extract/gates/mask-secrets.ts';
import type { RecallRequest } from '../ports/recall.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { choosePassage } from './choose-passage.ts';
import { findDuplicates } from './drop-duplicates.ts';
import { shareOf } from './score-pages.ts';
import type { RecallWeights } from './recall-weights.ts';
import type { RowWords } from './row-words.ts';
import type { Scored } from './scored-row.ts';
import type { QuestionWorth } from './term-worth.ts';

/** Characters of one token at the least, over languages: what is cut by characters is counted afterwards. */
const charactersPerToken = 4;
/** Candidates beyond the packed ones that are answered, so that a person sees what came close. */
const mostOthers = 40;

export interface PackParts {
  readonly counter: Pick<TokenCounter, 'texts'>;
  readonly weights: RecallWeights;
  readonly words: RowWords;
  /** Abstract of each page that was found, by URI. */
  readonly abstracts: ReadonlyMap<string, string>;
  readonly pinned: ReadonlySet<string>;
  /** Of pages that hold no more: the URI of the one that took their place. */
  readonly successors: ReadonlyMap<string, string>;
}

export interface Packed {
  readonly candidates: readonly RecallCandidate[];
  readonly tokens: number;
}

interface Verdict {
  readonly reason: RecallReason;
  readonly becauseOf?: string | undefined;
  readonly threshold?: number;
}

/**
 * Decides about each candidate, best first: those that are good enough, say something new and fit are packed, each with
 * the part of it that matches. Pinned ones need not be good enough, and take the places that the others leave.
 */
export async function packCandidates(
  ranked: readonly Scored[],
  worth: QuestionWorth,
  request: RecallRequest,
  parts: PackParts,
): Promise<Packed> {
  const inOrder = orderOf(ranked, request.minScore, parts.pinned);
  const duplicates = findDuplicates(ranked, parts.words);
  const listed = inOrder.slice(0, request.limit + parts.pinned.size + mostOthers);
  const texts = listed.map((candidate) => textOf(candidate, worth, request, parts));
  const { fitted, counts } = await fitTexts(texts, request.itemTokens, parts.counter);
  let tokens = 0;
  let count = 0;
  const candidates = listed.map((candidate, index): RecallCandidate => {
    const size = counts[index] ?? 0;
    const isPinned = parts.pinned.has(candidate.hit.uri);
    const verdict =
      refusal(candidate, { isPinned, becauseOf: duplicates.get(candidate.hit.uri), request }) ??
      (count >= request.limit ? { reason: 'over_limit' as const, threshold: request.limit } : undefined) ??
      (tokens + size > request.maxTokens
        ? { reason: 'over_budget' as const, threshold: request.maxTokens }
        : undefined);
    if (!verdict) {
      tokens += size;
      count += 1;
    }
    return describe(
      candidate,
      { text: fitted[index] ?? '', tokens: size },
      verdict ?? { reason: isPinned ? 'pinned' : 'packed', becauseOf: parts.successors.get(candidate.hit.uri) },
    );
  });
  return { candidates, tokens };
}

/** What answers the question; then what is pinned and does not; then the rest. */
function orderOf(ranked: readonly Scored[], minScore: number, pinned: ReadonlySet<string>): readonly Scored[] {
  const rankOf = ({ hit, score }: Scored): number => (score > 0 && score >= minScore ? 0 : pinned.has(hit.uri) ? 1 : 2);
  return ranked.toSorted((one, other) => rankOf(one) - rankOf(other));
}

function refusal(
  { hit, score }: Scored,
  of: { readonly isPinned: boolean; readonly becauseOf: string | undefined; readonly request: RecallRequest },
): Verdict | undefined {
  const { inContext, minScore } = of.request;
  const isSeen =
    hit.source === 'turn' &&
    inContext?.sessionUid === hit.sessionUid &&
    (hit.sequence ?? 0) >= (inContext?.fromSequence ?? Infinity);
  if (isSeen) return { reason: 'already_in_context' };
  if (of.isPinned) return undefined;
  if (score < minScore) return { reason: 'below_threshold', threshold: minScore };
  return of.becauseOf === undefined ? undefined : { reason: 'duplicate', becauseOf: of.becauseOf };
}

/** The abstract where it says as much of what is asked as the text; else the passage that matches. */
function textOf({ hit, text, words }: Scored, worth: QuestionWorth, request: RecallRequest, parts: PackParts): string {
  const most = request.itemTokens * charactersPerToken;
  const abstract = parts.abstracts.get(hit.uri);
  if (hit.source !== 'page') return choosePassageWithoutSecrets(text, worth, most);
  if (abstract === undefined || abstract === text) return choosePassage(text, worth, most);
  const average = Math.max(1, words.stems.length);
  const inAbstract = shareOf(parts.words.of(abstract), worth, average, parts);
  const inText = shareOf(words, worth, average, parts);
  return choosePassage(abstract !== '' && inAbstract >= inText * 0.95 ? abstract : text, worth, most);
}

/**
 * What people said holds passwords and keys; what goes into other conversations unasked does not. Whoever wants the words
 * themselves reads the turn. Whole texts are looked through while they are short: a passage may begin behind `password:`.
 */
function choosePassageWithoutSecrets(text: string, worth: QuestionWorth, most: number): string {
  if (text.length <= mostMasked) return choosePassage(maskSecrets(text).text, worth, most);
  return maskSecrets(choosePassage(text, worth, most)).text;
}

/** UTF-16 units. */
const mostMasked = 8_000;

/** Texts that have more tokens than one may take are cut until they have not. */
async function fitTexts(
  texts: readonly string[],
  most: number,
  counter: PackParts['counter'],
): Promise<{ readonly fitted: readonly string[]; readonly counts: readonly number[] }> {
  let fitted = [...texts];
  let counts = await counter.texts(fitted);
  while (counts.some((count) => count > most)) {
    fitted = fitted.map((text, index) => {
      const count = counts[index] ?? 0;
      return count > most ? shortened(text, most / count) : text;
    });
    counts = await counter.texts(fitted);
  }
  return { fitted, counts };
}

function shortened(text: string, share: number): string {
  const length = Math.floor(text.length * Math.min(share, 0.95)) - 2;
  return length <= 0 ? '' : `${text.slice(0, length).toWellFormed()} …`;
}

function describe(
  { hit, score, parts }: Scored,
  content: { readonly text: string; readonly tokens: number },
  verdict: Verdict,
): RecallCandidate {
  return {
    uri: hit.uri,
    source: hit.source,
    level: hit.level,
    kind: hit.kind,
    title: hit.title,
    ...content,
    score,
    parts,
    packed: verdict.reason === 'packed' || verdict.reason === 'pinned',
    reason: verdict.reason,
    ...(verdict.becauseOf === undefined ? {} : { because_of: verdict.becauseOf }),
    ...(verdict.threshold === undefined ? {} : { threshold: verdict.threshold }),
    at: new Date(hit.at).toISOString(),
    ...(hit.sessionUid === undefined ? {} : { session_uid: hit.sessionUid }),
    ...(hit.role === undefined ? {} : { role: hit.role }),
  };
}
