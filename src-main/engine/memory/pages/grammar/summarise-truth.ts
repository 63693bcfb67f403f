import type { TimelineEntry } from '../../../../../src-shared/model/memory-page.ts';
import { clipText } from './clip-text.ts';
import { linesOf } from './lines-of.ts';
import { plainMarkdownLine } from './plain-markdown.ts';

/**
 * How the abstract of a page is made where its front matter has none: its first paragraph; its statements one after the
 * other; or its newest entry of the timeline before them.
 */
export type AbstractRule = 'first_paragraph' | 'statements' | 'newest_entry';

const abstractTokens = 100;
const overviewTokens = 500;
/** Text further down is in no summary (characters). */
const longestRead = 100_000;

export interface PageText {
  readonly truth: string;
  readonly timeline: readonly TimelineEntry[];
}

/** About 100 tokens, the same for the same text. */
export function makeAbstract(page: PageText, rule: AbstractRule): string {
  const prose: Paragraph[] = [];
  for (const paragraph of paragraphsOf(page.truth)) {
    if (paragraph.isHeading) continue;
    prose.push(paragraph);
    // The others need no reading.
    if (rule !== 'statements') break;
  }
  const newest = newestEntry(page.timeline);
  const first = prose[0]?.lines.join(' ');
  if (rule === 'newest_entry' || first === undefined) {
    const parts = newest === undefined ? [first] : [`${newest.date}: ${oneLine(newest.text)}`, first];
    return clipText(parts.filter((part) => part !== undefined).join(' — '), abstractTokens);
  }
  if (rule === 'first_paragraph') return clipText(first, abstractTokens);
  return clipText(prose.flatMap((paragraph) => paragraph.lines).join('; '), abstractTokens);
}

/** About 500 tokens: the headings with what stands below them, then the newest entries of the timeline. */
export function makeOverview(page: PageText): string {
  const truth = clipText([...paragraphsOf(page.truth)].map(paragraphText).join('\n'), overviewTokens);
  const entries = [...page.timeline]
    .sort((a, b) => (a.date < b.date ? 1 : a.date > b.date ? -1 : 0))
    .slice(0, 5)
    .map((entry) => `${entry.date}: ${clipText(oneLine(entry.text), 40)}`);
  return clipText([truth, ...entries].filter((part) => part !== '').join('\n'), overviewTokens + 100);
}

interface Paragraph {
  readonly isHeading: boolean;
  readonly lines: string[];
}

/** Each when it is complete. */
function* paragraphsOf(truth: string): Generator<Paragraph> {
  let open: Paragraph | undefined;
  let isCode = false;
  for (const { text, start } of linesOf(truth)) {
    if (start > longestRead) break;
    const trimmed = text.slice(0, 8).trim();
    if (/^(```|~~~)/.test(trimmed)) isCode = !isCode;
    const line = isCode || /^(```|~~~|---|\*\*\*|<!--)/.test(trimmed) ? '' : plainMarkdownLine(text);
    const isHeading = /^#{1,6}[ \t]/.test(text);
    if (open && (line === '' || isHeading)) {
      yield open;
      open = undefined;
    }
    if (line === '') continue;
    if (isHeading) yield { isHeading, lines: [line] };
    else if (open) open.lines.push(line);
    else open = { isHeading, lines: [line] };
  }
  if (open) yield open;
}

function paragraphText({ isHeading, lines }: Paragraph): string {
  return isHeading ? `${lines.join(' ')}:` : lines.join('\n');
}

function newestEntry(timeline: readonly TimelineEntry[]): TimelineEntry | undefined {
  let newest: TimelineEntry | undefined;
  for (const entry of timeline) if (newest === undefined || entry.date >= newest.date) newest = entry;
  return newest;
}

function oneLine(text: string): string {
  return text.split('\n').map(plainMarkdownLine).join(' ');
}
