import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { LiveEvent } from '../../../src-shared/model/events.ts';
import type { EventLog } from '../../engine/events/event-log.ts';

export interface EventStreams {
  /**
   * A stream of server-sent events for one client, until `signal` aborts or `closeAll`.
   * @throws EngineError `busy` when too many are open
   */
  open(lastEventId: string | undefined, signal: AbortSignal): ReadableStream<Uint8Array>;
  closeAll(): void;
  readonly count: number;
}

export interface EventStreamsOptions {
  readonly log: EventLog;
  /** How often a silent stream shows that it lives, in ms. */
  readonly heartbeatMs: number;
  readonly maxStreams: number;
}

/** Events taken from the log for one write. */
const batchSize = 256;
const comment = ':\n\n';

/**
 * A client has no buffer of its own here, only a position in the log: it is read on when the client has taken what
 * was written before. A client that falls behind the log's capacity gets `stream.gap` with the number it lost.
 */
export function createEventStreams(options: EventStreamsOptions): EventStreams {
  const open = new Set<ClientStream>();
  return {
    get count() {
      return open.size;
    },
    open(lastEventId, signal) {
      if (open.size >= options.maxStreams) {
        throw new EngineError('busy', `Expected at most ${options.maxStreams} open event streams. Close one first.`);
      }
      const client = new ClientStream(options, lastEventId, () => open.delete(client));
      open.add(client);
      return client.start(signal);
    },
    closeAll() {
      for (const client of [...open]) client.close();
    },
  };
}

class ClientStream {
  readonly #log: EventLog;
  readonly #heartbeatMs: number;
  readonly #onEnd: () => void;
  readonly #encoder = new TextEncoder();
  #position: string;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  #release: () => void = () => undefined;

  constructor(options: EventStreamsOptions, lastEventId: string | undefined, onEnd: () => void) {
    this.#log = options.log;
    this.#heartbeatMs = options.heartbeatMs;
    this.#position = lastEventId ?? options.log.lastId;
    this.#onEnd = onEnd;
  }

  start(signal: AbortSignal): ReadableStream<Uint8Array> {
    return new ReadableStream<Uint8Array>({
      start: (controller) => {
        this.#controller = controller;
        // Before anything is waited for: a client that left already must not leave a subscription behind.
        const onAbort = (): void => this.close();
        signal.addEventListener('abort', onAbort, { once: true });
        const unsubscribe = this.#log.subscribe(() => this.#flush());
        const heartbeat = setInterval(() => this.#beat(), this.#heartbeatMs);
        heartbeat.unref();
        this.#release = () => {
          signal.removeEventListener('abort', onAbort);
          unsubscribe();
          clearInterval(heartbeat);
        };
        if (signal.aborted) return this.close();
        // At once, so that proxies and clients see the stream open while nothing happens.
        this.#write(comment);
      },
      pull: () => this.#flush(),
      cancel: () => this.#end(),
    });
  }

  close(): void {
    const controller = this.#controller;
    this.#end();
    controller?.close();
  }

  #end(): void {
    if (!this.#controller) return;
    this.#controller = undefined;
    this.#release();
    this.#onEnd();
  }

  #flush(): void {
    if (!this.#isReady()) return;
    const missed = this.#log.since(this.#position);
    const batch = missed.events.slice(0, batchSize);
    const last = batch.at(-1);
    const gap = missed.gap ? frame(missed.from, { type: 'stream.gap', dropped: missed.dropped }) : '';
    this.#position = last?.id ?? missed.from;
    const text = gap + batch.map((entry) => frame(entry.id, entry.event)).join('');
    if (text !== '') this.#write(text);
  }

  #beat(): void {
    if (this.#isReady()) this.#write(comment);
  }

  /** False while the client has not taken the last write; `pull` then comes when it has. */
  #isReady(): boolean {
    return (this.#controller?.desiredSize ?? 0) > 0;
  }

  #write(text: string): void {
    this.#controller?.enqueue(this.#encoder.encode(text));
  }
}

function frame(id: string, event: LiveEvent): string {
  return `id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
