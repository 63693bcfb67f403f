import { parentPort } from 'node:worker_threads';
import { countO200k } from './count-o200k.ts';

export interface CountRequest {
  readonly id: number;
  readonly texts: readonly string[];
}

export interface CountReply {
  readonly id: number;
  readonly counts: readonly number[];
}

parentPort?.on('message', ({ id, texts }: CountRequest) => {
  const reply: CountReply = { id, counts: texts.map(countO200k) };
  parentPort?.postMessage(reply);
});
