import { lineEndOf } from '../pages/grammar/lines-of.ts';

const begin = '<!-- strata:index:begin -->';
const end = '<!-- strata:index:end -->';

export type IndexBlock =
  | { readonly status: 'written'; readonly text: string }
  /** One mark without the other, or several: whose lines stand between them nobody knows. */
  | { readonly status: 'unclear' };

/**
 * The text of MEMORY.md with our lines between our marks. Everything outside them keeps its bytes. Without lines and
 * without marks nothing is added.
 */
export function writeIndexBlock(text: string, lines: readonly string[]): IndexBlock {
  const lineEnd = lineEndOf(text);
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  const block = [begin, ...lines, end].join(lineEnd);
  if (from < 0 && to < 0) {
    if (lines.length === 0) return { status: 'written', text };
    const gap = text === '' || /(\r?\n){2}$/.test(text) ? '' : text.endsWith('\n') ? lineEnd : lineEnd + lineEnd;
    return { status: 'written', text: `${text}${gap}${block}${lineEnd}` };
  }
  const isClear = from >= 0 && to > from && text.indexOf(begin, from + 1) < 0 && text.indexOf(end, to + 1) < 0;
  if (!isClear) return { status: 'unclear' };
  return { status: 'written', text: text.slice(0, from) + block + text.slice(to + end.length) };
}

/** Our lines, and the text outside them; for whoever sends the two separately. */
export function splitIndexBlock(text: string): { readonly lines: readonly string[]; readonly rest: string } {
  const from = text.indexOf(begin);
  const to = from < 0 ? -1 : text.indexOf(end, from);
  if (to < 0) return { lines: [], rest: text };
  const lines = text.slice(from + begin.length, to).split(/\r?\n/);
  return { lines: lines.filter((line) => line.trim() !== ''), rest: text.slice(0, from) + text.slice(to + end.length) };
}
