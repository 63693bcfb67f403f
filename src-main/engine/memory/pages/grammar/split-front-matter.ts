import { linesOf } from './lines-of.ts';

/** Places in the text of a page (UTF-16 code units). */
export interface PageParts {
  /** The YAML between the two `---` lines; undefined where there is no front matter. */
  readonly yaml: { readonly start: number; readonly end: number } | undefined;
  /** Where the text after the front matter begins. */
  readonly body: number;
}

const byteOrderMark = '\ufeff';

/**
 * Front matter is what stands between a first line `---` and the next line `---` or `...`. Without the second one there
 * is none, and a `---` further down is a rule of the text.
 */
export function splitFrontMatter(text: string): PageParts {
  const begin = text.startsWith(byteOrderMark) ? 1 : 0;
  const none: PageParts = { yaml: undefined, body: begin };
  if (!text.startsWith('---', begin)) return none;
  let start: number | undefined;
  for (const line of linesOf(text, begin)) {
    if (start === undefined) {
      if (line.text.trimEnd() !== '---') return none;
      start = line.end;
    } else if (isClosing(line.text)) {
      return { yaml: { start, end: line.start }, body: line.end };
    }
  }
  return none;
}

function isClosing(line: string): boolean {
  if (!line.startsWith('---') && !line.startsWith('...')) return false;
  const trimmed = line.trimEnd();
  return trimmed === '---' || trimmed === '...';
}
