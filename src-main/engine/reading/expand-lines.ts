import type { Pacer } from '../compact/pacer.ts';

/** Characters that are looked through at once, a millisecond or two. */
const pieceLength = 500_000;
const lineBreak = 10;

/** Line breaks from one place to another, looking no further. */
export function countBreaks(text: string, start: number, end: number): number {
  let breaks = 0;
  const last = Math.min(end, text.length);
  for (let at = start; at < last; at += 1) if (text.charCodeAt(at) === lineBreak) breaks += 1;
  return breaks;
}

/** As `countBreaks`, with pauses. */
export async function countBreaksOf(text: string, start: number, end: number, pacer: Pacer): Promise<number> {
  let breaks = 0;
  for (let at = start; at < end; at += pieceLength) {
    breaks += countBreaks(text, at, Math.min(end, at + pieceLength));
    await pacer.pauseIfDue();
  }
  return breaks;
}

/** Lines of a text, with pauses; 0 for an empty one. */
export async function countLinesOf(text: string, pacer: Pacer): Promise<number> {
  const breaks = await countBreaksOf(text, 0, text.length, pacer);
  return text === '' || text.endsWith('\n') ? breaks : breaks + 1;
}

/** Where the line begins that many lines behind a place; with pauses. */
export async function lineStart(text: string, count: number, from: number, pacer: Pacer): Promise<number> {
  let at = from;
  for (let line = 0; line < count; line += 1) {
    const found = text.indexOf('\n', at);
    if (found === -1) return text.length;
    at = found + 1;
    if (line % 1_000 === 999) await pacer.pauseIfDue();
  }
  return at;
}

/** A little earlier, where a line ends in the last part of what lies between; so that most parts begin with a line. */
export function atLineBreak(text: string, start: number, end: number, share: number): number {
  if (end >= text.length) return end;
  // No further back: a text of one line would be read to its start again and again.
  const from = end - Math.ceil((end - start) * share);
  const found = text.slice(from, end).lastIndexOf('\n');
  return found === -1 ? end : from + found + 1;
}
