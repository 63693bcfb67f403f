import type { TimelineEntry } from '../../../../../src-shared/model/memory-page.ts';
import { linesOf } from './lines-of.ts';

const dashes = '|\\-–—｜';
const isoBullet = new RegExp(
  `^(?:-[ \\t]*|[*+][ \\t]+)?\\*\\*(\\d{4})-(\\d{2})-(\\d{2})\\*\\*[ \\t]*([${dashes}]+)[ \\t]*(?=\\S)`,
);
const chineseBullet = new RegExp(
  `^(?:-[ \\t]*|[*+][ \\t]+)?(?:\\*\\*)?(\\d{4})年(\\d{1,2})月(\\d{1,2})日(?:\\*\\*)?[ \\t]*([${dashes}]+)[ \\t]*(?=\\S)`,
);

interface OpenEntry {
  readonly date: string;
  readonly isPipe: boolean;
  readonly lines: string[];
}

/**
 * Dated entries of a timeline, in the order of the file: `- **2026-05-02** | text` or `- 2026年5月2日 | text`, with the
 * indented lines below it. `[Source: …]` names where it comes from; in an entry after a pipe, so does what stands before
 * an em dash with spaces around it that lies outside brackets. Dates that no calendar has are left out.
 */
export function readTimeline(text: string): TimelineEntry[] {
  const entries: TimelineEntry[] = [];
  let open: OpenEntry | undefined;
  const close = (): void => {
    if (open) entries.push(finish(open));
    open = undefined;
  };
  for (const { text: line } of linesOf(text)) {
    const begun = beginEntry(line);
    if (begun) {
      close();
      open = begun === 'no-date' ? undefined : begun;
    } else if (open && /^[ \t]+\S/.test(line)) {
      open.lines.push(line.trim());
    } else {
      close();
    }
  }
  close();
  return entries;
}

function beginEntry(line: string): OpenEntry | 'no-date' | undefined {
  const trimmed = line.trimStart();
  const found = isoBullet.exec(trimmed) ?? chineseBullet.exec(trimmed);
  if (!found) return undefined;
  const [whole, year = '', month = '', day = '', mark = ''] = found;
  const date = calendarDate(year, month, day);
  if (date === undefined) return 'no-date';
  const isPipe = /[|｜]/.test(mark);
  return { date, isPipe, lines: [trimmed.slice(whole.length).trimEnd()] };
}

function calendarDate(year: string, month: string, day: string): string | undefined {
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = Date.parse(`${date}T00:00:00Z`);
  return Number.isFinite(time) && new Date(time).toISOString().startsWith(date) ? date : undefined;
}

function finish({ date, isPipe, lines }: OpenEntry): TimelineEntry {
  const whole = lines.join('\n');
  const cited = cutCitation(whole);
  if (cited) return { date, text: cited.text, source: cited.source };
  const dash = isPipe ? sourceDash(whole) : -1;
  if (dash < 0) return { date, text: whole };
  return { date, text: whole.slice(dash + 3).trim(), source: whole.slice(0, dash).trim() };
}

const citationStart = '[Source:';

/** Takes the last `[Source: …]` out, without the date that may stand at its end. */
function cutCitation(text: string): { readonly text: string; readonly source: string } | undefined {
  const start = text.lastIndexOf(citationStart);
  const end = start < 0 ? -1 : text.indexOf(']', start);
  if (end < 0) return undefined;
  const inside = text.slice(start + citationStart.length, end).trim();
  const source = /,[ \t]*\d{4}-\d{2}-\d{2}$/.test(inside) ? inside.slice(0, inside.lastIndexOf(',')).trim() : inside;
  const rest = `${text.slice(0, start).trimEnd()}${text.slice(end + 1)}`.trim();
  return source === '' || rest === '' ? undefined : { text: rest, source };
}

/** Where the first ` — ` outside `[]` and `()` is; -1 where there is none. */
function sourceDash(text: string): number {
  const line = text.includes('\n') ? text.indexOf('\n') : text.length;
  let depth = 0;
  for (let at = 1; at < line - 1; at += 1) {
    const character = text[at - 1];
    if (character === '[' || character === '(') depth += 1;
    else if ((character === ']' || character === ')') && depth > 0) depth -= 1;
    if (depth === 0 && text[at] === '—' && text[at - 1] === ' ' && text[at + 1] === ' ') return at - 1;
  }
  return -1;
}

/** One entry as it is written: readers get the same date, text and source back. */
export function writeTimelineEntry(entry: TimelineEntry, lineEnd: string): string {
  const lines = entry.text
    .trim()
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  const source = entry.source?.replace(/[\r\n\]]+/g, ' ').trim();
  const cited = source === undefined || source === '' ? lines : [...lines, `[Source: ${source}]`];
  // After a pipe, text before a dash would be read as the source.
  const mark = source === undefined && sourceDash(entry.text) >= 0 ? '-' : '|';
  return `- **${entry.date}** ${mark} ${cited.join(`${lineEnd}  `)}${lineEnd}`;
}

/** Equal for entries that say the same on the same day; white space does not count. */
export function timelineKey(entry: TimelineEntry): string {
  return `${entry.date} ${entry.text.normalize('NFC').replace(/\s+/g, ' ').trim()}`;
}
