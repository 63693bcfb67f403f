import { Worker } from 'node:worker_threads';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import type { MemoryIndexWriter } from '../engine/ports/memory-index-writer.ts';
import { IndexClient, queryAborted, type IndexLine } from './index-client.ts';
import { indexClosed, type IndexAnswer, type IndexArguments, type IndexMethod } from './index-calls.ts';
import type { IndexReply, IndexRequest, IndexWorkerData } from './index-worker.ts';
import { noBacklog, type IndexOptions } from './open-inline-index.ts';
import { unpackAnswer } from './pack-answer.ts';

export interface WorkerIndexOptions extends IndexOptions {
  /** The worker ended without being asked to, or could not open the index. It is started anew with the next call. */
  readonly onFailure?: (error: EngineError) => void;
  /** A file was set aside or made anew. */
  readonly onNote?: (note: string) => void;
  /** Other than the product's own only in tests. */
  readonly workerFile?: URL;
}

/**
 * The index in a thread of its own: a search of some milliseconds holds up nothing else. When the thread ends, what it
 * owed is given to the next one once more; its writes are transactions that may be repeated.
 */
export function createWorkerIndex(options: WorkerIndexOptions): MemoryIndexWriter {
  return new IndexClient(new WorkerLine(options), options.backlog ?? (() => noBacklog));
}

interface Waiting {
  readonly request: IndexRequest;
  /** Workers that it was given to. */
  attempts: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** A second worker that ends over the same call most likely ends because of it. */
const mostAttempts = 2;

class WorkerLine implements IndexLine {
  readonly #options: WorkerIndexOptions;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  /** What goes with the next message. */
  #outgoing: IndexRequest[] = [];
  #nextId = 1;
  #note = '';
  #isClosed = false;

  constructor(options: WorkerIndexOptions) {
    this.#options = options;
    this.#worker = this.#start();
  }

  note = (): string => this.#note;

  call: IndexLine['call'] = <M extends IndexMethod>(method: M, args: IndexArguments<M>, signal?: AbortSignal) => {
    if (this.#isClosed) return Promise.reject(indexClosed());
    if (signal?.aborted) return Promise.reject(queryAborted());
    const id = this.#nextId++;
    // Answers belong to the method that was asked.
    const answer = this.#ask({ id, method, args }) as Promise<IndexAnswer<M>>;
    if (!signal) return answer;
    const cancel = (): void => this.#cancel(id);
    signal.addEventListener('abort', cancel, { once: true });
    return answer.finally(() => signal.removeEventListener('abort', cancel));
  };

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const worker = this.#worker;
    if (!worker) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    const id = this.#nextId++;
    // Behind the calls that are on their way; those that are not answered by then are refused.
    void this.#ask({ id, close: true }).catch(() => undefined);
    const late = setTimeout(() => void worker.terminate(), closeWithinMs);
    await ended;
    clearTimeout(late);
    this.#worker = undefined;
    this.#rejectAll(indexClosed);
  }

  #ask(request: IndexRequest): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.set(request.id, { request, attempts: 0, resolve, reject });
      this.#send(request.id);
    });
  }

  #start(): Worker {
    const { file, now = Date.now, workerFile = defaultWorkerFile() } = this.#options;
    const started = new Worker(workerFile, { workerData: { file, now: now() } satisfies IndexWorkerData });
    started.unref();
    started.on('message', (replies: readonly IndexReply[]) => {
      for (const reply of replies) this.#receive(started, reply);
    });
    started.on('error', (cause) => this.#replace(started, cause));
    started.on('exit', () => this.#replace(started, undefined));
    return started;
  }

  #send(id: number): void {
    const waiting = this.#waiting.get(id);
    if (waiting) this.#post(waiting.request);
  }

  /** Calls that are made together go together: waking a thread costs more than most calls. */
  #post(request: IndexRequest): void {
    this.#outgoing.push(request);
    if (this.#outgoing.length === 1) queueMicrotask(() => this.#flush());
  }

  #flush(): void {
    const requests = this.#outgoing;
    this.#outgoing = [];
    if (requests.length === 0) return;
    const worker = (this.#worker ??= this.#start());
    if (this.#waiting.size > 0) worker.ref();
    try {
      worker.postMessage(requests);
    } catch (cause) {
      // Something in it cannot be sent to another thread.
      for (const { id } of requests) {
        this.#waiting.get(id)?.reject(cause instanceof Error ? cause : stopped(cause));
        this.#waiting.delete(id);
      }
      return;
    }
    for (const { id } of requests) {
      const waiting = this.#waiting.get(id);
      if (waiting) waiting.attempts += 1;
    }
  }

  #receive(worker: Worker, reply: IndexReply): void {
    if ('opened' in reply) {
      if (reply.note === '') return;
      this.#note = reply.note;
      this.#options.onNote?.(reply.note);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) worker.unref();
    if (!waiting) return;
    const { request } = waiting;
    if ('error' in reply) waiting.reject(readError(reply.error));
    else waiting.resolve('method' in request ? unpackAnswer(request.method, reply.answer) : undefined);
  }

  #cancel(id: number): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    this.#post({ id, cancel: true });
    if (this.#waiting.size === 0) this.#worker?.unref();
    waiting.reject(queryAborted());
  }

  #replace(dead: Worker, cause: unknown): void {
    if (this.#worker !== dead) return;
    this.#worker = undefined;
    // All that waits is sent again below.
    this.#outgoing = [];
    if (this.#isClosed) return;
    const failure = stopped(cause);
    this.#options.onFailure?.(failure);
    for (const [id, waiting] of this.#waiting) {
      if (waiting.attempts < mostAttempts) this.#send(id);
      else {
        this.#waiting.delete(id);
        waiting.reject(failure);
      }
    }
  }

  #rejectAll(error: () => EngineError): void {
    for (const { reject } of this.#waiting.values()) reject(error());
    this.#waiting.clear();
  }
}

/** Merging the write-ahead log of a large index takes a second or two. */
const closeWithinMs = 10_000;

function readError({ code, message, details }: Extract<IndexReply, { error: unknown }>['error']): EngineError {
  // As the worker's EngineError had them.
  return new EngineError(code, message, details === undefined ? {} : { details: details as Record<string, unknown> });
}

function stopped(cause: unknown): EngineError {
  const said = cause instanceof Error ? `: ${cause.message}` : '';
  return new EngineError(
    'store_failed',
    `The index of memory stopped${said}. It starts again with the next search; memory itself is not touched.`,
    { cause },
  );
}

/** Beside this file in the sources; beside the bundle in a build. */
function defaultWorkerFile(): URL {
  const inSources = import.meta.url.endsWith('.ts');
  return new URL(inSources ? './index-worker.ts' : './index-worker.js', import.meta.url);
}
