import type { TimelineEntry } from '../../../../../src-shared/model/memory-page.ts';
import type { PageFields } from '../../../ports/memory-pages.ts';
import { FrontMatter } from './front-matter.ts';
import { lineEndOf } from './lines-of.ts';
import type { ParsedPage } from './read-page.ts';
import { splitFrontMatter } from './split-front-matter.ts';
import { escapeTimelineMarks, splitTimeline } from './split-timeline.ts';
import { timelineKey, writeTimelineEntry } from './timeline-entries.ts';

/** Names of the fields in the front matter, in the order in which a new page has them. */
const keys = {
  title: 'title',
  kind: 'kind',
  aliases: 'aliases',
  tags: 'tags',
  scope: 'scope',
  visibility: 'visibility',
  status: 'status',
  supersededBy: 'superseded_by',
  pinned: 'pinned',
  abstract: 'abstract',
  overview: 'overview',
  sources: 'sources',
  links: 'links',
} as const;

/** What is left out of front matter, because its absence says the same. */
const defaults: Readonly<Record<string, unknown>> = { status: 'active', pinned: false };

/**
 * The text of a page with some fields changed. Everything else keeps its bytes: byte order mark, line ends, comments,
 * order, unknown keys. The same text comes back where nothing changes.
 */
export function changeFields(page: Pick<ParsedPage, 'text' | 'frontMatter'>, fields: PageFields): string {
  const changes = new Map<string, unknown>();
  for (const [name, key] of Object.entries(keys)) {
    const value = fields[name as keyof typeof keys];
    if (value === undefined) continue;
    const isEmpty = (Array.isArray(value) && value.length === 0) || value === '' || value === defaults[key];
    changes.set(key, isEmpty ? undefined : value);
  }
  for (const [key, value] of Object.entries(fields.fields ?? {})) {
    if (!reserved.has(key)) changes.set(key, value === null ? undefined : value);
  }
  const text = withFrontMatter(page, changes);
  return fields.truth === undefined ? text : withTruth(text, fields.truth);
}

const reserved: ReadonlySet<string> = new Set([...Object.values(keys), 'created', 'updated']);

/** Front matter keys of any name; undefined takes one out. */
export function withFrontMatter(
  { text, frontMatter }: Pick<ParsedPage, 'text' | 'frontMatter'>,
  changes: ReadonlyMap<string, unknown>,
): string {
  if (frontMatter) {
    const { yaml } = splitFrontMatter(text);
    if (!yaml) return text;
    return text.slice(0, yaml.start) + frontMatter.with(changes) + text.slice(yaml.end);
  }
  const empty = FrontMatter.read('');
  if (empty.status !== 'read' || ![...changes.values()].some((value) => value !== undefined)) return text;
  const lineEnd = lineEndOf(text);
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const body = text.slice(mark.length);
  const yaml = empty.frontMatter.with(changes).replaceAll('\n', lineEnd);
  const gap = body === '' || /^\s/.test(body) ? '' : lineEnd;
  return `${mark}---${lineEnd}${yaml}---${lineEnd}${gap}${body}`;
}

function withTruth(text: string, truth: string): string {
  const { yaml, body } = splitFrontMatter(text);
  const begin = yaml && FrontMatter.read(text.slice(yaml.start, yaml.end)).status === 'no-fields' ? 0 : body;
  const place = splitTimeline(text, begin);
  const old = text.slice(begin, place?.truthEnd ?? text.length);
  if (old.trim() === truth.trim()) return text;
  const lineEnd = lineEndOf(text);
  const lines = escapeTimelineMarks(truth.trim()).replaceAll(/\r\n|\r|\n/g, lineEnd);
  const before = /^\s*/.exec(old)?.[0] ?? '';
  const after = place ? lineEnd + lineEnd : lineEnd;
  const gap = before === '' && yaml ? lineEnd : before;
  const content = lines === '' ? gap : gap + lines + after;
  return text.slice(0, begin) + content + text.slice(place?.truthEnd ?? text.length);
}

/**
 * Adds entries below those that are there, in the order given; none that is there already. Nothing that stands in the
 * file is changed.
 */
export function addToTimeline(
  text: string,
  present: readonly TimelineEntry[],
  entries: readonly TimelineEntry[],
): string {
  const known = new Set(present.map(timelineKey));
  const fresh = entries.filter((entry) => {
    const key = timelineKey(entry);
    return entry.text.trim() !== '' && !known.has(key) && known.add(key);
  });
  if (fresh.length === 0) return text;
  const lineEnd = lineEndOf(text);
  const lines = fresh.map((entry) => writeTimelineEntry(entry, lineEnd)).join('');
  const hasTimeline = splitTimeline(text, splitFrontMatter(text).body) !== undefined;
  const whole = text === '' || /[\r\n]$/.test(text) ? text : text + lineEnd;
  if (hasTimeline) return whole + (present.length === 0 && !/(\r?\n){2}$/.test(whole) ? lineEnd : '') + lines;
  const gap = whole === '' || /(\r?\n){2}$/.test(whole) ? '' : lineEnd;
  return `${whole}${gap}<!-- timeline -->${lineEnd}${lineEnd}## Timeline${lineEnd}${lineEnd}${lines}`;
}
