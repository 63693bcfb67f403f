/** A line of Markdown with as much of its form as helps reading; its text is shown as it is, never as HTML. */
export interface TextLine {
  readonly kind: 'heading' | 'bullet' | 'code' | 'blank' | 'text';
  readonly pieces: readonly TextPiece[];
}

/** Text, or the name of another page in `[[…]]` or `[…](…)`. */
export type TextPiece =
  { readonly text: string } | { readonly text: string; readonly target: string; readonly form: 'wiki' | 'markdown' };

/** Lines beyond this are shown without their form: a page of a megabyte is a file, not a text. */
const mostLines = 5_000;

export function pageText(text: string): readonly TextLine[] {
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let fence = '';
  return lines.map((line, index): TextLine => {
    if (index >= mostLines) return plain('text', line);
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1]?.slice(0, 3) ?? '';
    if (fence !== '' || mark !== '') {
      if (fence === '') fence = mark;
      else if (mark === fence) fence = '';
      return plain('code', line);
    }
    if (line.trim() === '') return plain('blank', '');
    if (/^#{1,6} /.test(line)) return { kind: 'heading', pieces: pieces(line.replace(/^#{1,6} /, '')) };
    if (/^\s*[-*+] /.test(line)) return { kind: 'bullet', pieces: pieces(line) };
    return { kind: 'text', pieces: pieces(line) };
  });
}

function plain(kind: TextLine['kind'], text: string): TextLine {
  return { kind, pieces: text === '' ? [] : [{ text }] };
}

/** Bounded on both sides, so that a long line takes no longer than its length says. */
const links = /\[\[([^[\]|\n]{1,200})(?:\|([^[\]\n]{1,200}))?\]\]|\[([^[\]\n]{1,200})\]\(([^()\s]{1,500})\)/g;

function pieces(line: string): readonly TextPiece[] {
  if (line.length > 20_000) return [{ text: line }];
  const found: TextPiece[] = [];
  let end = 0;
  for (const match of line.matchAll(links)) {
    const [whole, wiki, shown, label, target] = match;
    if (match.index > end) found.push({ text: line.slice(end, match.index) });
    if (wiki !== undefined) found.push({ text: shown ?? wiki, target: wiki.trim(), form: 'wiki' });
    else found.push({ text: label ?? whole, target: target ?? '', form: 'markdown' });
    end = match.index + whole.length;
  }
  if (end < line.length) found.push({ text: line.slice(end) });
  return found;
}
