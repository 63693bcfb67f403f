import type { SessionStore } from '../ports/session-store.ts';

/** What a replay reads. It is asked for nothing else, so that it can be a file as well. */
export type ReplaySource = Pick<
  SessionStore,
  | 'turnsBefore'
  | 'turnsInRange'
  | 'turnsByMessageKey'
  | 'readBodies'
  | 'findContents'
  | 'findStandIns'
  | 'findCheckpoint'
  | 'listSessions'
  | 'calibrationSamples'
>;
