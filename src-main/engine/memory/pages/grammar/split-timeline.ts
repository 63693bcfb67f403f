import { linesOf, type TextLine } from './lines-of.ts';

/** Where the timeline of a body is (UTF-16 code units). */
export interface TimelinePlace {
  /** End of the compiled truth: where the line that parts them begins. */
  readonly truthEnd: number;
  /** Where the text after that line begins. */
  readonly timeline: number;
}

const headings: ReadonlySet<string> = new Set(['## Timeline', '## History', '## 时间线']);

/**
 * What parts the compiled truth from the timeline, by rank: a line `<!-- timeline -->`, else `--- timeline ---`, else a
 * bare `---` whose next line that is not empty is exactly `## Timeline`, `## History` or `## 时间线`. A rule before any other
 * heading, and whatever stands in a fenced code block, parts nothing.
 */
export function splitTimeline(text: string, from: number): TimelinePlace | undefined {
  let best: { readonly rank: number; readonly line: TextLine } | undefined;
  for (const parting of partings(text, from)) {
    if (best === undefined || parting.rank < best.rank) best = parting;
    if (best.rank === 0) break;
  }
  return best && { truthEnd: best.line.start, timeline: best.line.end };
}

/** All lines that could part, with their rank. */
function* partings(text: string, from: number): Generator<{ readonly rank: number; readonly line: TextLine }> {
  let rule: TextLine | undefined;
  let fence: string | undefined;
  for (const line of linesOf(text, from)) {
    const trimmed = line.text.trim();
    const opens = fenceOf(trimmed);
    if (fence !== undefined) {
      if (opens?.startsWith(fence) === true && trimmed === opens) fence = undefined;
      continue;
    }
    if (opens !== undefined) fence = opens;
    if (trimmed === '<!-- timeline -->') yield { rank: 0, line };
    if (trimmed === '--- timeline ---') yield { rank: 1, line };
    if (rule !== undefined && headings.has(line.text.trimEnd())) yield { rank: 2, line: rule };
    if (trimmed !== '') rule = line.text.trimEnd() === '---' ? line : undefined;
  }
}

/** The backticks or tildes that a line begins with, three at least. */
function fenceOf(trimmed: string): string | undefined {
  const mark = trimmed[0];
  if (mark !== '`' && mark !== '~') return undefined;
  let length = 1;
  while (trimmed[length] === mark) length += 1;
  return length >= 3 ? trimmed.slice(0, length) : undefined;
}

/**
 * Text for above the line: a line in it that would part truth and timeline is written so that it does not
 * (`\<!-- timeline -->`).
 */
export function escapeTimelineMarks(truth: string): string {
  let text = '';
  let done = 0;
  for (const { line } of partings(truth, 0)) {
    const mark = line.start + line.text.length - line.text.trimStart().length;
    text += `${truth.slice(done, mark)}\\`;
    done = mark;
  }
  return text + truth.slice(done);
}
