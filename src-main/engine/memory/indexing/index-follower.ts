import type { LiveEvent } from '../../../../src-shared/model/events.ts';
import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import { OutboxDelivery, type DeliveryParts } from './outbox-delivery.ts';
import { TurnFollower, type FollowerParts } from './turn-follower.ts';
import { VectorFiller, type FillerParts } from './vector-filler.ts';

export type IndexFollowerParts = DeliveryParts & FollowerParts & Omit<FillerParts, 'now'>;

/** What is new waits this long, so that the parts of one turn are taken in together (ms). */
const settleMs = 150;
/** How often it looks for entries whose time has come, and for an embedder that may be back (ms). */
const lookMs = 5_000;
/** After a failure of the index or the store (ms). */
const retryMs = 5_000;

/**
 * Keeps the index in step with pages, turns and summaries, behind everything else: nobody waits for it, and what it did
 * not come to is still there after a restart.
 */
export class IndexFollower {
  readonly turns: TurnFollower;
  readonly #parts: IndexFollowerParts;
  readonly #delivery: OutboxDelivery;
  readonly #filler: VectorFiller;
  /** Sessions with something new; true: also look at their summaries. */
  readonly #sessions = new Map<string, boolean>();
  readonly #abort = new AbortController();
  #wantsOutbox = true;
  #wantsVectors = true;
  #running: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pause: Promise<void> | undefined;
  #failure: { readonly error: unknown; readonly since: number } | undefined;

  constructor(parts: IndexFollowerParts) {
    this.#parts = parts;
    this.turns = new TurnFollower(parts);
    this.#delivery = new OutboxDelivery(parts);
    this.#filler = new VectorFiller({ ...parts, now: () => parts.clock.now() });
  }

  start(): void {
    this.#schedule(0);
  }

  /** What is announced anywhere in the engine; takes no time. */
  note(event: LiveEvent): void {
    if (event.type === 'turns.committed') this.#noteSession(event.session_uid, false);
    else if (event.type === 'checkpoint.created' || event.type === 'session.changed') {
      this.#noteSession(event.session_uid, true);
    } else if (event.type === 'page.changed' && event.change !== 'indexed') {
      this.#wantsOutbox = true;
      this.#schedule(settleMs);
    }
  }

  /** Looks through everything that is due now. */
  wake(): void {
    this.#wantsOutbox = true;
    this.#wantsVectors = true;
    this.#schedule(0);
  }

  /** When all that was noted until now is in the index, or could not be brought there. */
  async settled(): Promise<void> {
    do {
      clearTimeout(this.#timer);
      await this.#pause;
      await this.#run();
    } while (!this.#abort.signal.aborted && !this.#failure && this.#sessions.size > 0);
  }

  /** Nothing is written between the beginning and the end of the work, which is not waited for by anybody but the caller. */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    while (this.#pause) await this.#pause;
    const running = this.#running;
    const done = (async () => {
      await running;
      return work();
    })();
    this.#pause = done.then(
      () => undefined,
      () => undefined,
    );
    try {
      return await done;
    } finally {
      this.#pause = undefined;
      this.wake();
    }
  }

  get failure(): { readonly error: unknown; readonly since: number } | undefined {
    return this.#failure;
  }

  get embedderTrouble(): VectorFiller['trouble'] {
    return this.#filler.trouble;
  }

  async stop(): Promise<void> {
    this.#abort.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  #noteSession(uid: string, withSummaries: boolean): void {
    this.#sessions.set(uid, withSummaries || this.#sessions.get(uid) === true);
    this.#schedule(settleMs);
  }

  #hasWork(): boolean {
    return this.#wantsOutbox || this.#wantsVectors || this.#sessions.size > 0;
  }

  #schedule(afterMs: number): void {
    if (this.#abort.signal.aborted || this.#running || this.#pause) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), afterMs);
    this.#timer.unref();
  }

  /** Never rejects: what fails is told, and tried again. */
  async #run(): Promise<void> {
    if (this.#pause || this.#abort.signal.aborted) return;
    this.#running ??= this.#work().finally(() => {
      this.#running = undefined;
      this.#wantsOutbox = true;
      this.#wantsVectors ||= this.#parts.embedder !== undefined && this.#filler.trouble !== undefined;
      this.#schedule(this.#failure ? retryMs : this.#sessions.size > 0 ? settleMs : lookMs);
    });
    await this.#running;
  }

  async #work(): Promise<void> {
    try {
      while (!this.#abort.signal.aborted && this.#hasWork() && !this.#pause) await this.#step();
      this.#failure = undefined;
    } catch (error) {
      if (this.#abort.signal.aborted || (error instanceof EngineError && error.code === 'shutting_down')) return;
      if (!this.#failure) this.#parts.log('warn', 'indexing_failed', { error: String(error) });
      this.#failure ??= { error, since: this.#parts.clock.now() };
    }
  }

  /** Turns go first: the next question may be about them. Vectors go last. */
  async #step(): Promise<void> {
    const [next] = this.#sessions;
    if (next) {
      const [uid, withSummaries] = next;
      this.#sessions.delete(uid);
      try {
        await this.turns.follow(uid, withSummaries, this.#abort.signal);
      } catch (error) {
        this.#sessions.set(uid, true);
        throw error;
      }
      this.#wantsVectors = true;
    } else if (this.#wantsOutbox) {
      this.#wantsOutbox = false;
      this.#wantsOutbox = await this.#delivery.deliver();
      this.#wantsVectors = true;
    } else {
      this.#wantsVectors = (await this.#filler.fill(this.#abort.signal)) > 0;
    }
  }
}
