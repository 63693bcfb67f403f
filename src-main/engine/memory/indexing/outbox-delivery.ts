import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { LiveEvent } from '../../../../src-shared/model/events.ts';
import type { Clock } from '../../ports/clock.ts';
import type { IndexedPage } from '../../ports/memory-index.ts';
import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';
import type { MemoryOutbox, OutboxEntry } from '../../ports/memory-outbox.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import { indexedPage } from './indexed-page.ts';

export interface DeliveryParts {
  readonly outbox: MemoryOutbox;
  readonly index: MemoryIndexWriter;
  readonly pages: Pick<MemoryPages, 'find'>;
  readonly clock: Clock;
  readonly events: { publish(event: LiveEvent): void };
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Entries that are taken at once. */
const batch = 64;
/** Tries after which an entry waits for a person or the next repair; the waits between them add up to some 17 minutes. */
const mostAttempts = 10;
/** First wait after a failure and the longest one (ms). */
const firstWait = 1_000;
const longestWait = 10 * 60_000;

/** A page as it is now; undefined: there is none any more. */
interface Due {
  readonly entry: OutboxEntry;
  readonly page: IndexedPage | undefined;
}

/** Brings what the outbox announces into the index: at least once, in any order, always as the page is now. */
export class OutboxDelivery {
  readonly #parts: DeliveryParts;

  constructor(parts: DeliveryParts) {
    this.#parts = parts;
  }

  /** One batch. Answers whether there may be more that is due now. Failures of single pages are noted and tried later. */
  async deliver(): Promise<boolean> {
    const { outbox, clock } = this.#parts;
    const entries = outbox.due(clock.now(), batch);
    const newest = new Map(entries.map((entry) => [entry.uri, entry]));
    const due: Due[] = [];
    for (const entry of newest.values()) {
      const read = await this.#attempt(entry, async () => {
        const page = await this.#parts.pages.find(entry.uri);
        return { entry, page: page && indexedPage(page) };
      });
      if (read) due.push(read);
    }
    await this.#put(due);
    return entries.length === batch;
  }

  /** Together; when that fails, one by one, so that a page the index cannot take holds up no other. */
  async #put(due: readonly Due[]): Promise<void> {
    try {
      await this.#write(due);
    } catch (error) {
      if (isStopping(error) || due.length === 0) throw error;
      // An index that takes nothing at all (a full disk, a file that cannot be opened) is no fault of a page: no attempts
      // are counted then, and everything waits. What this throws is told as a failure of the index.
      await this.#parts.index.remove([]);
      for (const one of due) await this.#attempt(one.entry, async () => this.#write([one]));
    }
  }

  async #write(due: readonly Due[]): Promise<void> {
    const { index, outbox, events } = this.#parts;
    // A page that moved is found under its new address, too.
    const gone = due.flatMap(({ entry, page }) => (page?.uri === entry.uri ? [] : [entry.uri]));
    const pages = due.flatMap(({ page }) => page ?? []);
    if (gone.length > 0) await index.remove(gone);
    if (pages.length > 0) await index.putPages(pages);
    outbox.done(due.map(({ entry }) => entry));
    for (const { uri } of pages) events.publish({ type: 'page.changed', uri, change: 'indexed' });
  }

  async #attempt<T>(entry: OutboxEntry, work: () => Promise<T>): Promise<T | undefined> {
    const { outbox, clock, log } = this.#parts;
    try {
      return await work();
    } catch (error) {
      if (isStopping(error)) throw error;
      const attempts = entry.attempts + 1;
      const dead = attempts >= mostAttempts;
      const wait = Math.min(longestWait, firstWait * 2 ** (attempts - 1));
      const message = error instanceof Error ? error.message : String(error);
      outbox.failed(entry, clock.now() + wait, message, dead);
      if (dead) log('error', 'page_not_indexed', { uri: entry.uri, attempts, error: message });
      return undefined;
    }
  }
}

function isStopping(error: unknown): boolean {
  return error instanceof EngineError && error.code === 'shutting_down';
}
