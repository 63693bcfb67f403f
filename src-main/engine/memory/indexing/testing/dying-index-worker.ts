// The worker of the index, which ends without a word in the midst of a batch: each time it is to put a page whose title is
// `poison`, and once, where the file beside the index is not there yet, when it has put one whose title is `fragile`.
import { existsSync, writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';

interface Asked {
  readonly method?: string;
  readonly args?: readonly unknown[];
}

const { file } = workerData as { readonly file: string };
const mark = `${file}.died`;

parentPort?.on('message', (asked: readonly Asked[]) => asked.forEach(hear));

function hear({ method, args }: Asked): void {
  if (method !== 'putPages') return;
  const text = JSON.stringify(args);
  if (text.includes('"title":"poison"')) process.exit(3);
  if (text.includes('"title":"fragile"') && !existsSync(mark)) {
    writeFileSync(mark, '');
    // Behind the call itself, before anything that comes after it.
    setImmediate(() => setImmediate(() => process.exit(3)));
  }
}

// Behind the listener above, so that it hears first.
await import('../../../../index/index-worker.ts');
