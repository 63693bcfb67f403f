import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import type { SavePage } from '../../ports/memory-pages.ts';
import { addToTimeline, changeFields, withFrontMatter } from './grammar/change-page.ts';
import { largestPage, readPage, type ParsedPage, type PageProblem } from './grammar/read-page.ts';
import { timelineKey } from './grammar/timeline-entries.ts';
import { insideOf } from './describe-page.ts';
import { invalidPage } from './page-errors.ts';

const anyRule = (): 'first_paragraph' => 'first_paragraph';

/**
 * The bytes that a page has after a save; the same as before where the save says nothing new.
 * @param current the file as it stands; undefined for a new one
 * @param now milliseconds since the Unix epoch
 * @throws EngineError `invalid_page`
 */
export function composePage(
  command: SavePage,
  current: ParsedPage | undefined,
  kinds: MemoryKinds,
  now: number,
): Uint8Array {
  const { uri, change, author } = command;
  if (current?.problem && ('fields' in change || author !== 'user')) throw invalidPage(uri, current.problem);
  const before = current ?? emptyPage();
  const changed =
    'content' in change ? change.content.toWellFormed() : withFields(command, change.fields, current, kinds, now);
  const parsed = changed === before.text ? before : parseText(changed);
  if (parsed.problem) throw invalidPage(uri, parsed.problem);
  const text = addToTimeline(changed, parsed.timeline, command.addToTimeline ?? []);
  if ('content' in change && author !== 'user' && author !== 'import') checkTimeline(uri, before, text);
  const bytes = Buffer.from(text === before.text || 'content' in change ? text : stamped(text, current, now));
  if (bytes.length > largestPage) throw invalidPage(uri, tooLong(bytes.length));
  return bytes;
}

function withFields(
  { uri }: SavePage,
  fields: Extract<SavePage['change'], { readonly fields: unknown }>['fields'],
  current: ParsedPage | undefined,
  kinds: MemoryKinds,
  now: number,
): string {
  if (current) return changeFields(current, fields);
  const inside = insideOf(uri);
  const title = fields.title ?? inside.slice(inside.lastIndexOf('/') + 1);
  const kind = fields.kind ?? kinds.ofPath(inside)?.name;
  const { kind: _, title: __, ...rest } = fields;
  const first = { title, ...(kind === undefined ? {} : { kind }) };
  const text = changeFields(emptyPage(), { ...first, ...rest, truth: '' });
  const dated = withFrontMatter(parseText(text), new Map([['created', new Date(now).toISOString()]]));
  return fields.truth === undefined ? dated : changeFields(parseText(dated), { truth: fields.truth });
}

/** A machine's change is dated in the front matter, where there is one. */
function stamped(text: string, current: ParsedPage | undefined, now: number): string {
  const parsed = parseText(text);
  if (!current || !parsed.frontMatter) return text;
  return withFrontMatter(parsed, new Map([['updated', new Date(now).toISOString()]]));
}

/** What stands below the line stays: whoever is no person may only add to it. */
function checkTimeline(uri: string, before: ParsedPage, text: string): void {
  if (before.timeline.length === 0) return;
  const kept = new Set(parseText(text).timeline.map(timelineKey));
  const lost = before.timeline.find((entry) => !kept.has(timelineKey(entry)));
  if (!lost) return;
  throw invalidPage(uri, {
    code: 'timeline_shortened',
    message: `the timeline is only added to, and the entry of ${lost.date} is missing in the new content. Write corrections as new entries.`,
  });
}

function parseText(text: string): ParsedPage {
  return readPage(Buffer.from(text), anyRule);
}

function emptyPage(): ParsedPage {
  return parseText('');
}

function tooLong(size: number): PageProblem {
  return {
    code: 'too_large',
    message: `It would have ${size} bytes; a page has ${largestPage} at most. Make two of it.`,
  };
}
