import type { TokenCounter } from '../tokens/token-counter.ts';
import { containsWhole } from './contains-whole.ts';
import { findIdentifiers } from './find-identifiers.ts';
import { Pacer } from './pacer.ts';
import { mentionedIdentifiers, rankIdentifiers, type MentionedIdentifier } from './rank-identifiers.ts';
import { readFocus } from './read-focus.ts';
import { summarySource } from './summary-source.ts';
import type { SummaryRequest } from './summariser.ts';

/** Share of the overview's tokens that identifiers take besides, and where the user asked to keep some. */
const listShare = 0.6;
const wantedListShare = 1.2;

/** Tokens per character of the source that the list may take in any case, and its share of the overview's at most. */
const sourceShare = 0.03;
const longestShare = 2.4;

/** Identifiers that are counted and considered for the list at most; the rest rank lower than all of them. */
const considered = 600;

export interface ListedIdentifiers {
  /** The lines of the list: identifiers that the prose does not mention. */
  readonly lines: readonly string[];
  /** Of these the ones that the writer had not listed. */
  readonly repaired: readonly string[];
  /** Of the source, in the order of their first mention. */
  readonly kept: readonly string[];
  readonly lost: readonly string[];
}

/**
 * Accounts for every identifier of the source that the policy asks for. What the prose does not say goes to the list,
 * the writer's own choice first, then by rank, as far as the room goes; what the writer listed and no source has is
 * dropped.
 */
export async function listIdentifiers(
  prose: string,
  listedByWriter: readonly string[],
  request: SummaryRequest,
  counter: TokenCounter,
): Promise<ListedIdentifiers> {
  const pacer = new Pacer();
  const mentioned = await mentionedIdentifiers(summarySource(request), request.policy);
  await pacer.pauseIfDue();
  if (mentioned.length === 0) return { lines: [], repaired: [], kept: [], lost: [] };
  const written = listedByWriter.join('\n');
  const isWritten = ({ text }: MentionedIdentifier): boolean => written !== '' && containsWhole(written, text);
  const { kinds } = readFocus(request.focus);
  const ranked = rankIdentifiers(mentioned, kinds).slice(0, considered);
  const missing = ranked.filter(({ text }) => !containsWhole(prose, text));
  const ordered = [...missing.filter(isWritten), ...missing.filter((one) => !isWritten(one))];
  await pacer.pauseIfDue();
  const costs = await counter.texts(ordered.map(({ text }) => `${text}\n`));
  let left = await listRoom(prose, request, counter);
  const chosen = ordered.filter((_, index) => {
    const cost = costs[index] ?? Infinity;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
  const lines = chosen.map(({ text }) => text);
  await pacer.pauseIfDue();
  const isKept = await keptIn(`${prose}\n${lines.join('\n')}`, mentioned, request);
  return {
    lines,
    repaired: chosen.filter((one) => !isWritten(one)).map(({ text }) => text),
    kept: mentioned.filter((_, index) => isKept[index]).map(({ text }) => text),
    lost: mentioned.filter((_, index) => !isKept[index]).map(({ text }) => text),
  };
}

/** Beyond this a source is so much larger than its summary that nobody needs to count it (characters). */
const smallSource = 20_000;
/** Share of a small source's tokens that its summary may take, the list included. */
const wholeShare = 0.9;

/** A range full of paths deserves more room than one of talk, as long as the whole stays a summary (tokens). */
async function listRoom(prose: string, request: SummaryRequest, counter: TokenCounter): Promise<number> {
  const isWanted = readFocus(request.focus).kinds.size > 0;
  const share = isWanted ? wantedListShare : listShare;
  const texts = summarySource(request).map((turn) => turn.text);
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  const room = Math.floor(
    Math.max(request.overviewTokens * share, Math.min(request.overviewTokens * longestShare, characters * sourceShare)),
  );
  if (characters > smallSource) return room;
  const source = (await counter.texts(texts)).reduce((sum, tokens) => sum + tokens, 0);
  return Math.min(room, Math.floor(source * wholeShare) - (await counter.text(prose)) - headingTokens);
}

const headingTokens = 6;

/** Whether each of them stands in the text, word for word. */
async function keptIn(
  text: string,
  mentioned: readonly MentionedIdentifier[],
  { policy }: SummaryRequest,
): Promise<readonly boolean[]> {
  const pacer = new Pacer();
  const found = new Set(findIdentifiers(text, policy).map((identifier) => identifier.text));
  const kept: boolean[] = [];
  for (const identifier of mentioned) {
    kept.push(found.has(identifier.text) || containsWhole(text, identifier.text));
    if (pacer.isDue()) await pacer.pause();
  }
  return kept;
}
