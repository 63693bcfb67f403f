export interface TextLine {
  /** Without its line end. */
  readonly text: string;
  /** Where it begins, and where the next one begins (UTF-16 code units). */
  readonly start: number;
  readonly end: number;
}

const lineFeed = 10;
const carriageReturn = 13;

/** Lines of `text` from `from` on, each with its place; `\n`, `\r\n` and a lone `\r` end one. */
export function* linesOf(text: string, from = 0): Generator<TextLine> {
  let start = from;
  while (start < text.length) {
    let at = start;
    for (; at < text.length; at += 1) {
      const code = text.charCodeAt(at);
      if (code === lineFeed || code === carriageReturn) break;
    }
    const end = at === text.length ? at : text.startsWith('\r\n', at) ? at + 2 : at + 1;
    yield { text: text.slice(start, at), start, end };
    start = end;
  }
}

/** The kind of line end that the text begins with; `\n` where it has none. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const first = text.indexOf('\n');
  return first > 0 && text[first - 1] === '\r' ? '\r\n' : '\n';
}
