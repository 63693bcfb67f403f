import type { MemoryPage, PageHead } from '../../../../src-shared/model/memory-page.ts';
import type { PageSummary, StoredPage } from '../../ports/page-store.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import { noteKind } from '../kinds/read-kind.ts';
import { readPage, tooLargePage, type ParsedPage } from './grammar/read-page.ts';
import { ownerOf } from './page-address.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';

/** Reads a file's bytes as a page of one of these kinds; undefined bytes: it is too large. */
export function parsePage(
  file: { readonly bytes: Uint8Array | undefined; readonly size: number },
  uri: string,
  kinds: MemoryKinds,
): ParsedPage {
  if (file.bytes === undefined) return tooLargePage(file.size);
  return readPage(file.bytes, (kind) => kinds.abstractRule(kindOf(kind, uri, kinds)));
}

/** What listings show of the page. */
export function summaryOf(page: ParsedPage, uri: string, kinds: MemoryKinds): PageSummary {
  const kind = kindOf(page.kind, uri, kinds);
  const created = Date.parse(page.created ?? '');
  return {
    kind,
    title: page.title ?? nameOf(uri),
    aliases: page.aliases,
    tags: page.tags,
    scope: page.scope,
    visibility: page.visibility ?? kinds.find(kind)?.visibility ?? 'private',
    status: page.status,
    ...(page.supersededBy === undefined ? {} : { supersededBy: page.supersededBy }),
    pinned: page.pinned,
    ...(Number.isFinite(created) ? { created } : {}),
    abstract: page.abstract,
    sources: page.sources,
    ...(page.problem === undefined ? {} : { problem: page.problem }),
  };
}

/** What the front matter says, if there is such a kind; else by the folder. */
function kindOf(written: string | undefined, uri: string, kinds: MemoryKinds): string {
  if (kinds.find(written)) return written ?? noteKind;
  const owner = ownerOf(uri);
  if (owner.userId === undefined && owner.agentId === undefined) return noteKind;
  return kinds.ofPath(insideOf(uri))?.name ?? noteKind;
}

/** Path below the memories of the owner, without the extension. */
export function insideOf(uri: string): string {
  const parsed = parseUri(uri);
  return parsed.kind === 'page' ? parsed.path : '';
}

function nameOf(uri: string): string {
  const inside = insideOf(uri);
  return inside.slice(inside.lastIndexOf('/') + 1);
}

export function headOf(page: StoredPage): PageHead {
  const { summary } = page;
  return {
    uri: page.uri,
    path: page.path,
    kind: summary.kind,
    title: summary.title,
    aliases: [...summary.aliases],
    tags: [...summary.tags],
    scope: [...summary.scope],
    visibility: summary.visibility,
    status: summary.status,
    ...(summary.supersededBy === undefined ? {} : { superseded_by: summary.supersededBy }),
    pinned: summary.pinned,
    version: page.version,
    content_hash: page.contentHash,
    created_at: new Date(page.createdAt).toISOString(),
    updated_at: new Date(page.updatedAt).toISOString(),
    abstract: summary.abstract,
    sources: [...summary.sources],
    size: page.size,
    ...(summary.problem === undefined ? {} : { problem: { ...summary.problem } }),
  };
}

export function pageOf(stored: StoredPage, parsed: ParsedPage): MemoryPage {
  return {
    ...headOf(stored),
    overview: parsed.overview,
    truth: parsed.truth,
    timeline: parsed.timeline.map((entry) => ({ ...entry })),
    links: parsed.links.map((link) => ({ ...link })),
    content: parsed.text,
  };
}
