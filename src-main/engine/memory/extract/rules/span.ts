/** A piece of a sentence, with its quoted parts blanked out beside it; both are of one length. */
export interface Span {
  readonly text: string;
  readonly masked: string;
}

export function sliceSpan({ text, masked }: Span, start: number, end?: number): Span {
  return { text: text.slice(start, end), masked: masked.slice(start, end) };
}

/** Without blanks and sentence marks at its ends. */
export function trimSpan(span: Span): Span {
  const start = /^[\s,，;；:：、.…—–-]*/.exec(span.masked)?.[0].length ?? 0;
  const end = span.masked.length - endMarks(span.masked);
  return sliceSpan(span, start, Math.max(start, end));
}

/** Counted from behind: an expression for it would begin anew at each mark. */
function endMarks(text: string): number {
  let count = 0;
  while (count < text.length && /[\s.!。！,，;；:：…~～]/.test(text.charAt(text.length - 1 - count))) count += 1;
  return count;
}

/** What a named group stands for in the text itself, quoted parts included. */
export function groupText(span: Span, match: RegExpExecArray, name: string): string | undefined {
  const range = match.indices?.groups?.[name];
  return range && span.text.slice(range[0], range[1]).trim();
}

/** The group as a span. */
export function groupSpan(span: Span, match: RegExpExecArray, name: string): Span | undefined {
  const range = match.indices?.groups?.[name];
  return range && sliceSpan(span, range[0], range[1]);
}
