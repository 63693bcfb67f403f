import { hash } from 'node:crypto';
import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { LiveEvent } from '../../../../src-shared/model/events.ts';
import type { MemoryPage, PageAuthor, PageHead, PageVersion } from '../../../../src-shared/model/memory-page.ts';
import { KeyedQueue } from '../../keyed-queue.ts';
import type { MemoryPages, SavePage } from '../../ports/memory-pages.ts';
import type { PageListFilter, StoredPage } from '../../ports/page-store.ts';
import type { Page, PageRequest } from '../../ports/session-store.ts';
import type { WriteOutcome } from '../../ports/workspace.ts';
import { composePage } from './compose-page.ts';
import { headOf, pageOf, parsePage, summaryOf } from './describe-page.ts';
import { checkNewPath } from './file-names.ts';
import { freeAddress } from './free-address.ts';
import { changeFields } from './grammar/change-page.ts';
import { canonicalUri, pathOfUri, uriOfPath } from './page-address.ts';
import { movedFrom } from './moved-from.ts';
import { changedSince, takeInMany } from './intake-batch.ts';
import { pageConflict, invalidPage, unknownPage } from './page-errors.ts';
import { takeIn, versionOf, type CurrentPage, type IntakeParts } from './page-intake.ts';
import { ensureWorkspace } from './workspace-guard.ts';

export interface FilePagesParts extends IntakeParts {
  readonly events: { publish(event: LiveEvent): void };
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** A save that names no version is made anew so often where somebody else keeps writing. */
const attempts = 20;

interface Seen {
  readonly baseVersion?: number | undefined;
  readonly baseHash?: string | undefined;
}

/** The port over the files of a workspace and the store of their versions. */
export class FilePages implements MemoryPages {
  readonly #parts: FilePagesParts;
  /** One page is written by one caller at a time. */
  readonly #queue = new KeyedQueue();
  readonly #listeners = new Set<(uri: string) => void>();
  #recovered: Promise<void> | undefined;
  readonly #forgetters = new Set<(uri: string) => Promise<void>>();

  constructor(parts: FilePagesParts) {
    this.#parts = parts;
  }

  async list(page: PageRequest, filter: PageListFilter): Promise<Page<PageHead>> {
    const found = await this.#parts.pageStore.list(page, filter);
    return { ...found, items: found.items.map(headOf) };
  }

  async find(uri: string): Promise<MemoryPage | undefined> {
    const found = await this.#find(canonicalUri(uri));
    return found && pageOf(found.stored, found.parsed);
  }

  async read(uri: string): Promise<MemoryPage> {
    const found = await this.find(uri);
    if (found) return found;
    throw unknownPage(uri, await this.#parts.pageStore.find(canonicalUri(uri)));
  }

  async addressFor(page: Parameters<MemoryPages['addressFor']>[0]): Promise<string> {
    return freeAddress(page, this.#parts);
  }

  async save(command: SavePage): Promise<MemoryPage> {
    const uri = canonicalUri(command.uri);
    const path = pathOfUri(uri);
    // A first page may come before anybody has made the directory.
    await ensureWorkspace(this.#parts.workspace, this.#parts.pageStore);
    await this.followMove(path);
    const outcome = await this.#queue.run(path, async () => this.#saveAt(path, { ...command, uri }));
    // The page moved away from there: the change is one of the page that it is now.
    return 'movedTo' in outcome ? this.save({ ...command, uri: outcome.movedTo }) : outcome;
  }

  async rename(
    uri: string,
    to: string,
    options: { readonly baseVersion?: number; readonly author: PageAuthor },
  ): Promise<MemoryPage> {
    const from = (await this.#require(uri)).stored;
    const [path, target] = [from.path, pathOfUri(canonicalUri(to))];
    if (path === target) return this.read(from.uri);
    checkNewPath(target);
    return this.#withBoth(path, target, async () => this.#move(path, target, options));
  }

  async history(uri: string, page: PageRequest): Promise<Page<PageVersion>> {
    const canonical = canonicalUri(uri);
    await this.#find(canonical);
    const found = await this.#parts.pageStore.history(canonical, page);
    if (found.total === 0) throw unknownPage(uri, undefined);
    return found;
  }

  async readVersion(uri: string, version: number): Promise<MemoryPage> {
    const { stored, found, bytes } = await this.#version(uri, version);
    const at = Date.parse(found.at);
    const { uri: address, content_hash: contentHash, size } = found;
    const parsed = parsePage({ bytes, size }, address, this.#parts.kinds);
    const summary = summaryOf(parsed, address, this.#parts.kinds);
    return pageOf({ ...stored, uri: address, version, contentHash, size, updatedAt: at, summary }, parsed);
  }

  async restore(
    uri: string,
    version: number,
    options: { readonly baseVersion?: number; readonly author: PageAuthor },
  ): Promise<MemoryPage> {
    const { stored, bytes } = await this.#version(uri, version);
    if (bytes === undefined)
      throw invalidPage(uri, { code: 'not_kept', message: 'its content was too large to be kept.' });
    const { path } = stored;
    return this.#queue.run(path, async () => {
      await ensureWorkspace(this.#parts.workspace, this.#parts.pageStore);
      const current = await this.#takeIn(path);
      this.#check(stored.uri, options, current);
      if (current?.stored.contentHash === hash('sha256', bytes, 'hex')) return pageOf(current.stored, current.parsed);
      const reason = `version ${version}`;
      const written = await this.#write({ path, bytes, current, author: options.author, reason, change: 'restored' });
      if (written) return written;
      throw pageConflict(stored.uri, seenOf(options), standing(await this.#takeIn(path)));
    });
  }

  async erase(uri: string, options: { readonly baseVersion?: number }): ReturnType<MemoryPages['erase']> {
    const canonical = canonicalUri(uri);
    const stored = (await this.#find(canonical))?.stored ?? (await this.#parts.pageStore.find(canonical));
    if (!stored) {
      // Asked again after a part of forgetting failed: the page is gone, the rest follows.
      await this.#forgetElsewhere(canonical);
      throw unknownPage(uri, undefined);
    }
    const erased = await this.#queue.run(stored.path, async () => this.#erase(stored, options));
    await this.#forgetElsewhere(stored.uri);
    return erased;
  }

  /** Each place that held words of the page, whatever becomes of the others. Rejects with the first failure. */
  async #forgetElsewhere(uri: string): Promise<void> {
    const outcomes = await Promise.allSettled([...this.#forgetters].map(async (forget) => forget(uri)));
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed) throw failed.reason;
  }

  onErase(forget: (uri: string) => Promise<void>): () => void {
    this.#forgetters.add(forget);
    return () => this.#forgetters.delete(forget);
  }

  onChange(listener: (uri: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Where a person moved a page's file to this path, the page moves with it, and answers at its old address. */
  async followMove(path: string): Promise<void> {
    // A file that an interrupted rename took away was not deleted by anybody.
    await this.recover();
    const from = await movedFrom(path, this.#parts);
    if (!from) return;
    await this.#withBoth(from.path, path, async () => {
      const { workspace, pageStore, kinds, clock } = this.#parts;
      await ensureWorkspace(workspace, pageStore);
      const still = await movedFrom(path, this.#parts);
      const file = still?.uri === from.uri ? await workspace.read(path) : undefined;
      if (file?.hash !== from.contentHash) return;
      const uri = requireUri(path);
      await pageStore.add({
        ...versionOf(uri, file, summaryOf(parsePage(file, uri, kinds), uri, kinds)),
        ...{ previousUri: from.uri, at: clock.now(), author: 'user', change: 'renamed' },
      });
      this.#tell(from.uri, 'removed');
      this.#tell(uri, 'written');
    });
  }

  /** Which of the files that the workspace lists may differ from what is known of them. */
  async changedSince(paths: readonly string[]): Promise<readonly string[]> {
    return changedSince(paths, this.#parts);
  }

  /** Looks at files that may have changed, together. Rejects when all of them were tried, with the first failure. */
  async lookAt(paths: readonly string[]): Promise<void> {
    await this.recover();
    const sorted = [...new Set(paths)].sort((a, b) => (a < b ? -1 : 1));
    const { rest } = await this.#withAll(sorted, async () =>
      takeInMany(sorted, this.#parts, (uri) => this.#tell(uri, 'written')),
    );
    // Where a file went to is looked at before it is taken for deleted where it was.
    const moves = await Promise.allSettled(rest.map(async (path) => this.followMove(path)));
    const looks = await Promise.allSettled(rest.map(async (path) => this.look(path)));
    const failed = [...moves, ...looks].find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
  }

  /** Looks at a file that may have changed. */
  async look(path: string): Promise<void> {
    await this.#queue.run(path, async () => this.#takeIn(path));
  }

  /** Ends writes that the process before this one began: together with their files, or not at all. Once. */
  async recover(): Promise<void> {
    this.#recovered ??= this.#recover().catch((error: unknown) => {
      this.#recovered = undefined;
      throw error;
    });
    return this.#recovered;
  }

  async #recover(): Promise<void> {
    for (const { intentNo, version } of await this.#parts.pageStore.intents()) {
      const from = version.previousUri === undefined ? version.path : pathOfUri(version.previousUri);
      await this.#withBoth(from, version.path, async () => this.#endIntent(intentNo));
    }
  }

  /** Whoever holds the page writes nothing else to it: an intent that is still there is nobody's any more. */
  async #endIntent(intentNo: number): Promise<void> {
    const { pageStore, workspace } = this.#parts;
    const intent = (await pageStore.intents()).find((open) => open.intentNo === intentNo);
    if (!intent) return;
    const { path, uri, previousUri, contentHash } = intent.version;
    const isWritten = (await workspace.read(path))?.hash === contentHash;
    const stands = await pageStore.find(uri);
    const isKnown = stands?.uri === uri && !stands.isGone && stands.contentHash === contentHash;
    if (!isWritten || isKnown) return pageStore.drop(intentNo);
    if (previousUri !== undefined && intent.before !== undefined) {
      await workspace.remove(pathOfUri(previousUri), intent.before);
    }
    const stored = await pageStore.commit(intentNo);
    this.#tell(stored.uri, 'written');
  }

  async #withBoth<T>(a: string, b: string, work: () => Promise<T>): Promise<T> {
    if (a === b) return this.#queue.run(a, work);
    const [first, second] = a < b ? [a, b] : [b, a];
    return this.#queue.run(first, async () => this.#queue.run(second, work));
  }

  /** @param paths in order, as everybody takes several */
  async #withAll<T>(paths: readonly string[], work: () => Promise<T>, at = 0): Promise<T> {
    const path = paths[at];
    if (path === undefined) return work();
    return this.#queue.run(path, async () => this.#withAll(paths, work, at + 1));
  }

  async #saveAt(path: string, command: SavePage): Promise<MemoryPage | { readonly movedTo: string }> {
    const { uri, author } = command;
    await ensureWorkspace(this.#parts.workspace, this.#parts.pageStore);
    for (let attempt = 1; ; attempt += 1) {
      const current = await this.#takeIn(path);
      if (!current && command.baseVersion !== 0) {
        const elsewhere = await this.#parts.pageStore.find(uri);
        if (elsewhere && !elsewhere.isGone && elsewhere.uri !== uri) return { movedTo: elsewhere.uri };
      }
      this.#check(uri, command, current);
      if (!current) checkNewPath(path);
      const bytes = composePage(command, current?.parsed, this.#parts.kinds, this.#parts.clock.now());
      if (current?.file.bytes && Buffer.compare(bytes, current.file.bytes) === 0) {
        return pageOf(current.stored, current.parsed);
      }
      const change = current ? 'changed' : 'created';
      const written = await this.#write({ path, bytes, current, author, reason: command.reason, change });
      if (written) return written;
      const isBound = command.baseVersion !== undefined || command.baseHash !== undefined;
      if (isBound || attempt === attempts) {
        throw pageConflict(uri, seenOf(command), standing(await this.#takeIn(path)));
      }
    }
  }

  #check(uri: string, seen: Seen, current: CurrentPage | undefined): void {
    const { baseVersion, baseHash } = seen;
    const isOther = baseVersion !== undefined && baseVersion !== (current?.stored.version ?? 0);
    const isOtherFile = baseHash !== undefined && baseHash !== current?.stored.contentHash;
    if (isOther || isOtherFile) throw pageConflict(uri, seenOf(seen), standing(current));
  }

  /** Undefined: somebody else wrote in between. */
  async #write(change: {
    readonly path: string;
    readonly bytes: Uint8Array;
    readonly current: CurrentPage | undefined;
    readonly author: PageAuthor;
    readonly reason: string | undefined;
    readonly change: PageVersion['change'];
  }): Promise<MemoryPage | undefined> {
    const { pageStore, workspace, clock } = this.#parts;
    const { path, bytes, current, author, reason } = change;
    const uri = requireUri(path);
    const parsed = parsePage({ bytes, size: bytes.length }, uri, this.#parts.kinds);
    const before = current?.stored.contentHash;
    const intent = await pageStore.begin(
      {
        ...{ uri, path, at: clock.now(), author, reason, change: change.change, bytes, size: bytes.length },
        contentHash: hash('sha256', bytes, 'hex'),
        summary: summaryOf(parsed, uri, this.#parts.kinds),
      },
      before,
    );
    const isWritten = await this.#orDrop(intent, async () => workspace.write(path, bytes, before ?? null));
    if (!isWritten) return undefined;
    const stored = await pageStore.commit(intent);
    this.#tell(uri, 'written');
    return pageOf(stored, parsed);
  }

  /** The intent goes where the file was not written, whatever the reason. */
  async #orDrop(intent: number, write: () => Promise<{ readonly status: 'written' | 'conflict' }>): Promise<boolean> {
    try {
      const { status } = await write();
      if (status === 'conflict') await this.#parts.pageStore.drop(intent);
      return status === 'written';
    } catch (error) {
      await this.#parts.pageStore.drop(intent);
      throw error;
    }
  }

  async #move(
    path: string,
    target: string,
    options: { readonly baseVersion?: number; readonly author: PageAuthor },
  ): Promise<MemoryPage> {
    const { pageStore, workspace, kinds, clock } = this.#parts;
    await ensureWorkspace(workspace, pageStore);
    const [from, to] = [requireUri(path), requireUri(target)];
    const current = await this.#takeIn(path);
    this.#check(from, options, current);
    if (!current) throw unknownPage(from, await pageStore.find(from));
    const there = await this.#takeIn(target);
    const taken = await pageStore.find(to);
    if (there || taken?.uri === to) throw pageConflict(to, { version: 0 }, standing(there) ?? stoodThere(taken));
    const { file, parsed, stored } = current;
    // A file without front matter is a person's note: it moves as it is.
    const text = parsed.frontMatter
      ? changeFields(parsed, { aliases: [...new Set([...parsed.aliases, from])] })
      : undefined;
    const bytes = text === undefined ? file.bytes : Buffer.from(text);
    // Too large to be read: the file itself moves.
    const size = bytes?.length ?? file.size;
    const moved = parsePage({ bytes, size }, to, kinds);
    const intent = await pageStore.begin(
      {
        ...{
          uri: to,
          path: target,
          previousUri: from,
          at: clock.now(),
          author: options.author,
          change: 'renamed' as const,
        },
        ...{ bytes, size, contentHash: bytes ? hash('sha256', bytes, 'hex') : stored.contentHash },
        summary: summaryOf(moved, to, kinds),
      },
      stored.contentHash,
    );
    const write = async (): Promise<WriteOutcome> =>
      bytes ? workspace.write(target, bytes, null) : workspace.move(path, target, stored.contentHash);
    if (!(await this.#orDrop(intent, write))) {
      throw pageConflict(to, { version: 0 }, standing(await this.#takeIn(target)));
    }
    // Changed in this moment: the change stays at the old address, as a page of its own.
    await workspace.remove(path, stored.contentHash);
    const renamed = await pageStore.commit(intent);
    this.#tell(from, 'removed');
    this.#tell(to, 'written');
    return pageOf(renamed, moved);
  }

  async #erase(stored: StoredPage, options: { readonly baseVersion?: number }): ReturnType<MemoryPages['erase']> {
    const { workspace, pageStore, clock } = this.#parts;
    const current = await this.#takeIn(stored.path);
    const { baseVersion } = options;
    if (baseVersion !== undefined && current && baseVersion !== current.stored.version) {
      throw pageConflict(stored.uri, { version: baseVersion }, standing(current));
    }
    if (current && (await workspace.remove(stored.path, current.file.hash)).status === 'conflict') {
      throw pageConflict(stored.uri, { version: current.stored.version }, standing(await this.#takeIn(stored.path)));
    }
    const erased = await pageStore.erase(stored.uri, clock.now());
    this.#tell(stored.uri, 'removed');
    const backups = erased.backups.length;
    return {
      removed: [
        { what: 'file', count: current ? 1 : 0 },
        { what: 'versions', count: erased.versions },
        { what: 'contents', count: erased.contents },
      ],
      remains: [
        ...(backups === 0
          ? []
          : [
              {
                what: `${backups} backups of the database`,
                until: 'newer backups have taken their places, or you delete them',
              },
            ]),
        { what: 'traces of calls that recalled it', until: 'as many newer calls are recorded as retention.calls says' },
        { what: 'the turns that it came from, in the log', until: 'you delete the log: it is lossless' },
        { what: 'blocks of the deleted file on the disk', until: 'the file system uses them for something else' },
      ],
    };
  }

  async #find(uri: string): Promise<CurrentPage | undefined> {
    const path = pathOfUri(uri);
    await this.followMove(path);
    const current = await this.#queue.run(path, async () => this.#takeIn(path));
    if (current) return current;
    const elsewhere = await this.#parts.pageStore.find(uri);
    if (!elsewhere || elsewhere.isGone || elsewhere.uri === uri) return undefined;
    return this.#queue.run(elsewhere.path, async () => this.#takeIn(elsewhere.path));
  }

  async #require(uri: string): Promise<CurrentPage> {
    const canonical = canonicalUri(uri);
    const found = await this.#find(canonical);
    if (found) return found;
    throw unknownPage(uri, await this.#parts.pageStore.find(canonical));
  }

  async #version(
    uri: string,
    version: number,
  ): Promise<{ readonly stored: StoredPage; readonly found: PageVersion; readonly bytes: Uint8Array | undefined }> {
    const canonical = canonicalUri(uri);
    await this.#find(canonical);
    const stored = await this.#parts.pageStore.find(canonical);
    const found = stored && (await this.#parts.pageStore.readVersion(canonical, version));
    if (stored && found) return { stored, found: found.version, bytes: found.bytes };
    if (!stored) throw unknownPage(uri, undefined);
    throw new EngineError('unknown_page', `${stored.uri} has versions 1 to ${stored.version}, and no ${version}.`, {
      details: { uri: stored.uri, version: stored.version },
    });
  }

  async #takeIn(path: string): Promise<CurrentPage | undefined> {
    const { current, change } = await takeIn(path, this.#parts);
    const uri = uriOfPath(path);
    if (change !== undefined && uri !== undefined) this.#tell(uri, change);
    return current;
  }

  #tell(uri: string, change: 'written' | 'removed'): void {
    this.#parts.events.publish({ type: 'page.changed', uri, change });
    for (const listener of this.#listeners) {
      try {
        listener(uri);
      } catch (error) {
        this.#parts.log('error', 'page_listener_failed', { uri, error: String(error) });
      }
    }
  }
}

function seenOf(seen: Seen): { readonly version: number | undefined; readonly hash?: string | undefined } {
  return { version: seen.baseVersion, hash: seen.baseHash };
}

function standing(
  current: CurrentPage | undefined,
): { readonly page: StoredPage; readonly content: string } | undefined {
  return current && { page: current.stored, content: current.parsed.text };
}

function stoodThere(
  taken: StoredPage | undefined,
): { readonly page: StoredPage; readonly content: string } | undefined {
  return taken && { page: taken, content: '' };
}

function requireUri(path: string): string {
  const uri = uriOfPath(path);
  if (uri !== undefined) return uri;
  throw new EngineError('invalid_request', `No page can have the path ${JSON.stringify(path.slice(0, 200))}.`);
}
