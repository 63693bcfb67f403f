import type { MemoryPage, TimelineEntry } from '../../../../src-shared/model/memory-page.ts';
import type { PageFields } from '../../ports/memory-pages.ts';
import { timelineKey } from '../pages/grammar/timeline-entries.ts';
import type { MemoryKind } from './memory-kind.ts';
import { addStatement, holdsStatement, mergeStatement } from './statement-lines.ts';

/** Something new to be remembered. */
export interface Statement {
  readonly text: string;
  /** `YYYY-MM-DD` of what it tells or of when it was said; never simply today. */
  readonly date: string;
  /** URI of the turn it comes from, or the name of a source. */
  readonly source?: string | undefined;
  /** Of a new page. */
  readonly title?: string | undefined;
  /** What it is about, where the page has several topics (`name`, `job`): it takes the place of the line about the same. */
  readonly topic?: string | undefined;
  /** Text of the statement that holds no longer because of it, as it stands on the page. */
  readonly replaces?: string | undefined;
  /** Heading below which it belongs. */
  readonly section?: string | undefined;
  /** Front matter that the kind declares. */
  readonly fields?: Readonly<Record<string, unknown>> | undefined;
}

/** What is to be saved; nothing where the page says all of it already. */
export interface PolicyChange {
  readonly change: { readonly fields: PageFields };
  readonly addToTimeline: readonly TimelineEntry[];
  readonly isNews: boolean;
}

/**
 * What becomes of a page of the kind when something new is said. `merge` puts it in the place of what was said about the
 * same, `aggregate` adds it to what is held to be true, `append` only adds to the timeline. In each case the statement is
 * evidence with its date and source below the line, once, however often it is taken in.
 */
export function applyPolicy(kind: MemoryKind, page: MemoryPage | undefined, statement: Statement): PolicyChange {
  const entry: TimelineEntry = {
    date: statement.date,
    text: statement.text.trim(),
    ...(statement.source === undefined ? {} : { source: statement.source }),
  };
  const isDated = page?.timeline.some((known) => timelineKey(known) === timelineKey(entry)) ?? false;
  const truth = truthAfter(kind, page?.truth ?? '', statement);
  const fields: PageFields = {
    ...(page ? {} : newPage(kind, statement)),
    ...(truth === undefined ? {} : { truth }),
    ...sources(page, statement.source, isDated && truth === undefined),
    ...declared(kind, statement.fields),
  };
  const addToTimeline = isDated ? [] : [entry];
  return { change: { fields }, addToTimeline, isNews: !page || truth !== undefined || addToTimeline.length > 0 };
}

function newPage(kind: MemoryKind, statement: Statement): PageFields {
  return { kind: kind.name, title: statement.title ?? kind.single ?? statement.text.slice(0, 80) };
}

/** Undefined: as it is. */
function truthAfter(kind: MemoryKind, truth: string, statement: Statement): string | undefined {
  if (kind.policy === 'append') return undefined;
  if (holdsStatement(truth, statement.text)) return undefined;
  if (kind.policy === 'merge') return mergeStatement(truth, statement, kind.single !== undefined);
  return addStatement(truth, statement);
}

function sources(page: MemoryPage | undefined, source: string | undefined, isKnown: boolean): PageFields {
  if (source === undefined || isKnown || page?.sources.includes(source) === true) return {};
  return { sources: [...(page?.sources ?? []), source] };
}

/** Only what the kind knows; the rest would be invented front matter. */
function declared(kind: MemoryKind, fields: Readonly<Record<string, unknown>> = {}): PageFields {
  const known = Object.entries(fields).filter(
    ([name, value]) => Object.hasOwn(kind.fields, name) && value !== undefined,
  );
  return known.length === 0 ? {} : { fields: Object.fromEntries(known) };
}
