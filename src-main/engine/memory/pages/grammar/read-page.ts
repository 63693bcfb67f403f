import type {
  PageLink,
  PageStatus,
  PageVisibility,
  TimelineEntry,
} from '../../../../../src-shared/model/memory-page.ts';
import { splitIndexBlock } from '../../memory-md/index-block.ts';
import { FrontMatter } from './front-matter.ts';
import { linesOf } from './lines-of.ts';
import { plainMarkdownLine } from './plain-markdown.ts';
import { splitFrontMatter } from './split-front-matter.ts';
import { splitTimeline } from './split-timeline.ts';
import { makeAbstract, makeOverview, type AbstractRule } from './summarise-truth.ts';
import { readTimeline } from './timeline-entries.ts';

/** Larger files are listed and kept, but not read (bytes). */
export const largestPage = 5_000_000;

/** Counts up when pages are read or summarised differently: known ones are read once more then. */
export const summaryRules = 1;

export interface PageProblem {
  readonly code: string;
  readonly message: string;
}

/** What a file says of itself; nothing of where it lies or who wrote it. */
export interface ParsedPage {
  readonly text: string;
  readonly problem: PageProblem | undefined;
  readonly frontMatter: FrontMatter | undefined;
  readonly kind: string | undefined;
  readonly title: string | undefined;
  readonly aliases: readonly string[];
  readonly tags: readonly string[];
  readonly scope: readonly string[];
  readonly visibility: PageVisibility | undefined;
  readonly status: PageStatus;
  readonly supersededBy: string | undefined;
  readonly pinned: boolean;
  /** As written: any date that `Date.parse` knows. */
  readonly created: string | undefined;
  readonly abstract: string;
  readonly overview: string;
  readonly truth: string;
  readonly timeline: readonly TimelineEntry[];
  readonly links: readonly PageLink[];
  readonly sources: readonly string[];
}

/**
 * Reads a Markdown file as a page. Never throws: what cannot be read as one has a `problem`, and its text as far as there
 * is any.
 * @param abstractRule of a kind, for a page whose front matter has no abstract
 */
export function readPage(bytes: Uint8Array, abstractRule: (kind: string | undefined) => AbstractRule): ParsedPage {
  const decoded = decode(bytes);
  if (typeof decoded !== 'string') return unreadable('', decoded);
  const parts = splitFrontMatter(decoded);
  if (!parts.yaml) return readBody(decoded, parts.body, undefined, abstractRule);
  const result = FrontMatter.read(decoded.slice(parts.yaml.start, parts.yaml.end));
  if (result.status === 'bad') return unreadable(decoded, { code: result.code, message: result.message });
  if (result.status === 'no-fields')
    return readBody(decoded, decoded.startsWith('\ufeff') ? 1 : 0, undefined, abstractRule);
  return readBody(decoded, parts.body, result.frontMatter, abstractRule);
}

/** A page of which only the size is known. */
export function tooLargePage(size: number): ParsedPage {
  return unreadable('', {
    code: 'too_large',
    message: `The file has ${size} bytes; pages of up to ${largestPage} bytes are read. It is kept as it is.`,
  });
}

function decode(bytes: Uint8Array): string | PageProblem {
  if (bytes.includes(0)) {
    return { code: 'binary', message: 'The file is no text: it has zero bytes in it. It is kept as it is.' };
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return {
      code: 'not_utf8',
      message: 'The file is no UTF-8 text. It is kept as it is; save it as UTF-8 to make it a page.',
    };
  }
}

function readBody(
  text: string,
  body: number,
  frontMatter: FrontMatter | undefined,
  abstractRule: (kind: string | undefined) => AbstractRule,
): ParsedPage {
  // Our index in MEMORY.md says what other pages say: whoever searches is to find those, not the list of them.
  const own = splitIndexBlock(text.slice(body)).rest;
  const place = splitTimeline(own, 0);
  const truth = own.slice(0, place?.truthEnd ?? own.length).trim();
  const timeline = place ? readTimeline(own.slice(place.timeline)) : [];
  const kind = frontMatter?.text('kind');
  const status = frontMatter?.text('status');
  const visibility = frontMatter?.text('visibility');
  let overview: string | undefined;
  return {
    text,
    problem: undefined,
    frontMatter,
    kind,
    // Whoever lists it writes it into a line.
    title: frontMatter?.text('title')?.replace(/\s+/g, ' ') ?? headingOf(truth),
    aliases: distinct(frontMatter?.texts('aliases')),
    tags: distinct(frontMatter?.texts('tags')),
    scope: distinct(frontMatter?.texts('scope')),
    visibility: visibility === 'shared' || visibility === 'private' ? visibility : undefined,
    status: status === 'superseded' || status === 'retired' ? status : 'active',
    supersededBy: frontMatter?.text('superseded_by'),
    pinned: frontMatter?.flag('pinned') ?? false,
    created: frontMatter?.text('created'),
    abstract: frontMatter?.text('abstract') ?? makeAbstract({ truth, timeline }, abstractRule(kind)),
    // Taking a page in needs none, and it is the most of the work.
    get overview() {
      return (overview ??= frontMatter?.text('overview') ?? makeOverview({ truth, timeline }));
    },
    truth,
    timeline,
    links: linksOf(frontMatter?.value('links')),
    sources: distinct(frontMatter?.texts('sources')),
  };
}

function unreadable(text: string, problem: PageProblem): ParsedPage {
  return {
    ...{ text, problem, frontMatter: undefined, kind: undefined, title: undefined, supersededBy: undefined },
    ...{ aliases: [], tags: [], scope: [], links: [], sources: [], timeline: [] },
    ...{ visibility: undefined, status: 'active', pinned: false, created: undefined },
    ...{ abstract: '', overview: '', truth: '' },
  };
}

/** The first heading of the first rank before any text. */
function headingOf(truth: string): string | undefined {
  for (const { text } of linesOf(truth)) {
    if (/^#[ \t]/.test(text)) return plainMarkdownLine(text) || undefined;
    if (text.trim() !== '') return undefined;
  }
  return undefined;
}

/** `[{to, type}]`, or just targets. */
function linksOf(value: unknown): PageLink[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown): PageLink[] => {
    if (typeof item === 'string') return item.trim() === '' ? [] : [{ to: item.trim(), type: 'mentions' }];
    if (typeof item !== 'object' || item === null || !('to' in item) || typeof item.to !== 'string') return [];
    const type = 'type' in item && typeof item.type === 'string' && item.type !== '' ? item.type : 'mentions';
    return [{ to: item.to, type: type.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '_') }];
  });
}

function distinct(values: readonly string[] = []): string[] {
  return [...new Set(values)];
}
