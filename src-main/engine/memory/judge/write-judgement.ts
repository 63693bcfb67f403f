import type { MemoryPage, PageAuthor, TimelineEntry } from '../../../../src-shared/model/memory-page.ts';
import type { MemoryScope } from '../../../../src-shared/model/memory-scope.ts';
import type { Candidate } from '../extract/candidate.ts';
import type { MemoryKind } from '../kinds/memory-kind.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import type { OperationChange } from '../../ports/memory-operations.ts';
import type { MemoryPages, PageFields } from '../../ports/memory-pages.ts';
import { preferredAddress } from './find-known.ts';
import type { Judgement, Strike } from './judgement.ts';
import { statementLines, withLine, withoutLines } from './page-lines.ts';

export interface WriteParts {
  readonly pages: Pick<MemoryPages, 'save' | 'find' | 'addressFor'>;
  readonly kinds: MemoryKinds;
}

export interface WriteOrder {
  readonly candidate: Candidate;
  readonly judgement: Judgement;
  /** The page of the topic as it was judged. */
  readonly place: MemoryPage | undefined;
  readonly scope: MemoryScope;
  readonly author: PageAuthor;
  /** What the caller of a tool asked for besides. */
  readonly extra: Pick<PageFields, 'tags' | 'scope' | 'visibility' | 'title'>;
}

export interface Written {
  /** The page that has the statement now, or the one it was taken out of. */
  readonly page: MemoryPage;
  readonly changes: readonly OperationChange[];
  /** A page that stands no longer because of it. */
  readonly supersedes: string | undefined;
}

/** Sources that a page names; the oldest go. */
const mostSources = 200;

/**
 * Does to the pages what was judged, each against the version that was judged.
 * @throws EngineError `page_conflict` or `page_exists` when somebody wrote meanwhile, and what saving throws
 */
export async function writeJudgement(order: WriteOrder, parts: WriteParts): Promise<Written> {
  const { judgement, place } = order;
  const changes: OperationChange[] = [];
  const page = judgement.action === 'DELETE' ? undefined : await writeStatement(order, parts, changes);
  let supersedes: string | undefined;
  let last: MemoryPage | undefined;
  for (const strike of judgement.strikes) {
    if (page && strike.page.uri === place?.uri) continue;
    last = await writeStrike(strike, page, order, parts, changes);
    if (last.status !== 'active') supersedes = last.uri;
  }
  const shown = page ?? last;
  if (!shown) throw new Error('A judgement that changes nothing was to be written.');
  return { page: shown, changes, supersedes };
}

async function writeStatement(order: WriteOrder, parts: WriteParts, changes: OperationChange[]): Promise<MemoryPage> {
  const { candidate, judgement, place, author, extra } = order;
  const kind = parts.kinds.require(candidate.kind);
  const strike = judgement.strikes.find(({ page }) => page.uri === place?.uri);
  const statement = statementFor(candidate, kind);
  const entries = [...strikeEntries(strike, candidate, 'Until now'), entryOf(candidate)];
  if (place) {
    // What a page of entries says stays as it is; what it says no longer is replaced.
    const isEntry = kind.policy === 'append' && strike === undefined;
    const truth = isEntry ? place.truth : withLine(withoutLines(place.truth, strike?.lines ?? []), statement);
    const saved = await parts.pages.save({
      uri: place.uri,
      change: { fields: { truth, sources: sourcesOf(place.sources, candidate), ...plainExtra(extra, place) } },
      addToTimeline: entries,
      baseVersion: place.version,
      author,
      reason: judgement.reason.code,
    });
    changes.push({ uri: saved.uri, versionBefore: place.version, versionAfter: saved.version });
    return saved;
  }
  const uri = await newAddress(order, kind, parts);
  const saved = await parts.pages.save({
    uri,
    change: { fields: { ...newFields(order, kind), truth: `- ${statement}`, sources: sourcesOf([], candidate) } },
    addToTimeline: entries,
    baseVersion: 0,
    author,
    reason: judgement.reason.code,
  });
  changes.push({ uri: saved.uri, versionBefore: 0, versionAfter: saved.version });
  return saved;
}

async function newAddress({ candidate, scope }: WriteOrder, kind: MemoryKind, { pages }: WriteParts): Promise<string> {
  const preferred = preferredAddress(candidate, kind, scope);
  if ((await pages.find(preferred)) === undefined) return preferred;
  return pages.addressFor({ kind: candidate.kind, title: candidate.title, scope });
}

function newFields({ candidate, extra }: WriteOrder, kind: MemoryKind): PageFields {
  const isSingle = kind.single !== undefined;
  const title = extra.title ?? (isSingle ? titleOfSingle(kind, candidate) : candidate.title);
  const aliases = isSingle ? [] : candidate.aliases.filter((alias) => alias !== title);
  const fields: Record<string, unknown> = {
    ...(kind.fields['topic'] ? { topic: candidate.topic } : {}),
    ...(kind.fields['date'] ? { date: candidate.date } : {}),
  };
  return { kind: kind.name, title, aliases, fields, ...plainExtra({ ...extra }, undefined) };
}

function titleOfSingle({ name }: MemoryKind, { language }: Candidate): string {
  if (name === 'profile') return language === 'zh' ? '个人资料' : 'Profile';
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function plainExtra({ tags, scope, visibility }: WriteOrder['extra'], page: MemoryPage | undefined): PageFields {
  return {
    ...(tags === undefined ? {} : { tags: [...new Set([...(page?.tags ?? []), ...tags])] }),
    ...(scope === undefined ? {} : { scope: [...new Set([...(page?.scope ?? []), ...scope])] }),
    ...(visibility === undefined ? {} : { visibility }),
  };
}

/** Of a page that holds many topics each line says which one it is about. */
function statementFor({ text, title }: Candidate, kind: MemoryKind): string {
  return kind.single === undefined ? text : `${title}: ${text}`;
}

/** A page that has nothing else to say stands no longer; its words stay in it. */
async function writeStrike(
  { page, lines }: Strike,
  heir: MemoryPage | undefined,
  { candidate, author, judgement }: WriteOrder,
  { pages }: WriteParts,
  changes: OperationChange[],
): Promise<MemoryPage> {
  const isLast = statementLines(page.truth).length === lines.length && statementLines(page.truth).length > 0;
  const ended: PageFields = heir ? { status: 'superseded', supersededBy: heir.uri } : { status: 'retired' };
  const saved = await pages.save({
    uri: page.uri,
    change: { fields: isLast ? ended : { truth: withoutLines(page.truth, lines) } },
    addToTimeline: strikeEntries({ page, lines }, candidate, heir ? 'Until now' : 'Taken back'),
    baseVersion: page.version,
    author,
    reason: judgement.reason.code,
  });
  changes.push({ uri: saved.uri, versionBefore: page.version, versionAfter: saved.version });
  return saved;
}

function strikeEntries(strike: Strike | undefined, candidate: Candidate, word: string): TimelineEntry[] {
  return (strike?.lines ?? []).map((line) => ({
    date: candidate.date,
    text: `${word}: ${statementLines(line)[0]?.text ?? line.trim()}`,
    ...sourceOf(candidate),
  }));
}

function entryOf(candidate: Candidate): TimelineEntry {
  return { date: candidate.date, text: candidate.text, ...sourceOf(candidate) };
}

function sourceOf({ sources }: Candidate): { readonly source?: string } {
  return sources[0] === undefined ? {} : { source: sources[0] };
}

function sourcesOf(known: readonly string[], { sources }: Candidate): string[] {
  return [...new Set([...known, ...sources])].slice(-mostSources);
}
