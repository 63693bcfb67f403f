import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { MemoryExpandReply, MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { countLines } from '../../../src-shared/synopsis/text-lines.ts';
import { boundary } from '../../../src-shared/synopsis/visible-text.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
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
  const lines = countLines(text);
  const within = spanOf(request.range, text, lines);
  const terms = queryTerms(request.query ?? '');
  const room = new TokenRoom(counter, request.max_tokens);
  if (terms.length > 0) {
    const found = search(text, within, terms);
    const given = place.given ?? 0;
    const passages: Passage[] = [];
    for (const span of found.slice(given, given + request.limit)) {
      if (room.isFull) break;
      const fitting = await room.take(text.slice(span.start, span.end));
      if (fitting === 0) break;
      passages.push(passageOf(text, { start: span.start, end: span.start + fitting }));
    }
    const next = given + passages.length;
    const nextCursor = next < found.length ? writeCursor(request, { given: next }) : undefined;
    return { passages, lines, tokens: room.taken, nextCursor, isWhole: false };
  }
  const start = Math.max(within.start, place.offset ?? 0);
  const fitting = start < within.end ? await room.take(text.slice(start, within.end)) : 0;
  const end = start + fitting < within.end ? atLineBreak(text, start, start + fitting) : within.end;
  const nextCursor = end < within.end ? writeCursor(request, { offset: end }) : undefined;
  const passages = fitting > 0 ? [passageOf(text, { start, end })] : [];
  return { passages, lines, tokens: room.taken, nextCursor, isWhole: start === 0 && end === text.length };
}

/** Passages as one text, each with its lines where they do not follow each other. */
export function joinPassages(passages: readonly Passage[], isRun: boolean): string {
  if (isRun) return passages.map(({ text }) => text).join('');
  return passages.map((one) => `[lines ${one.start_line}-${one.end_line}]\n${one.text}`).join('\n\n');
}

function search(text: string, within: Span, terms: readonly string[]): readonly Span[] {
  const found: Found<Span>[] = [];
  let searched = 0;
  for (let start = within.start; start < within.end;) {
    const end = atLineBreak(text, start, Math.min(within.end, boundary(text, start + passageLength)));
    const counts = countTerms(text.slice(start, end), terms);
    if (counts) found.push({ item: { start, end }, counts, length: end - start });
    searched += 1;
    start = end;
  }
  return rankFound(found, searched);
}

/** A little earlier, where a line ends there; so that pages and passages begin with a line mostly. */
function atLineBreak(text: string, start: number, end: number): number {
  if (end >= text.length) return end;
  const after = text.lastIndexOf('\n', end - 1) + 1;
  return after > start + (end - start) * (1 - breakShare) ? after : end;
}

function spanOf(range: string | undefined, text: string, lines: number): Span {
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
  const start = lineStart(text, from - 1, 0);
  return { start, end: lineStart(text, to - from + 1, start) };
}

/** Where the line begins that many lines behind a place. */
function lineStart(text: string, count: number, from: number): number {
  let at = from;
  for (let line = 0; line < count; line += 1) {
    const found = text.indexOf('\n', at);
    if (found === -1) return text.length;
    at = found + 1;
  }
  return at;
}

function passageOf(text: string, { start, end }: Span): Passage {
  const first = countBreaks(text, 0, start) + 1;
  return {
    start_line: first,
    // A break at the very end belongs to the line that it ends.
    end_line: first + countBreaks(text, start, Math.max(start, end - 1)),
    start_character: start + 1,
    end_character: end,
    text: text.slice(start, end).toWellFormed(),
  };
}

function countBreaks(text: string, start: number, end: number): number {
  let breaks = 0;
  for (let at = text.indexOf('\n', start); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) breaks += 1;
  return breaks;
}
