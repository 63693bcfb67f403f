import type { NewPageVersion, PageStore, StoredPage } from '../../ports/page-store.ts';
import type { Workspace, WorkspaceFile } from '../../ports/workspace.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import { parsePage, summaryOf } from './describe-page.ts';
import type { ParsedPage } from './grammar/read-page.ts';
import { uriOfPath } from './page-address.ts';
import { ensureWorkspace } from './workspace-guard.ts';

export interface IntakeParts {
  readonly workspace: Workspace;
  readonly pageStore: PageStore;
  readonly kinds: MemoryKinds;
  readonly clock: { now(): number };
}

/** A page whose file is there, and whose newest version the store has. */
export interface CurrentPage {
  readonly stored: StoredPage;
  readonly file: WorkspaceFile;
  readonly parsed: ParsedPage;
}

export interface Intake {
  readonly current: CurrentPage | undefined;
  /** What was taken in just now. */
  readonly change: 'written' | 'removed' | undefined;
}

/**
 * Looks at a file and takes in what somebody did to it outside: a change becomes a version by the user, a file that is
 * gone a version `deleted`, which can be restored. Only for whoever holds the page.
 * @throws EngineError `workspace_blocked` also where the whole workspace seems to be gone
 */
export async function takeIn(path: string, parts: IntakeParts): Promise<Intake> {
  const { workspace, pageStore, kinds, clock } = parts;
  const uri = uriOfPath(path);
  if (uri === undefined) return { current: undefined, change: undefined };
  const file = await workspace.read(path);
  const found = await pageStore.find(uri);
  const known = found?.uri === uri ? found : undefined;
  if (!file) return removed(known, parts);
  const parsed = parsePage(file, uri, kinds);
  if (known && !known.isGone && known.contentHash === file.hash) {
    return { current: { stored: known, file, parsed }, change: undefined };
  }
  const isNew = known === undefined || known.isGone;
  const stored = await pageStore.add({
    ...versionOf(uri, file, summaryOf(parsed, uri, kinds)),
    at: Math.min(file.modifiedAt, clock.now()),
    author: 'user',
    change: isNew ? 'created' : 'changed',
  });
  return { current: { stored, file, parsed }, change: 'written' };
}

async function removed(known: StoredPage | undefined, parts: IntakeParts): Promise<Intake> {
  if (!known || known.isGone) return { current: undefined, change: undefined };
  await ensureWorkspace(parts.workspace, parts.pageStore);
  const { uri, path, contentHash, size, summary } = known;
  await parts.pageStore.add({
    ...{ uri, path, contentHash, size, summary, bytes: undefined },
    at: parts.clock.now(),
    author: 'user',
    change: 'deleted',
  });
  return { current: undefined, change: 'removed' };
}

export function versionOf(
  uri: string,
  file: WorkspaceFile,
  summary: NewPageVersion['summary'],
): Pick<NewPageVersion, 'uri' | 'path' | 'contentHash' | 'size' | 'bytes' | 'summary'> {
  return { uri, path: file.path, contentHash: file.hash, size: file.size, bytes: file.bytes, summary };
}
