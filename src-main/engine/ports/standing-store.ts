import type { MemoryAccess } from '../../../src-shared/model/memory-scope.ts';

/** A part of the standing memory as it is sent. */
export interface StandingPart {
  readonly kind: 'profile' | 'memory_index' | 'layer';
  /** `profile`, `MEMORY.md`, `SOUL.md` … */
  readonly name: string;
  readonly text: string;
  readonly uris: readonly string[];
}

/** Standing memory of a session as it was read at one time, so that it stays the same from call to call. */
export interface StandingSnapshot {
  readonly sessionUid: string;
  readonly epoch: number;
  /** Milliseconds since the epoch. */
  readonly takenAt: number;
  /** Hash of what decides that it must be taken anew: checkpoints, access, configuration. */
  readonly basis: string;
  readonly parts: readonly StandingPart[];
}

/** What the one that spawned a sub-agent granted it of memory. */
export interface SubagentGrant {
  readonly userId: string;
  readonly childKey: string;
  readonly parentKey: string;
  /** Undefined: what the configuration says. */
  readonly access: MemoryAccess | undefined;
  readonly at: number;
}

export interface StandingStore {
  /** Of the session's present epoch. */
  findSnapshot(sessionUid: string, epoch: number): Promise<StandingSnapshot | undefined>;
  /** In the place of the one before. */
  putSnapshot(snapshot: StandingSnapshot): Promise<void>;
  /** All of them, so that neither the database nor its write-ahead log has their words any more. */
  eraseSnapshots(): Promise<void>;
  grantOf(userId: string, childKey: string): Promise<SubagentGrant | undefined>;
  putGrant(grant: SubagentGrant): Promise<void>;
}
