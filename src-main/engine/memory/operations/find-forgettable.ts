import type { MemoryPage, PageHead } from '../../../../src-shared/model/memory-page.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import { foldName } from '../indexing/fold-name.ts';
import { statementLines } from '../judge/page-lines.ts';
import { containment, wordsOf } from '../judge/statement-words.ts';
import type { Caller } from './resolve-caller.ts';

/** A page, or lines of it. */
export interface Forgettable {
  readonly page: MemoryPage;
  /** Empty: the page as a whole. */
  readonly lines: readonly string[];
}

const listed = 1_000;
const mostListed = 20_000;
/** Pages that share words with the query and are read. */
const mostRead = 200;

/**
 * What words could mean of the caller's own memory: the page with exactly this title or alias, else each line that has
 * all the words in it, else each page that has.
 */
export async function findForgettable(
  query: string,
  caller: Caller,
  pages: MemoryPages,
): Promise<readonly Forgettable[]> {
  const heads = (await listHeads(caller, pages)).filter(
    ({ status, problem }) => status === 'active' && problem === undefined,
  );
  const name = foldName(query);
  const named = heads.filter(({ title, aliases }) => [title, ...aliases].some((one) => foldName(one) === name));
  if (named.length > 0)
    return Promise.all(named.slice(0, 10).map(async ({ uri }) => ({ page: await pages.read(uri), lines: [] })));
  const wanted = wordsOf(query);
  if (wanted.size === 0) return [];
  const near = heads
    .map((head) => ({
      head,
      share: containment(wanted, wordsOf(`${head.title} ${head.aliases.join(' ')} ${head.abstract}`)),
    }))
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share || (a.head.uri < b.head.uri ? -1 : 1))
    .slice(0, mostRead);
  const [inLines, inPages]: [Forgettable[], Forgettable[]] = [[], []];
  for (const { head } of near) {
    const page = await pages.find(head.uri);
    if (!page) continue;
    const lines = statementLines(page.truth).filter(
      ({ text, label }) => containment(wanted, wordsOf(`${label ?? ''} ${text}`)) === 1,
    );
    for (const { line } of lines) inLines.push({ page, lines: [line] });
    if (lines.length === 0 && containment(wanted, wordsOf(`${page.title} ${page.truth}`)) === 1)
      inPages.push({ page, lines: [] });
  }
  return inLines.length > 0 ? inLines : inPages;
}

async function listHeads({ userId, agentId }: Caller, pages: MemoryPages): Promise<PageHead[]> {
  const heads: PageHead[] = [];
  for (const filter of [{ userId }, { agentId }]) {
    let cursor: string | undefined;
    do {
      const page = await pages.list({ cursor, limit: listed }, filter);
      heads.push(...page.items);
      cursor = page.nextCursor;
    } while (cursor !== undefined && heads.length < mostListed);
  }
  return heads;
}
