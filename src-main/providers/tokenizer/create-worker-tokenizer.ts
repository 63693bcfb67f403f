import { Worker } from 'node:worker_threads';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Tokenizer } from '../../engine/ports/tokenizer.ts';
import type { CountReply, CountRequest } from './tokenizer-worker.ts';

interface Waiting {
  readonly texts: readonly string[];
  /** Workers that it was given to. */
  attempts: number;
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/** A request whose worker dies is given to one more; a second death is likely its own doing. */
const mostAttempts = 2;

/**
 * o200k_base in a thread of its own: its tables take half a second to load, and long texts tens of milliseconds to
 * count, neither of which may hold up the event loop. A worker that died is started anew, and counts what it owed.
 */
export function createWorkerTokenizer(workerFile: URL = defaultWorkerFile()): Tokenizer {
  const workers = new WorkerTokenizer(workerFile);
  return {
    name: 'o200k_base',
    count: (texts) => workers.count(texts),
    close: () => workers.close(),
  };
}

class WorkerTokenizer {
  readonly #file: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #nextId = 1;
  #closed = false;

  constructor(file: URL) {
    this.#file = file;
    this.#worker = this.#start();
  }

  count(texts: readonly string[]): Promise<readonly number[]> {
    if (this.#closed) return Promise.reject(closedError());
    if (texts.length === 0) return Promise.resolve([]);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { texts, attempts: 0, resolve, reject });
      this.#send(id);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    const closing = this.#worker;
    this.#worker = undefined;
    await closing?.terminate();
    this.#rejectAll(() => closedError());
  }

  #start(): Worker {
    const started = new Worker(this.#file);
    started.unref();
    started.on('message', ({ id, counts }: CountReply) => {
      this.#waiting.get(id)?.resolve(counts);
      this.#waiting.delete(id);
      if (this.#waiting.size === 0) started.unref();
    });
    started.on('error', (cause) => this.#replace(started, cause));
    started.on('exit', () => this.#replace(started, undefined));
    return started;
  }

  #send(id: number): void {
    const request = this.#waiting.get(id);
    if (!request) return;
    request.attempts += 1;
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    worker.postMessage({ id, texts: request.texts } satisfies CountRequest);
  }

  #replace(dead: Worker, cause: unknown): void {
    if (this.#worker !== dead) return;
    this.#worker = undefined;
    for (const [id, request] of this.#waiting) {
      if (request.attempts < mostAttempts) this.#send(id);
      else {
        this.#waiting.delete(id);
        request.reject(stoppedError(cause));
      }
    }
  }

  #rejectAll(error: () => EngineError): void {
    for (const { reject } of this.#waiting.values()) reject(error());
    this.#waiting.clear();
  }
}

function closedError(): EngineError {
  return new EngineError('shutting_down', 'The tokenizer was closed: Strata is stopping. Try again when it runs.');
}

function stoppedError(cause: unknown): EngineError {
  return new EngineError('internal', 'The tokenizer stopped twice while counting; the next call starts it again.', {
    cause,
  });
}

/** Beside this file in the sources; beside the bundle in a build. */
function defaultWorkerFile(): URL {
  const inSources = import.meta.url.endsWith('.ts');
  return new URL(inSources ? './tokenizer-worker.ts' : './tokenizer-worker.js', import.meta.url);
}
