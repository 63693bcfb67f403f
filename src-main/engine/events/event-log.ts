import type { LiveEvent } from '../../../src-shared/model/events.ts';

export interface LoggedEvent {
  /** `<streamId>-<n>`, n counting from 1 in order of publication. */
  readonly id: string;
  readonly event: LiveEvent;
}

export interface MissedEvents {
  /** Published after the given id and still held, oldest first. */
  readonly events: readonly LoggedEvent[];
  /** How many of this stream's events after the given id are no longer held. */
  readonly dropped: number;
  /** True when the reader missed events: some were dropped, or its id is of another stream (an earlier run). */
  readonly gap: boolean;
  /** Id of the event just before `events`; a reader that is told of the gap is at this position. */
  readonly from: string;
}

/** The live events of one run of the host: the newest `capacity` of them, for any number of readers. */
export interface EventLog {
  /** Id of the newest event; `<streamId>-0` before the first one. */
  readonly lastId: string;
  /** Never throws: what happened has happened, whether or not somebody could be told. */
  publish(event: LiveEvent): void;
  /** Without an id: nothing, for a reader that starts now. */
  since(lastEventId: string | undefined): MissedEvents;
  /** `listener` runs within `publish` and must be quick. Returns what ends the subscription. */
  subscribe(listener: (entry: LoggedEvent) => void): () => void;
}

export interface EventLogOptions {
  /** Events that are held for readers that come back or are slow. */
  readonly capacity: number;
  /** Differs from run to run, so that an id of an earlier run is recognised. */
  readonly streamId: string;
  /** Told of a listener that threw; it is unsubscribed. Without it the error surfaces as uncaught. */
  readonly onListenerError?: (error: unknown) => void;
}

export function createEventLog(options: EventLogOptions): EventLog {
  return new RingEventLog(options);
}

class RingEventLog implements EventLog {
  readonly #options: EventLogOptions;
  readonly #listeners = new Set<(entry: LoggedEvent) => void>();
  /** Event n lies at (n - 1) mod capacity. */
  readonly #ring: LoggedEvent[] = [];
  #published = 0;

  constructor(options: EventLogOptions) {
    this.#options = options;
  }

  get lastId(): string {
    return this.#idOf(this.#published);
  }

  publish(event: LiveEvent): void {
    const entry = { id: this.#idOf(this.#published + 1), event };
    this.#ring[this.#published % this.#options.capacity] = entry;
    this.#published += 1;
    // A copy, because a listener may end its subscription while it is told.
    for (const listener of [...this.#listeners]) this.#tell(listener, entry);
  }

  since(lastEventId: string | undefined): MissedEvents {
    if (lastEventId === undefined) return { events: [], dropped: 0, gap: false, from: this.lastId };
    const position = this.#positionOf(lastEventId);
    const oldest = Math.max(0, this.#published - this.#options.capacity);
    const from = Math.max(position ?? 0, oldest);
    const events: LoggedEvent[] = [];
    for (let n = from; n < this.#published; n += 1) {
      const entry = this.#ring[n % this.#options.capacity];
      if (entry !== undefined) events.push(entry);
    }
    const dropped = from - (position ?? 0);
    return { events, dropped, gap: position === undefined || dropped > 0, from: this.#idOf(from) };
  }

  subscribe(listener: (entry: LoggedEvent) => void): () => void {
    // Wrapped, so that the same function subscribed twice is told twice and ended one by one.
    const own = (entry: LoggedEvent): void => listener(entry);
    this.#listeners.add(own);
    return () => {
      this.#listeners.delete(own);
    };
  }

  #tell(listener: (entry: LoggedEvent) => void, entry: LoggedEvent): void {
    try {
      listener(entry);
    } catch (error) {
      this.#listeners.delete(listener);
      const report = this.#options.onListenerError;
      if (report) report(error);
      else {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  #idOf(n: number): string {
    return `${this.#options.streamId}-${n}`;
  }

  /** Undefined for ids that this stream never gave out. */
  #positionOf(id: string): number | undefined {
    const prefix = `${this.#options.streamId}-`;
    const digits = id.startsWith(prefix) ? id.slice(prefix.length) : '';
    if (!/^\d{1,15}$/.test(digits)) return undefined;
    const position = Number(digits);
    return position <= this.#published ? position : undefined;
  }
}
