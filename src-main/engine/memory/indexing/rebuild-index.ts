import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import { indexedPage } from './indexed-page.ts';
import { allPages } from './repair-index.ts';
import type { TurnFollower } from './turn-follower.ts';

export interface RebuildParts {
  readonly index: MemoryIndexWriter;
  readonly pages: Pick<MemoryPages, 'list' | 'find'>;
  readonly turns: TurnFollower;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Pages that are put together. */
const batch = 32;

/**
 * Puts everything into the index anew, from the files and the log, and then removes what neither has any more. A search
 * finds what was there until it is replaced, also when this ends half-way; nothing else may write to the index meanwhile.
 */
export async function rebuildIndex(
  parts: RebuildParts,
  signal: AbortSignal,
  progress: (done: number, total: number, note?: string) => void,
): Promise<{ readonly pages: number; readonly unreadable: number; readonly turns: number }> {
  const { index, turns } = parts;
  await index.beginRebuild();
  turns.forget();
  let [pages, unreadable] = [0, 0];
  for await (const { items, total } of allPages(parts.pages, signal)) {
    for (let start = 0; start < items.length; start += batch) {
      signal.throwIfAborted();
      const uris = items.slice(start, start + batch).map(({ uri }) => uri);
      unreadable += await putPages(parts, uris);
      pages += uris.length;
      progress(pages, total, 'pages');
    }
  }
  let taken = 0;
  for await (const session of turns.behind()) {
    signal.throwIfAborted();
    taken += await turns.follow(session.uid, true, signal);
    progress(taken, taken, 'turns');
  }
  signal.throwIfAborted();
  await index.endRebuild();
  return { pages, unreadable, turns: taken };
}

/** Counts pages that could not be taken in; they are named in the log and do not stop the others. */
async function putPages({ pages, index, log }: RebuildParts, uris: readonly string[]): Promise<number> {
  const found = await Promise.all(
    uris.map(async (uri) => {
      try {
        const page = await pages.find(uri);
        return page && indexedPage(page);
      } catch (error) {
        log('warn', 'page_not_indexed', { uri, error: error instanceof Error ? error.message : String(error) });
        return null;
      }
    }),
  );
  await index.putPages(found.flatMap((page) => page ?? []));
  return found.filter((page) => page === null).length;
}
