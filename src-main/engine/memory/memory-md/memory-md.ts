import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryPage, PageHead } from '../../../../src-shared/model/memory-page.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Workspace } from '../../ports/workspace.ts';
import type { MemoryKinds } from '../kinds/memory-kinds.ts';
import { pathOfUri, uriOfPath } from '../pages/page-address.ts';
import { splitIndexBlock, writeIndexBlock } from './index-block.ts';
import { indexLines } from './index-lines.ts';
import { memoryMdName } from './memory-md-name.ts';

export interface MemoryMdParts {
  readonly pages: MemoryPages;
  readonly pageStore: PageStore;
  readonly workspace: Workspace;
  readonly kinds: MemoryKinds;
  /** Whose private pages are in the index: the file is one, and other users' are nobody else's business. */
  readonly userId: string;
  readonly isWritten: boolean;
  /** What the index may take (tokens). */
  readonly maxTokens: number;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** While many pages change one after the other, the update waits for the last of them, half a minute at most. */
  readonly isBusy?: () => boolean;
  /** Writes within this time make one update (ms). */
  readonly debounceMs?: number;
}

/** Reason of the versions that an update of the index makes. */
export const indexReason = 'index of memory';
const pagesAtOnce = 500;
/** For pages that come one after the other (ms). */
const longestWait = 30_000;

/** MEMORY.md: a person's file with our index of the pages in it, which follows what is written. */
export class MemoryMd {
  readonly #parts: MemoryMdParts;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #isStopped = false;
  #lastProblem = '';

  constructor(parts: MemoryMdParts) {
    this.#parts = parts;
  }

  /** The file as it is, whichever of its names it has; undefined where there is none or it is no page. */
  async read(): Promise<
    { readonly page: MemoryPage; readonly lines: readonly string[]; readonly rest: string } | undefined
  > {
    const uri = await this.#uri();
    const page = uri === undefined ? undefined : await this.#parts.pages.find(uri);
    return page && { page, ...splitIndexBlock(page.content) };
  }

  /** Something of it may be in the index. */
  note(uri: string): void {
    if (!this.#parts.isWritten || this.#isStopped || !this.#isIndexed(uri)) return;
    this.#isDue = true;
    this.#later(0);
  }

  #later(waited: number): void {
    const wait = this.#parts.debounceMs ?? 500;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      if (waited < longestWait && this.#parts.isBusy?.() === true) this.#later(waited + wait);
      else if (this.#isDue) this.#run();
    }, wait);
  }

  /** Brings it up to date now, if anything is due. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    if (this.#isDue) this.#run();
    await this.#running;
  }

  /** A page is to be forgotten: neither the index nor its earlier versions may tell of it. */
  async forget(uri: string): Promise<void> {
    if (!this.#isIndexed(uri)) return;
    await this.flush();
    const own = await this.#uri();
    if (own === undefined) return;
    await this.#parts.pageStore.thin(own, indexReason);
    // A person's versions of the file hold the index of their day, too: their own words stay.
    await this.#parts.pageStore.rewriteEarlier(own, withoutIndex);
  }

  async stop(): Promise<void> {
    // Before the last update: a page that is noted during it must not begin another one behind the end.
    this.#isStopped = true;
    await this.flush();
  }

  #run(): void {
    this.#running ??= this.#update().finally(() => {
      this.#running = undefined;
      // Noted during an update that took longer than the wait for the next one.
      if (this.#isDue && !this.#isStopped) this.#later(0);
    });
  }

  /** Never rejects: what cannot be written is logged once, and tried again with the next change. */
  async #update(): Promise<void> {
    this.#isDue = false;
    try {
      const problem = await this.#write();
      if (problem !== '' && problem !== this.#lastProblem) {
        this.#parts.log('warn', 'memory_md_not_written', { reason: problem });
      }
      this.#lastProblem = problem;
    } catch (error) {
      const isLate = error instanceof EngineError && (error.code === 'page_conflict' || error.code === 'page_exists');
      // A person wrote in this moment: once more, from what stands now.
      if (isLate) this.note(uriOfMemory);
      else this.#parts.log('warn', 'memory_md_not_written', { reason: String(error) });
    }
  }

  /** Why it was not written; empty when it was, or says it already. */
  async #write(): Promise<string> {
    const { pages, kinds, maxTokens, workspace } = this.#parts;
    const heads = await this.#indexedPages();
    const name = memoryMdName(await workspace.names(''));
    const uri = uriOfPath(name ?? 'MEMORY.md') ?? uriOfMemory;
    const page = await pages.find(uri);
    if (name !== undefined && !page) return `${name} is no regular file; symbolic links are not followed.`;
    if (page?.problem) return `${page.path}: ${page.problem.message}`;
    const names = kinds.all.map((kind) => kind.name);
    const block = writeIndexBlock(page?.content ?? '', indexLines(heads, names, maxTokens));
    if (block.status === 'unclear') return 'Its marks strata:index:begin and strata:index:end are not one pair.';
    if (block.text === (page?.content ?? '')) return '';
    const change = { content: block.text };
    await pages.save({ uri, change, baseVersion: page?.version ?? 0, author: 'agent', reason: indexReason });
    return '';
  }

  async #indexedPages(): Promise<PageHead[]> {
    const heads: PageHead[] = [];
    for (let cursor: string | undefined; ;) {
      const found = await this.#parts.pages.list({ cursor, limit: pagesAtOnce }, { status: 'active' });
      heads.push(...found.items.filter((page) => !page.problem && page.kind !== 'note' && this.#isIndexed(page.uri)));
      if (found.nextCursor === undefined) return heads;
      cursor = found.nextCursor;
    }
  }

  #isIndexed(uri: string): boolean {
    const page = parseUri(uri);
    if (page.kind !== 'page') return false;
    if (page.owner === 'user') return page.userId === this.#parts.userId;
    return page.owner === 'agent' || !memoryNames.has(pathOfUri(uri));
  }

  async #uri(): Promise<string | undefined> {
    const name = memoryMdName(await this.#parts.workspace.names(''));
    return name === undefined ? undefined : uriOfPath(name);
  }
}

function withoutIndex(bytes: Uint8Array): Uint8Array | undefined {
  // One character for each byte, so that bytes that are no text come back as they are.
  const text = Buffer.from(bytes).toString('latin1');
  if (splitIndexBlock(text).lines.length === 0) return undefined;
  const emptied = writeIndexBlock(text, []);
  return emptied.status === 'written' ? Buffer.from(emptied.text, 'latin1') : undefined;
}

const memoryNames: ReadonlySet<string> = new Set(['MEMORY.md', 'memory.md']);
const uriOfMemory = 'strata://resources/MEMORY';
