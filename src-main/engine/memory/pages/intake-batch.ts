import { hash } from 'node:crypto';
import { Pacer } from '../../compact/pacer.ts';
import type { NewPageVersion, StoredPage } from '../../ports/page-store.ts';
import type { WorkspaceFile } from '../../ports/workspace.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import { parsePage, summaryOf } from './describe-page.ts';
import { summaryRules } from './grammar/read-page.ts';
import { uriOfPath } from './page-address.ts';
import { goneWith } from './moved-from.ts';
import { versionOf, type IntakeParts } from './page-intake.ts';

export interface TakenIn {
  /** Each has been told of. */
  readonly count: number;
  /** What has to be looked at by itself: files that are gone, or may have come from elsewhere, or could not be read. */
  readonly rest: readonly string[];
}

/** Which of the listed files may differ from what is known of them; looks at their stamps, reads nothing. */
export async function changedSince(paths: readonly string[], parts: IntakeParts): Promise<readonly string[]> {
  const known = await parts.pageStore.stamps(paths);
  if (known.size === 0) return paths;
  const found = await parts.workspace.stamps([...known.keys()]);
  const rules = rulesOf(parts.kinds);
  return paths.filter((path) => {
    const stamp = found.get(path);
    return stamp === undefined || known.get(path) !== withRules(stamp, rules);
  });
}

/**
 * Takes in what somebody did to these files, each read once, their versions in few transactions: of a page, everything is
 * stored or nothing. Only for whoever holds all of these pages.
 * @param tell is called for each page once it is stored
 */
export async function takeInMany(
  paths: readonly string[],
  parts: IntakeParts,
  tell: (uri: string) => void,
): Promise<TakenIn> {
  const { pageStore, clock } = parts;
  const pacer = new Pacer();
  const rest: string[] = [];
  const files = await readAll(paths, parts, rest);
  const known = await pageStore.findMany(files.map(({ uri }) => uri));
  const isMoved = await moveFinder(files, known, parts);
  const rules = rulesOf(parts.kinds);
  const versions: NewPageVersion[] = [];
  const stamps: { uri: string; contentHash: string; stamp: string }[] = [];
  for (const { uri, file } of files) {
    await pacer.pauseIfDue();
    const page = known.get(uri);
    if (!page && (await isMoved(file))) {
      rest.push(file.path);
      continue;
    }
    const summary = summaryOf(parsePage(file, uri, parts.kinds), uri, parts.kinds);
    const stamp = file.stamp === undefined ? undefined : withRules(file.stamp, rules);
    if (page && !page.isGone && page.contentHash === file.hash) {
      if (await mended(page, summary, parts)) tell(uri);
      if (stamp !== undefined) stamps.push({ uri, contentHash: file.hash, stamp });
      continue;
    }
    const change = !page || page.isGone ? ('created' as const) : ('changed' as const);
    const at = Math.min(file.modifiedAt, clock.now());
    versions.push({ ...versionOf(uri, file, summary), at, author: 'user', change, stamp });
  }
  if (stamps.length > 0) await pageStore.stamp(stamps);
  const count = await addAll(versions, parts, pacer, tell);
  // One that cannot be stored is tried by itself, and does not stop those beside it.
  rest.push(...versions.slice(count).map(({ path }) => path));
  return { count, rest };
}

/** How many from the beginning were added. */
async function addAll(
  versions: readonly NewPageVersion[],
  { pageStore }: IntakeParts,
  pacer: Pacer,
  tell: (uri: string) => void,
): Promise<number> {
  let count = 0;
  while (count < versions.length) {
    // The transaction is as long as work may be without a pause.
    await pacer.pause();
    const added = await pageStore.addSome(versions.slice(count)).catch(() => 0);
    if (added === 0) break;
    for (const { uri } of versions.slice(count, count + added)) tell(uri);
    count += added;
  }
  return count;
}

/** Whether the summary was made by other rules than today's, and is replaced. */
async function mended(page: StoredPage, summary: StoredPage['summary'], parts: IntakeParts): Promise<boolean> {
  if (JSON.stringify(page.summary) === JSON.stringify(summary)) return false;
  await parts.pageStore.summarise(page.uri, summary, parts.clock.now());
  return true;
}

async function readAll(
  paths: readonly string[],
  { workspace }: IntakeParts,
  rest: string[],
): Promise<{ readonly uri: string; readonly file: WorkspaceFile }[]> {
  const files = await Promise.all(
    paths.map(async (path) => {
      const uri = uriOfPath(path);
      if (uri === undefined) return undefined;
      // What cannot be read is read once more by itself, and its failure told then.
      const file = await workspace.read(path).catch(() => undefined);
      if (!file) rest.push(path);
      return file && { uri, file };
    }),
  );
  return files.filter((file) => file !== undefined);
}

/** Whether a file that nobody knows has the content of a page whose file is gone; of equal files it is asked once. */
async function moveFinder(
  files: readonly { readonly uri: string; readonly file: WorkspaceFile }[],
  pages: ReadonlyMap<string, StoredPage>,
  parts: IntakeParts,
): Promise<(file: WorkspaceFile) => Promise<boolean>> {
  const hashes = files.filter(({ uri }) => !pages.has(uri)).map(({ file }) => file.hash);
  const contents = await parts.pageStore.knownContents([...new Set(hashes)]);
  const asked = new Map<string, Promise<boolean>>();
  return async (file) => {
    if (file.size === 0 || !contents.has(file.hash)) return false;
    const answer = asked.get(file.hash) ?? goneWith(file.hash, parts).then((gone) => gone.length > 0);
    asked.set(file.hash, answer);
    return answer;
  };
}

const rulesByKinds = new WeakMap<MemoryKinds, string>();

/** Stands for what summaries are made by besides the file. */
function rulesOf(kinds: MemoryKinds): string {
  const known = rulesByKinds.get(kinds);
  if (known !== undefined) return known;
  const rules = hash('sha256', JSON.stringify([summaryRules, kinds.all]), 'hex').slice(0, 16);
  rulesByKinds.set(kinds, rules);
  return rules;
}

function withRules(stamp: string, rules: string): string {
  return `${rules} ${stamp}`;
}
