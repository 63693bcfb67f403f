/**
 * The start of a text as it may be shown: at most `max` UTF-16 units, no half of a surrogate pair, no control characters
 * but line breaks and tabs, no terminal colours. Cost follows `max`, not the text.
 */
export function visibleStart(text: string, max: number): string {
  return visible(text.slice(0, boundary(text, max)));
}

/** The end of a text, likewise. */
export function visibleEnd(text: string, max: number): string {
  return visible(text.slice(boundary(text, Math.max(0, text.length - max), 'after')));
}

/** On one line, cut with an ellipsis where there is more. */
export function oneLine(text: string, max: number): string {
  const line = visibleStart(text, max + 1)
    .replace(/\s+/gu, ' ')
    .trim();
  if (text.length <= max) return line;
  return `${line.slice(0, boundary(line, Math.max(0, max - 1)))}…`;
}

/** The index, or the one beside it where it would tear a surrogate pair apart. */
export function boundary(text: string, index: number, side: 'before' | 'after' = 'before'): number {
  if (index <= 0 || index >= text.length) return Math.max(0, Math.min(index, text.length));
  const isTorn = isHigh(text.charCodeAt(index - 1)) && isLow(text.charCodeAt(index));
  if (!isTorn) return index;
  return side === 'before' ? index - 1 : index + 1;
}

function visible(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/\u001b\[[0-9;?]{0,20}[A-Za-z]/g, '')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
    .toWellFormed();
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
