import { Worker } from 'node:worker_threads';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Tokenizer } from '../../engine/ports/tokenizer.ts';
import type { CountReply, CountRequest } from './tokenizer-worker.ts';

interface Waiting {
  readonly resolve: (counts: readonly number[]) => void;
  readonly reject: (error: Error) => void;
}

/**
 * o200k_base in a thread of its own: its tables take half a second to load, and long texts tens of milliseconds to
 * count, neither of which may hold up the event loop. A worker that died is started anew by the next count.
 */
export function createWorkerTokenizer(workerFile: URL = defaultWorkerFile()): Tokenizer {
  let worker: Worker | undefined;
  let nextId = 1;
  const waiting = new Map<number, Waiting>();

  function start(): Worker {
    const started = new Worker(workerFile);
    started.unref();
    started.on('message', ({ id, counts }: CountReply) => {
      waiting.get(id)?.resolve(counts);
      waiting.delete(id);
      if (waiting.size === 0) started.unref();
    });
    started.on('error', (cause) => abandon(started, cause));
    started.on('exit', () => abandon(started, undefined));
    return started;
  }

  function abandon(dead: Worker, cause: unknown): void {
    if (worker !== dead) return;
    worker = undefined;
    for (const { reject } of waiting.values()) {
      reject(
        new EngineError('internal', 'The tokenizer stopped while counting; the next call starts it again.', { cause }),
      );
    }
    waiting.clear();
  }

  worker = start();
  return {
    name: 'o200k_base',
    count(texts) {
      if (texts.length === 0) return Promise.resolve([]);
      const target = (worker ??= start());
      const request: CountRequest = { id: nextId++, texts };
      return new Promise((resolve, reject) => {
        waiting.set(request.id, { resolve, reject });
        target.ref();
        target.postMessage(request);
      });
    },
    async close() {
      const closing = worker;
      worker = undefined;
      await closing?.terminate();
      for (const { reject } of waiting.values()) reject(new EngineError('shutting_down', 'The tokenizer was closed.'));
      waiting.clear();
    },
  };
}

/** Beside this file in the sources; beside the bundle in a build. */
function defaultWorkerFile(): URL {
  const inSources = import.meta.url.endsWith('.ts');
  return new URL(inSources ? './tokenizer-worker.ts' : './tokenizer-worker.js', import.meta.url);
}
