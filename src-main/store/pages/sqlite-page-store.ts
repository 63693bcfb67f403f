import { hash as digest } from 'node:crypto';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { PageVersion } from '../../../src-shared/model/memory-page.ts';
import { parseUri } from '../../../src-shared/model/uri.ts';
import type {
  NewPageVersion,
  PageIntent,
  PageListFilter,
  PageStore,
  PageSummary,
  StoredPage,
} from '../../engine/ports/page-store.ts';
import type { Page, PageRequest } from '../../engine/ports/session-store.ts';
import { hashBytes } from '../content/hash-bytes.ts';
import { packBytes, unpackBytes } from '../content/pack-bytes.ts';
import { leavingNothing } from '../leaving-nothing.ts';
import { readCursor, writeCursor } from '../page-cursor.ts';
import type { StoreConnections } from '../store-connections.ts';
import { memoryOutboxWrites } from '../tables/memory-outbox-table.ts';
import {
  pageReads,
  pageWrites,
  type PageReads,
  type PageRow,
  type PageWrites,
  type VersionRow,
} from './page-tables.ts';

/** Many versions are added in transactions of about this length (ms): the event loop waits for each. */
const longestTransaction = 15;

/** What is kept of an intent besides the content. */
type IntentVersion = Omit<NewPageVersion, 'bytes'>;

/** The port over SQLite. */
export class SqlitePageStore implements PageStore {
  readonly #db: StoreConnections;
  readonly #backups: () => readonly string[];
  readonly #reads: PageReads;
  readonly #writes: PageWrites;
  readonly #outbox: ReturnType<typeof memoryOutboxWrites>;

  /** @param backups paths of the copies of the database, which nothing is removed from */
  constructor(db: StoreConnections, backups: () => readonly string[]) {
    this.#db = db;
    this.#backups = backups;
    this.#reads = pageReads(db.reader);
    this.#writes = pageWrites(db.writer);
    this.#outbox = memoryOutboxWrites(db.writer);
  }

  async find(uri: string): Promise<StoredPage | undefined> {
    return this.#db.read(() => {
      const row = findRow(this.#reads, uri);
      return row && toPage(row);
    });
  }

  async list(page: PageRequest, filter: PageListFilter): Promise<Page<StoredPage>> {
    return this.#db.read(() => {
      const after = page.cursor === undefined ? '' : this.#pathOf(page.cursor);
      const found = this.#reads.list(filter, after, page.limit + 1);
      const items = found.slice(0, page.limit);
      const last = items.at(-1);
      const nextCursor = found.length > page.limit && last ? writeCursor('pages', [last.no]) : undefined;
      return { items: items.map(toPage), nextCursor, total: this.#reads.count(filter) };
    });
  }

  async known(after: string, limit: number): Promise<readonly Pick<StoredPage, 'uri' | 'path' | 'contentHash'>[]> {
    return this.#db.read(() => this.#reads.known(after, limit));
  }

  async stamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#db.read(() => new Map(this.#reads.stamps(paths).map(({ path, stamp }) => [path, stamp])));
  }

  async findMany(uris: readonly string[]): Promise<ReadonlyMap<string, StoredPage>> {
    return this.#db.read(() => new Map(this.#reads.byUris(uris).map((row) => [row.uri, toPage(row)])));
  }

  async knownContents(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    return this.#db.read(() => new Set(this.#reads.knownContents(hashes)));
  }

  async withContent(hash: string, limit: number): Promise<readonly StoredPage[]> {
    const wanted = hashBytes(hash, 'content hash');
    return this.#db.read(() => this.#reads.withContent(wanted, limit).map(toPage));
  }

  unreadable(): { readonly count: number; readonly first: StoredPage | undefined } {
    return this.#db.read(() => {
      const found = this.#reads.unreadable();
      if (!found) return { count: 0, first: undefined };
      const { count, ...row } = found;
      return { count, first: toPage(row) };
    });
  }

  async begin(version: NewPageVersion, before: string | undefined): Promise<number> {
    const { bytes, ...rest } = version;
    const kept: IntentVersion = rest;
    const hash = hashBytes(version.contentHash, 'content hash');
    return this.#db.write(() => {
      this.#putContent(hash, bytes);
      const beforeHash = before === undefined ? null : hashBytes(before, 'content hash');
      return this.#writes.insertIntent(hash, beforeHash, JSON.stringify(kept));
    });
  }

  async commit(intentNo: number): Promise<StoredPage> {
    return this.#db.write(() => {
      const intent = this.#writes.intent(intentNo);
      if (!intent) throw new EngineError('internal', `There is no open write ${intentNo} of a page.`);
      // As `begin` wrote it.
      const version = JSON.parse(intent.version) as IntentVersion;
      const page = this.#addVersion({ ...version, bytes: undefined });
      this.#writes.removeIntent(intentNo);
      return page;
    });
  }

  async drop(intentNo: number): Promise<void> {
    this.#db.write(() => {
      const intent = this.#writes.intent(intentNo);
      if (!intent) return;
      this.#writes.removeIntent(intentNo);
      this.#writes.sweepContent([(JSON.parse(intent.version) as IntentVersion).contentHash]);
    });
  }

  async intents(): Promise<readonly PageIntent[]> {
    return this.#db.read(() =>
      this.#reads.intents().map(({ no, before, version }) => ({
        intentNo: no,
        before: before === null || before === '' ? undefined : before,
        version: { ...(JSON.parse(version) as IntentVersion), bytes: undefined },
      })),
    );
  }

  async add(version: NewPageVersion): Promise<StoredPage> {
    // The file is there already, and is found again after a power cut: 10,000 new ones need not wait for the disk each.
    return this.#db.writeLoosely(() => this.#addVersion(version));
  }

  async addSome(versions: readonly NewPageVersion[]): Promise<number> {
    return this.#db.writeLoosely(() => {
      const begun = performance.now();
      let count = 0;
      for (const version of versions) {
        this.#addVersion(version);
        count += 1;
        if (performance.now() - begun > longestTransaction) break;
      }
      return count;
    });
  }

  async stamp(
    files: readonly { readonly uri: string; readonly contentHash: string; readonly stamp: string }[],
  ): Promise<void> {
    this.#db.writeLoosely(() => {
      for (const { uri, contentHash, stamp } of files) {
        this.#writes.stampFile(uri, hashBytes(contentHash, 'content hash'), stamp);
      }
    });
  }

  async summarise(uri: string, summary: PageSummary, at: number): Promise<void> {
    this.#db.write(() => {
      this.#writes.summarise(uri, summary);
      this.#outbox.put(uri, 'put', at);
    });
  }

  async history(uri: string, page: PageRequest): Promise<Page<PageVersion>> {
    return this.#db.read(() => {
      const row = findRow(this.#reads, uri);
      if (!row) return { items: [], nextCursor: undefined, total: 0 };
      const [before = Number.MAX_SAFE_INTEGER] =
        page.cursor === undefined ? [] : readCursor('page versions', page.cursor, 1);
      const found = this.#reads.versions(row.no, before, page.limit + 1);
      const items = found.slice(0, page.limit);
      const last = items.at(-1);
      const nextCursor = found.length > page.limit && last ? writeCursor('page versions', [last.version]) : undefined;
      return { items: items.map(toVersion), nextCursor, total: this.#reads.countVersions(row.no) };
    });
  }

  async readVersion(
    uri: string,
    version: number,
  ): Promise<{ readonly version: PageVersion; readonly bytes: Uint8Array | undefined } | undefined> {
    return this.#db.read(() => {
      const row = findRow(this.#reads, uri);
      const found = row && this.#reads.version(row.no, version);
      if (!found) return undefined;
      const content = this.#reads.content(hashBytes(found.contentHash, 'content hash'));
      return { version: toVersion(found), bytes: content && unpackBytes(content) };
    });
  }

  async erase(
    uri: string,
    at: number,
  ): Promise<{ readonly versions: number; readonly contents: number; readonly backups: readonly string[] }> {
    const removed = leavingNothing(this.#db, () => {
      const row = findRow(this.#writes, uri);
      if (!row) return { versions: 0, contents: 0 };
      const hashes = this.#writes.hashesOf(row.no);
      const versions = this.#writes.remove(row.no);
      this.#outbox.put(row.uri, 'remove', at);
      return { versions, contents: this.#writes.sweepContent(hashes) };
    });
    return { ...removed, backups: this.#backups() };
  }

  async thin(uri: string, reason: string): Promise<number> {
    return leavingNothing(this.#db, () => {
      const row = findRow(this.#writes, uri);
      if (!row) return 0;
      const hashes = this.#writes.hashesOf(row.no);
      const versions = this.#writes.thin(row.no, reason, row.version);
      this.#writes.sweepContent(hashes);
      return versions;
    });
  }

  async rewriteEarlier(uri: string, rewrite: (bytes: Uint8Array) => Uint8Array | undefined): Promise<number> {
    return leavingNothing(this.#db, () => {
      const page = findRow(this.#writes, uri);
      if (!page) return 0;
      const before = this.#writes.hashesOf(page.no);
      let count = 0;
      for (const version of this.#writes.versions(page.no, page.version, Number.MAX_SAFE_INTEGER)) {
        const content = this.#writes.content(hashBytes(version.contentHash, 'content hash'));
        const bytes = content && rewrite(unpackBytes(content));
        if (!bytes) continue;
        const contentHash = digest('sha256', bytes, 'hex');
        const hash = hashBytes(contentHash, 'content hash');
        this.#putContent(hash, bytes);
        this.#writes.replaceVersion(page.no, { ...version, contentHash, size: bytes.length }, hash);
        count += 1;
      }
      this.#writes.sweepContent(before);
      return count;
    });
  }

  #addVersion(version: NewPageVersion): StoredPage {
    const { uri, previousUri, at, change } = version;
    const hash = hashBytes(version.contentHash, 'content hash');
    const own = this.#writes.byUri(previousUri ?? uri);
    if (previousUri !== undefined) this.#requireFree(uri);
    const isGone = change === 'deleted';
    const number = (own?.version ?? 0) + 1;
    const row = {
      ...{ uri, path: version.path, version: number, hash, size: version.size, summary: version.summary },
      ...ownerOf(uri),
      createdAt: version.summary.created ?? own?.createdAt ?? at,
      updatedAt: at,
      gone: isGone ? (1 as const) : (0 as const),
      stamp: isGone ? null : (version.stamp ?? null),
    };
    const no = own?.no ?? this.#writes.insert(row);
    if (own) this.#writes.update(no, row);
    this.#putContent(hash, version.bytes);
    const { contentHash, size, author, reason = null } = version;
    this.#writes.insertVersion(no, { uri, version: number, contentHash, size, at, author, reason, change }, hash);
    if (previousUri !== undefined) {
      this.#writes.moved(no, previousUri, uri, at);
      this.#outbox.put(previousUri, 'remove', at);
    }
    this.#outbox.put(uri, isGone ? 'remove' : 'put', at);
    const stored = this.#writes.byNo(no);
    if (!stored) throw new EngineError('internal', 'A page that was just written is not there.');
    return toPage(stored);
  }

  #requireFree(uri: string): void {
    if (!this.#writes.byUri(uri)) return;
    throw new EngineError('page_exists', `There is, or was, a page ${uri} with a history of its own. Choose another.`);
  }

  #putContent(hash: Uint8Array, bytes: Uint8Array | undefined): void {
    if (bytes === undefined) return;
    const packed = packBytes(bytes);
    this.#writes.putContent(hash, packed.encoding, packed.bytes);
  }

  #pathOf(cursor: string): string {
    const [no = 0] = readCursor('pages', cursor, 1);
    const row = this.#reads.byNo(no);
    if (row) return row.path;
    throw new EngineError(
      'invalid_request',
      'The page that the cursor stands at was removed. Leave the cursor out to start at the first page.',
    );
  }
}

/** A page that stands there, one that moved away from there, one that was deleted there. */
function findRow(reads: PageReads, uri: string): PageRow | undefined {
  const own = reads.byUri(uri);
  if (own?.gone === 0) return own;
  return reads.byAddress(uri) ?? own;
}

function ownerOf(uri: string): { readonly userId: string | null; readonly agentId: string | null } {
  const parsed = parseUri(uri);
  if (parsed.kind !== 'page') throw new EngineError('internal', `Expected the address of a page, got ${uri}.`);
  return {
    userId: parsed.owner === 'user' ? parsed.userId : null,
    agentId: parsed.owner === 'agent' ? parsed.agentId : null,
  };
}

function toPage({ no: _, gone, summary, ...row }: PageRow): StoredPage {
  // As it was written here.
  return { ...row, isGone: gone === 1, summary: JSON.parse(summary) as PageSummary };
}

function toVersion({ contentHash, at, reason, ...row }: VersionRow): PageVersion {
  return {
    ...row,
    content_hash: contentHash,
    at: new Date(at).toISOString(),
    ...(reason === null ? {} : { reason }),
  };
}
