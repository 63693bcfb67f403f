import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { ReplaySource } from './replay-source.ts';

export interface AsOf {
  /** Newest turn that was stored then. */
  readonly lastSequence: number;
  /** Those that stood then, newest first. */
  readonly checkpoints: readonly CompactCheckpoint[];
}

/** The store as it was at a call: later turns are not there, and nothing can be written. */
export function storeAsOf(source: ReplaySource, { lastSequence, checkpoints }: AsOf): SessionStore {
  const reads: Partial<SessionStore> = {
    turnsBefore: (uid, range) =>
      source.turnsBefore(uid, { ...range, before: Math.min(range.before ?? Infinity, lastSequence + 1) }),
    turnsInRange: async (uid, start, end, limit) =>
      start > lastSequence ? [] : source.turnsInRange(uid, start, Math.min(end, lastSequence), limit),
    turnsByMessageKey: async (uid, epoch, keys) =>
      (await source.turnsByMessageKey(uid, epoch, keys)).filter(({ sequence }) => sequence <= lastSequence),
    standingCheckpoints: async () => checkpoints,
    readBodies: (hashes) => source.readBodies(hashes),
    findContents: (keys) => source.findContents(keys),
    findStandIns: (keys) => source.findStandIns(keys),
    /** What was made is made again the next time. */
    putStandIns: async () => undefined,
    calibrationSamples: (model, limit) => source.calibrationSamples(model, limit),
    listSessions: (page, filter) => source.listSessions(page, filter),
  };
  // Whatever else a store can do would be a mistake here, and is told as one.
  return new Proxy(reads as SessionStore, {
    get: (target, name: string) => {
      const method: unknown = Reflect.get(target, name);
      if (method !== undefined || typeof name === 'symbol' || name === 'then') return method;
      return () => Promise.reject(new EngineError('internal', `A call that is run again must not ask for ${name}.`));
    },
  });
}
