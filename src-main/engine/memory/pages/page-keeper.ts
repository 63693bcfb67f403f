import { setImmediate as nextTurn } from 'node:timers/promises';
import { EngineError } from '../../../../src-shared/model/engine-error.ts';
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

/** Pages that are looked at together. */
const batch = 100;

/**
 * Keeps the store in step with the files: looks through all of them at the start, then follows the hints of the watcher.
 * Where there is no watcher, it looks through them from time to time.
 */
export class PageKeeper {
  readonly #parts: KeeperParts;
  readonly #hints = new Set<string>();
  #wantsScan = true;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => Promise<void>) | undefined;
  #isStopped = false;
  #hasScanned = false;
  #readOnly: EngineError | undefined;

  constructor(parts: KeeperParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#wake();
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
    if (hint === undefined) this.#wantsScan = true;
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
      while (!this.#isStopped && (this.#wantsScan || this.#hints.size > 0)) {
        if (this.#wantsScan) await this.#scan();
        else await this.#lookAt(this.#nextHints());
      }
      if (!this.#unwatch) return;
      this.#parts.onTrouble(await this.#writeTrouble());
    } catch (error) {
      this.#wantsScan = true;
      this.#fail(error);
    }
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

  async #scan(): Promise<void> {
    const { workspace, pageStore } = this.#parts;
    this.#wantsScan = false;
    const failures: EngineError[] = [];
    for await (const paths of workspace.list((_, error) => failures.push(error))) {
      for (let at = 0; at < paths.length && !this.#isStopped; at += batch) {
        await this.#lookAt(paths.slice(at, at + batch));
      }
    }
    // What is known and was not seen is looked for by itself: only a file that is really gone is taken for deleted.
    for (let after = ''; !this.#isStopped;) {
      const known = await pageStore.known(after, batch);
      const last = known.at(-1);
      if (!last) break;
      await this.#lookAt(known.map((page) => page.path));
      after = last.path;
    }
    this.#hasScanned = true;
    if (failures[0]) throw failures[0];
  }

  async #lookAt(paths: readonly string[]): Promise<void> {
    const { pages } = this.#parts;
    // Where a file went to is looked at before it is taken for deleted where it was.
    const moves = await Promise.allSettled(paths.map(async (path) => pages.followMove(path)));
    const looks = await Promise.allSettled(paths.map(async (path) => pages.look(path)));
    // Requests go first.
    await nextTurn();
    const failed = [...moves, ...looks].find((result) => result.status === 'rejected');
    if (failed) throw failed.reason;
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
