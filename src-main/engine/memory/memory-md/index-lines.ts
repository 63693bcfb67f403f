import type { PageHead } from '../../../../src-shared/model/memory-page.ts';
import { estimateCharacters } from '../../tokens/estimate-characters.ts';
import { clipText } from '../pages/grammar/clip-text.ts';

/** Of an abstract in a line (tokens). */
const abstractTokens = 30;

type Detail = 'abstracts' | 'titles' | 'counts';

/**
 * The lines of the index: pinned pages first, then a section for each kind. Where they take more than `maxTokens`, pages
 * that are not pinned are named without abstracts, then only counted for each folder; a line says so.
 * @param kinds names of kinds in the order of their sections
 */
export function indexLines(pages: readonly PageHead[], kinds: readonly string[], maxTokens: number): string[] {
  const sorted = [...pages].sort((a, b) => compare(a.title, b.title) || compare(a.uri, b.uri));
  let lines: string[] = [];
  for (const detail of ['abstracts', 'titles', 'counts'] as const) {
    lines = linesWith(sorted, kinds, detail, maxTokens);
    if (estimateCharacters(lines.join('\n')) <= maxTokens) break;
  }
  return lines;
}

function linesWith(pages: readonly PageHead[], kinds: readonly string[], detail: Detail, maxTokens: number): string[] {
  const pinned = pages.filter((page) => page.pinned);
  const lines = pinned.length === 0 ? [] : ['### Pinned', ...pinned.map((page) => lineOf(page, true))];
  for (const kind of kinds) {
    const members = pages.filter((page) => !page.pinned && page.kind === kind);
    if (members.length === 0) continue;
    lines.push(`### ${kind.charAt(0).toUpperCase()}${kind.slice(1)}`);
    if (detail === 'counts') lines.push(...countLines(members));
    else lines.push(...members.map((page) => lineOf(page, detail === 'abstracts')));
  }
  if (detail === 'titles') lines.push(`_Only titles, to stay within ${maxTokens} tokens; the pages say more._`);
  if (detail === 'counts') {
    lines.push(`_Only counts, to stay within ${maxTokens} tokens; search finds the single pages._`);
  }
  return lines.map(asOneLine);
}

/** Whatever titles, abstracts and folders are called: no line ends ours, and none has our marks in it. */
function asOneLine(line: string): string {
  return line.replace(/\s+/g, ' ').replaceAll('<!--', '<!\\--').toWellFormed();
}

function lineOf(page: PageHead, withAbstract: boolean): string {
  const title = page.title
    .replace(/\s+/g, ' ')
    .slice(0, 200)
    .replace(/[[\]\\]/g, '\\$&');
  const link = `- [${title}](${page.path.replace(/[\s()<>%]/g, (character) => encodeURIComponent(character).replace('(', '%28').replace(')', '%29'))})`;
  const abstract = withAbstract ? clipText(page.abstract.replace(/\s+/g, ' '), abstractTokens) : '';
  return abstract === '' ? link : `${link} — ${abstract}`;
}

function countLines(pages: readonly PageHead[]): string[] {
  const counts = new Map<string, number>();
  for (const { path } of pages) {
    const folder = path.slice(0, path.lastIndexOf('/'));
    counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => compare(a, b)).map(([folder, count]) => `- ${folder}/: ${count} pages`);
}

/** By code units: the same everywhere, whatever the machine's language. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
