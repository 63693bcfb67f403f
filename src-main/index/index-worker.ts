import { parentPort, workerData } from 'node:worker_threads';
import type { ErrorCode } from '../../src-shared/model/engine-error.ts';
import { IndexDesk, readingMethods, type IndexMethod } from './index-calls.ts';
import { packAnswer } from './pack-answer.ts';
import { toIndexError } from './to-index-error.ts';

export interface IndexWorkerData {
  readonly file: string;
  readonly now: number;
}

export type IndexRequest =
  | { readonly id: number; readonly method: IndexMethod; readonly args: readonly unknown[] }
  | { readonly id: number; readonly cancel: true }
  | { readonly id: number; readonly close: true };

export type IndexReply =
  | { readonly opened: true; readonly note: string }
  | { readonly id: number; readonly answer: unknown }
  | {
      readonly id: number;
      readonly error: { readonly code: ErrorCode; readonly message: string; readonly details: unknown };
    };

type Call = Extract<IndexRequest, { method: unknown }>;

/** Reading calls that wait are answered together while they take no longer than this (ms). */
const togetherMs = 10;

/** Takes reading calls first, then writing ones, one at a time; what was cancelled before its turn is dropped. */
function serve(port: NonNullable<typeof parentPort>, desk: IndexDesk): void {
  const reading: Call[] = [];
  const writing: Call[] = [];
  let isDue = false;
  let isClosed = false;
  const next = (): void => {
    isDue = false;
    if (isClosed) return;
    const read = reading.length > 0;
    const replies = read ? answerAll(desk, reading) : writing.splice(0, 1).map((call) => answerTo(desk, call));
    if (replies.length > 0) port.postMessage(replies);
    // Writes do not keep searches slow for longer than they have to be.
    if (!read && !desk.isLoaded) desk.load();
    schedule();
  };
  // Messages that came meanwhile are read between two calls.
  const schedule = (): void => {
    if (isDue || isClosed || (reading.length + writing.length === 0 && desk.isLoaded)) return;
    isDue = true;
    setImmediate(next);
  };
  const take = (request: IndexRequest): void => {
    if ('close' in request) {
      isClosed = true;
      desk.close();
      port.postMessage([{ id: request.id, answer: undefined }] satisfies IndexReply[]);
      port.close();
    } else if ('cancel' in request) {
      const at = reading.findIndex(({ id }) => id === request.id);
      if (at !== -1) reading.splice(at, 1);
    } else {
      (readingMethods.has(request.method) ? reading : writing).push(request);
      schedule();
    }
  };
  port.on('message', (requests: readonly IndexRequest[]) => requests.forEach(take));
  // What searches keep in memory is read while nothing is asked.
  schedule();
}

function answerAll(desk: IndexDesk, calls: Call[]): IndexReply[] {
  const until = performance.now() + togetherMs;
  const replies: IndexReply[] = [];
  do replies.push(...calls.splice(0, 1).map((call) => answerTo(desk, call)));
  while (calls.length > 0 && performance.now() < until);
  return replies;
}

function answerTo(desk: IndexDesk, { id, method, args }: Call): IndexReply {
  try {
    // The client gives each method its own arguments.
    return { id, answer: packAnswer(method, desk.call(method, args as never)) };
  } catch (error) {
    const { code, message, details } = toIndexError(error);
    return { id, error: { code, message, details } };
  }
}

if (parentPort) {
  // Given by the client below.
  const { file, now } = workerData as IndexWorkerData;
  const desk = new IndexDesk(file, now);
  parentPort.postMessage([{ opened: true, note: desk.note }] satisfies IndexReply[]);
  serve(parentPort, desk);
}
