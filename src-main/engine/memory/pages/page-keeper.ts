import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import { Pacer } from '../../compact/pacer.ts';
import type { PageStore } from '../../ports/page-store.ts';
import type { Workspace, WorkspaceHint } from '../../ports/workspace.ts';
import type { FilePages } from './file-pages.ts';
import { ensureWorkspace } from './workspace-guard.ts';

export interface KeeperParts {
  readonly workspace: Workspace;
  readonly pageStore: PageStore;
  readonly pages: FilePages;
  /** Undefined: it works again. */
  readonly onTrouble: (error: EngineError | undefined) => void;
  /** Where the workspace cannot be used or watched, it is looked through again after this time (ms). */
  readonly retryMs?: number;
}

/** Batches of a look through all files that may fail before it ends. */
const mostFailures = 10;
/** Pages that are looked at together. */
const batch = 100;

/**
 * Keeps the store in step with the files: looks through all of them at the start, then follows the hints of the watcher.
 * Where there is no watcher, it looks through them from time to time.
 */
export class PageKeeper {
  readonly #parts: KeeperParts;
  readonly #hints = new Set<string>();
  readonly #pacer = new Pacer();
  readonly #folders = new Set<string>();
  #wantsScan = true;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => Promise<void>) | undefined;
  #isStopped = false;
  #hasScanned = false;
  #isTaking = false;
  #readOnly: EngineError | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#wake();
  }

  /** While many files may still be on their way into the store. */
  get isTakingIn(): boolean {
    return this.#isTaking;
  }

  /** When everything that was hinted at until now is taken in, or could not be. */
  async settled(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /** Looks through all files now. */
  async scan(): Promise<void> {
    this.#wantsScan = true;
    this.#wake();
    await this.settled();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.settled();
    await this.#unwatch?.();
  }

  #hint(hint: WorkspaceHint): void {
    if ('folder' in hint) this.#folders.add(hint.folder);
    else this.#hints.add(hint.path);
    this.#wake();
  }

  #wake(): void {
    if (this.#isStopped) return;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
    });
  }

  /** Never rejects: what fails is told, and tried again later. */
  async #work(): Promise<void> {
    try {
      await this.#open();
      // What is hinted at while it is tried whether files can be written wakes nobody.
      do {
        await this.#takeInAll();
        this.#parts.onTrouble(await this.#writeTrouble());
      } while (this.#isDue());
    } catch (error) {
      this.#isTaking = false;
      this.#wantsScan = true;
      this.#fail(error);
    }
  }

  #isDue(): boolean {
    return !this.#isStopped && (this.#wantsScan || this.#hints.size > 0 || this.#folders.size > 0);
  }

  async #takeInAll(): Promise<void> {
    this.#isTaking = true;
    while (this.#isDue()) {
      if (this.#wantsScan) await this.#scan();
      else if (this.#hints.size > 0) await this.#lookAt(this.#nextHints());
      else await this.#lookAtFolders();
    }
    this.#isTaking = false;
  }

  /** Looked for after a look through all files, and as long as it lasts. */
  async #writeTrouble(): Promise<EngineError | undefined> {
    if (this.#hasScanned || this.#readOnly) this.#readOnly = await this.#parts.workspace.readOnly();
    this.#hasScanned = false;
    if (this.#readOnly) this.#wakeLater();
    return this.#readOnly;
  }

  async #open(): Promise<void> {
    if (this.#unwatch) return;
    const { workspace, pageStore, pages } = this.#parts;
    await workspace.prepare();
    await ensureWorkspace(workspace, pageStore);
    await pages.recover();
    // Watched from before the first look, so that nothing is changed unseen in between.
    this.#unwatch = await workspace.watch(
      (hint) => this.#hint(hint),
      (error) => this.#fail(error),
    );
  }

  #nextHints(): string[] {
    const paths = [...this.#hints].slice(0, batch);
    for (const path of paths) this.#hints.delete(path);
    return paths;
  }

  /** Files of a folder that went away are not always told of. */
  async #lookAtFolders(): Promise<void> {
    for (const folder of this.#folders) {
      this.#folders.delete(folder);
      await this.#lookAtKnown(folder === '' ? '' : `${folder}/`, () => false);
    }
  }

  /** What is known below there; only a file that is really gone is taken for deleted. */
  async #lookAtKnown(prefix: string, isSeen: (path: string) => boolean): Promise<void> {
    for (let after = prefix; !this.#isStopped;) {
      const known = (await this.#parts.pageStore.known(after, batch)).map(({ path }) => path);
      const inside = known.filter((path) => path.startsWith(prefix));
      await this.#lookAt(inside.filter((path) => !isSeen(path)));
      const last = known.at(-1);
      if (last === undefined || inside.length < known.length) return;
      after = last;
    }
  }

  async #scan(): Promise<void> {
    const { workspace, pages } = this.#parts;
    this.#wantsScan = false;
    this.#folders.clear();
    const failures: Error[] = [];
    let failedBatches = 0;
    const seen = new Set<string>();
    for await (const paths of workspace.list((_, error) => failures.push(error))) {
      for (const path of paths) seen.add(path);
      const changed = await pages.changedSince(paths);
      for (let at = 0; at < changed.length && !this.#isStopped; at += batch) {
        // What cannot be taken in does not stop the others; where nothing can be, there is no use in going on.
        await this.#lookAt(changed.slice(at, at + batch)).catch((error: unknown) => {
          failures.push(error instanceof Error ? error : new Error(String(error)));
          failedBatches += 1;
        });
        if (failures[0] && failedBatches > mostFailures) throw failures[0];
      }
      if (this.#isStopped) return;
    }
    // What is known and was not seen is looked for by itself.
    await this.#lookAtKnown('', (path) => seen.has(path));
    this.#hasScanned = true;
    if (failures[0]) throw failures[0];
  }

  async #lookAt(paths: readonly string[]): Promise<void> {
    // What was hinted at until now is seen by this look.
    for (const path of paths) this.#hints.delete(path);
    await this.#parts.pages.lookAt(paths);
    // Requests go first.
    await this.#pacer.pauseIfDue();
  }

  #fail(error: unknown): void {
    const trouble =
      error instanceof EngineError
        ? error
        : new EngineError('workspace_blocked', `The workspace cannot be followed: ${String(error)}`, { cause: error });
    this.#parts.onTrouble(trouble);
    this.#wantsScan = true;
    this.#wakeLater();
  }

  #wakeLater(): void {
    if (this.#isStopped) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#wake();
    }, this.#parts.retryMs ?? 30_000).unref();
  }
}
