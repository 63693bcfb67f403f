import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { MemoryExpandReply, MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { boundary } from '../../../src-shared/synopsis/visible-text.ts';
import { Pacer } from '../compact/pacer.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { atLineBreak, countBreaks, countBreaksOf, countLinesOf, lineStart } from './expand-lines.ts';
import { readCursor, TokenRoom, writeCursor } from './expand-page.ts';
import { countTerms, queryTerms, rankFound, type Found } from './expand-terms.ts';

/** Characters of a passage: some lines around what was found. */
const passageLength = 1_200;
/** Share of a page's end in which a line break is looked for. */
const breakShare = 0.25;

export type Passage = MemoryExpandReply['passages'][number];

export interface ExpandedText {
  readonly passages: readonly Passage[];
  readonly lines: number;
  readonly tokens: number;
  readonly nextCursor: string | undefined;
  /** All of the text is in the passages, in one piece. */
  readonly isWhole: boolean;
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** A span, and the line breaks before it. */
interface PlacedSpan extends Span {
  readonly breaks: number;
}

/**
 * One text by page, by range, or by the passages that a query finds.
 * @throws EngineError `invalid_request` when the range is not in the text
 */
export async function expandText(
  request: MemoryExpandRequest,
  text: string,
  counter: TokenCounter,
): Promise<ExpandedText> {
  const place = readCursor(request, request.cursor);
  const pacer = new Pacer();
  const lines = await countLinesOf(text, pacer);
  const within = await spanOf(request.range, text, lines, pacer);
  const terms = queryTerms(request.query ?? '');
  const room = new TokenRoom(counter, request.max_tokens);
  if (terms.length > 0) {
    const found = await search(text, within, terms, pacer);
    const given = place.given ?? 0;
    const passages: Passage[] = [];
    for (const span of found.slice(given, given + request.limit)) {
      if (room.isFull) break;
      const fitting = await room.take(text.slice(span.start, span.end));
      if (fitting === 0) break;
      passages.push(passageOf(text, { ...span, end: span.start + fitting }));
    }
    const next = given + passages.length;
    const nextCursor = next < found.length ? writeCursor(request, { given: next }) : undefined;
    return { passages, lines, tokens: room.taken, nextCursor, isWhole: false };
  }
  const start = Math.max(within.start, place.offset ?? 0);
  const fitting = start < within.end ? await room.take(text.slice(start, within.end)) : 0;
  const end = start + fitting < within.end ? atLineBreak(text, start, start + fitting, breakShare) : within.end;
  const nextCursor = end < within.end ? writeCursor(request, { offset: end }) : undefined;
  const breaks = await countBreaksOf(text, 0, start, pacer);
  const passages = fitting > 0 ? [passageOf(text, { start, end, breaks })] : [];
  return { passages, lines, tokens: room.taken, nextCursor, isWhole: start === 0 && end === text.length };
}

/** Passages as one text, each with its lines where they do not follow each other. */
export function joinPassages(passages: readonly Passage[], isRun: boolean): string {
  if (isRun) return passages.map(({ text }) => text).join('');
  return passages.map((one) => `[lines ${one.start_line}-${one.end_line}]\n${one.text}`).join('\n\n');
}

async function search(
  text: string,
  within: Span,
  terms: readonly string[],
  pacer: Pacer,
): Promise<readonly PlacedSpan[]> {
  const found: Found<PlacedSpan>[] = [];
  let searched = 0;
  let breaks = await countBreaksOf(text, 0, within.start, pacer);
  for (let start = within.start; start < within.end;) {
    const end = atLineBreak(text, start, Math.min(within.end, boundary(text, start + passageLength)), breakShare);
    const counts = countTerms(text.slice(start, end), terms);
    if (counts) found.push({ item: { start, end, breaks }, counts, length: end - start });
    searched += 1;
    breaks += countBreaks(text, start, end);
    start = end;
    await pacer.pauseIfDue();
  }
  return rankFound(found, searched);
}

async function spanOf(range: string | undefined, text: string, lines: number, pacer: Pacer): Promise<Span> {
  const [, unit, first, last] = /^(lines|characters) (\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (unit === undefined) return { start: 0, end: text.length };
  const from = Number(first);
  const to = Number(last);
  const most = unit === 'lines' ? lines : text.length;
  if (from > to || from > most) {
    throw new EngineError(
      'invalid_request',
      `Expected a range within the ${most} ${unit} of this text, its start before its end; got ${JSON.stringify(range)}.`,
    );
  }
  if (unit === 'characters') {
    return { start: boundary(text, from - 1), end: boundary(text, Math.min(to, text.length), 'after') };
  }
  const start = await lineStart(text, from - 1, 0, pacer);
  return { start, end: await lineStart(text, to - from + 1, start, pacer) };
}

function passageOf(text: string, { start, end, breaks }: PlacedSpan): Passage {
  return {
    start_line: breaks + 1,
    // A break at the very end belongs to the line that it ends.
    end_line: breaks + 1 + countBreaks(text, start, Math.max(start, end - 1)),
    start_character: start + 1,
    end_character: end,
    text: text.slice(start, end).toWellFormed(),
  };
}
