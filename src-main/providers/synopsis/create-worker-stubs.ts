import { Worker } from 'node:worker_threads';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { readResultContent } from '../../../src-shared/synopsis/result-content.ts';
import type { ResultStubs } from '../../engine/ports/result-stubs.ts';
import { digestResult, shortenMessage } from './make-stub.ts';
import type { StubMade, StubReply, StubRequest, StubTask } from './synopsis-worker.ts';

/** Shorter texts (UTF-16 units) take a few milliseconds, and are not worth a way to another thread and back. */
const longestInline = 100_000;

/** The thread is ended when nothing came for so long (ms): large results come in bursts, and it holds some 10 MB. */
const idleMs = 60_000;

interface Waiting {
  readonly resolve: (made: StubMade) => void;
  readonly reject: (error: EngineError) => void;
}

/**
 * Long texts in a thread of their own, not in that of the tokenizer: a result of ten million characters takes a second,
 * and the counts that a model call waits for must not queue behind it. The thread is started when it is needed.
 */
export function createWorkerStubs(workerFile: URL = defaultWorkerFile()): ResultStubs {
  const workers = new StubWorker(workerFile);
  return {
    digest: async (input) => {
      const { text, images } = readResultContent(input.content);
      if (text.length <= longestInline && images.length === 0) return digestResult(input);
      const { digest } = await workers.make({ kind: 'digest', input });
      if (!digest) throw new EngineError('internal', 'The thread that makes synopses answered something else.');
      return digest;
    },
    ofMessage: async (input) =>
      input.body.length <= longestInline
        ? shortenMessage(input)
        : (await workers.make({ kind: 'message', input })).copy,
    close: () => workers.close(),
  };
}

class StubWorker {
  readonly #file: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #nextId = 1;
  #closed = false;

  constructor(file: URL) {
    this.#file = file;
  }

  make(task: StubTask): Promise<StubMade> {
    if (this.#closed) return Promise.reject(closedError());
    clearTimeout(this.#idle);
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      worker.postMessage({ id, task } satisfies StubRequest);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#idle);
    const closing = this.#worker;
    this.#worker = undefined;
    await closing?.terminate();
    this.#rejectAll(closedError());
  }

  #start(): Worker {
    const started = new Worker(this.#file);
    started.on('message', (reply: StubReply) => this.#take(started, reply));
    started.on('error', (cause) => this.#end(started, cause));
    started.on('exit', () => this.#end(started, undefined));
    return started;
  }

  #take(worker: Worker, reply: StubReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('made' in reply) waiting?.resolve(reply.made);
    else waiting?.reject(new EngineError('internal', `No synopsis could be made: ${reply.failure}`));
    if (this.#waiting.size > 0) return;
    worker.unref();
    this.#idle = setTimeout(() => {
      this.#worker = undefined;
      // Its end is heard of by "exit", where it is known to be no failure by then.
      void worker.terminate();
    }, idleMs).unref();
  }

  /** A thread that dies (out of memory) fails what it had; the next task has a new one. */
  #end(dead: Worker, cause: unknown): void {
    if (this.#worker !== dead) return;
    this.#worker = undefined;
    this.#rejectAll(new EngineError('internal', 'The thread that makes synopses stopped; try again.', { cause }));
  }

  #rejectAll(error: EngineError): void {
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }
}

function closedError(): EngineError {
  return new EngineError('shutting_down', 'No synopses are made any more: Strata is stopping. Try again when it runs.');
}

/** Beside this file in the sources; beside the bundle in a build. */
function defaultWorkerFile(): URL {
  const inSources = import.meta.url.endsWith('.ts');
  return new URL(inSources ? './synopsis-worker.ts' : './synopsis-worker.js', import.meta.url);
}
