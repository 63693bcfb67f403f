import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryPage, PageAuthor, PageLink } from '../../../../src-shared/model/memory-page.ts';
import { parseUri } from '../../../../src-shared/model/uri.ts';
import type { MemoryPages, SavePage } from '../../ports/memory-pages.ts';
import type { StoredCheckpoint } from '../../ports/session-store.ts';
import { noteKind } from '../kinds/read-kind.ts';

/** How much is read: the abstract (about 100 tokens), the overview (about 500), or everything. */
export type ReadDepth = 0 | 1 | 2;

export interface ContextFile {
  readonly uri: string;
  readonly title: string;
  readonly kind: string;
  /** Versions of a page; a checkpoint has one for ever. */
  readonly version: number;
  readonly isWritable: boolean;
}

export interface GarbageReport {
  /** Pages that nothing points at and that nobody used for long. */
  readonly found: readonly { readonly uri: string; readonly title: string; readonly lastUsed: number }[];
  /** Those that were retired just now. */
  readonly retired: readonly string[];
}

export interface ContextFilesParts {
  readonly pages: MemoryPages;
  readonly findCheckpoint: (checkpointId: string) => Promise<StoredCheckpoint | undefined>;
  /** Pages with links to this one; the index knows. */
  readonly backlinksOf: (uri: string) => Promise<readonly { readonly from: string }[]>;
  /** When pages were packed or opened last (ms since the Unix epoch). */
  readonly uses: (uris: readonly string[]) => Promise<ReadonlyMap<string, { readonly last: number }>>;
  readonly clock: { now(): number };
}

const pagesAtOnce = 200;

/** Context as a file system over URIs: one interface in front of pages and checkpoints. */
export class ContextFiles {
  readonly #parts: ContextFilesParts;

  constructor(parts: ContextFilesParts) {
    this.#parts = parts;
  }

  /** @throws EngineError `unknown_page`, `unknown_checkpoint`, `invalid_request` */
  async open(uri: string): Promise<ContextFile> {
    const address = parseUri(uri);
    if (address.kind === 'checkpoint') {
      await this.#checkpoint(address.checkpointId);
      return { uri, title: 'Checkpoint', kind: 'checkpoint', version: 1, isWritable: false };
    }
    const page = await this.#page(uri);
    const { title, kind, version, problem } = page;
    return { uri: page.uri, title, kind, version, isWritable: problem === undefined };
  }

  async read(uri: string, depth: ReadDepth): Promise<string> {
    const address = parseUri(uri);
    if (address.kind === 'checkpoint') {
      const { checkpoint } = await this.#checkpoint(address.checkpointId);
      // What it stands for is read turn by turn with memory_expand.
      return depth === 0 ? checkpoint.abstract : checkpoint.overview;
    }
    const page = await this.#page(uri);
    return depth === 0 ? page.abstract : depth === 1 ? page.overview : page.content;
  }

  /** Only pages are written; checkpoints never change. */
  async write(command: SavePage): Promise<MemoryPage> {
    return this.#parts.pages.save(command);
  }

  /** Points from a page at something, in its front matter; once, however often it is asked for. */
  async link(from: string, link: PageLink, author: PageAuthor): Promise<MemoryPage> {
    parseUri(link.to);
    return this.#changeLinks(from, author, (links) =>
      links.some((known) => known.to === link.to && known.type === link.type) ? links : [...links, link],
    );
  }

  /** Without a type: all links to it. */
  async unlink(
    from: string,
    link: { readonly to: string; readonly type?: string },
    author: PageAuthor,
  ): Promise<MemoryPage> {
    return this.#changeLinks(from, author, (links) =>
      links.filter((known) => known.to !== link.to || (link.type !== undefined && known.type !== link.type)),
    );
  }

  /**
   * Finds pages of memory that nothing points at, that nobody used or wrote for `unusedDays`, and that are not pinned.
   * With `apply` they are retired; nothing is ever deleted.
   */
  async gc(options: {
    readonly unusedDays: number;
    readonly apply: boolean;
    readonly author: PageAuthor;
  }): Promise<GarbageReport> {
    const { pages, backlinksOf, uses, clock } = this.#parts;
    const before = clock.now() - options.unusedDays * 86_400_000;
    const found: {
      readonly uri: string;
      readonly title: string;
      readonly lastUsed: number;
      readonly version: number;
    }[] = [];
    for (let cursor: string | undefined; ;) {
      const listed = await pages.list({ cursor, limit: pagesAtOnce }, { status: 'active' });
      const used = await uses(listed.items.map((page) => page.uri));
      for (const { uri, title, version, pinned, kind, problem, updated_at } of listed.items) {
        const lastUsed = Math.max(used.get(uri)?.last ?? 0, Date.parse(updated_at));
        if (pinned || problem || kind === noteKind || lastUsed >= before) continue;
        if ((await backlinksOf(uri)).length === 0) found.push({ uri, title, lastUsed, version });
      }
      if (listed.nextCursor === undefined) break;
      cursor = listed.nextCursor;
    }
    const retired: string[] = [];
    for (const { uri, version } of options.apply ? found : []) {
      if (await this.#retire(uri, version, options)) retired.push(uri);
    }
    return { found: found.map(({ uri, title, lastUsed }) => ({ uri, title, lastUsed })), retired };
  }

  /** False where somebody wrote the page meanwhile: then it is used. */
  async #retire(
    uri: string,
    baseVersion: number,
    { unusedDays, author }: { readonly unusedDays: number; readonly author: PageAuthor },
  ): Promise<boolean> {
    const reason = `unused for ${unusedDays} days, and nothing links to it`;
    try {
      await this.#parts.pages.save({ uri, change: { fields: { status: 'retired' } }, baseVersion, author, reason });
      return true;
    } catch (error) {
      if (error instanceof EngineError && error.code === 'page_conflict') return false;
      throw error;
    }
  }

  async #changeLinks(
    from: string,
    author: PageAuthor,
    change: (links: readonly PageLink[]) => readonly PageLink[],
  ): Promise<MemoryPage> {
    const page = await this.#page(from);
    const links = change(page.links);
    if (links === page.links || links.length === page.links.length) return page;
    return this.#parts.pages.save({ uri: page.uri, change: { fields: { links } }, baseVersion: page.version, author });
  }

  async #page(uri: string): Promise<MemoryPage> {
    return this.#parts.pages.read(uri);
  }

  async #checkpoint(id: string): Promise<StoredCheckpoint> {
    const found = await this.#parts.findCheckpoint(id);
    if (found) return found;
    throw new EngineError('unknown_checkpoint', `There is no checkpoint ${JSON.stringify(id.slice(0, 200))}.`);
  }
}
