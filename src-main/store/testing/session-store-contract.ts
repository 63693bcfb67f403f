import { describe } from 'vitest';
import { describeCalls } from './calls-contract.ts';
import { describeCheckpoints } from './checkpoints-contract.ts';
import { describeContents } from './contents-contract.ts';
import { describeSessions } from './sessions-contract.ts';
import type { CreateSubject } from './store-subject.ts';
import { describeToolResults } from './tool-results-contract.ts';
import { describeTurns } from './turns-contract.ts';

/** What every implementation of the port SessionStore must do, each operation on a fresh and on a reopened store. */
export function describeSessionStore(name: string, createSubject: CreateSubject): void {
  describe(`SessionStore: ${name}`, () => {
    describeSessions(createSubject);
    describeTurns(createSubject);
    describeContents(createSubject);
    describeCheckpoints(createSubject);
    describeCalls(createSubject);
    describeToolResults(createSubject);
  });
}
