import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Json } from '../../../src-shared/model/json.ts';
import type { NewJob } from '../../engine/ports/job-queue.ts';

/** Longest JSON text of a payload or a result (characters); what is larger belongs in a table of its own. */
const longestText = 1_000_000;

/** Latest time that a date can show (ms since the Unix epoch). */
const latestTime = 8.64e15;

/** @throws EngineError `invalid_request` */
export function checkNewJob(job: NewJob): void {
  if (!/^[a-z][a-z0-9_.-]{0,99}$/.test(job.type)) {
    throw refused('type', 'a name such as "compact" (lower-case letters, digits, "_", ".", "-")', job.type);
  }
  if (!Number.isSafeInteger(job.priority)) throw refused('priority', 'a whole number', job.priority);
  if (!isCount(job.maxAttempts)) throw refused('maxAttempts', 'a whole number from 1 on', job.maxAttempts);
  if (!isCount(job.timeoutMs)) throw refused('timeoutMs', 'whole milliseconds from 1 on', job.timeoutMs);
  if (job.runAfter !== undefined && !(Math.abs(job.runAfter) <= latestTime)) {
    throw refused('runAfter', 'milliseconds since the Unix epoch', job.runAfter);
  }
}

/** @throws EngineError `invalid_request` when the value has no JSON text, or one that is too long */
export function jsonText(value: Json, what: 'payload' | 'result'): string {
  const text = toText(value, what);
  if (text.length <= longestText) return text;
  throw refused(what, `at most ${longestText} characters of JSON`, text.length);
}

function toText(value: Json, what: string): string {
  try {
    // The type says that there is a text; values of other programs may still be undefined or a function.
    const text = JSON.stringify(value) as string | undefined;
    if (text !== undefined) return text;
  } catch (error) {
    throw new EngineError('invalid_request', `Expected the ${what} of the job to be JSON: ${String(error)}`, {
      cause: error,
    });
  }
  throw refused(what, 'JSON', typeof value);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 1;
}

function refused(what: string, expected: string, actual: string | number): EngineError {
  return new EngineError(
    'invalid_request',
    `Expected ${what} of the job to be ${expected}, got ${JSON.stringify(actual).slice(0, 100)}.`,
  );
}
