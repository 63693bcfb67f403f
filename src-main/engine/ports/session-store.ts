import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { AssembleTrace, CallSummary, ProviderUsage } from '../../../src-shared/model/trace.ts';
import type { TurnRole } from '../../../src-shared/model/turn-envelope.ts';
import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { CallPage, CallPages } from './call-pages.ts';
import type { Page, PageRequest } from './paging.ts';
import type { ToolResultStore } from './tool-result-store.ts';

export type { Page, PageRequest } from './paging.ts';

/** Everything that makes a session the same session. `sessionKey` is empty where the host gave none. */
export interface SessionIdentity {
  readonly userId: string;
  readonly agentId: string;
  readonly sessionKey: string;
  readonly sessionId: string;
}

export interface SessionRow extends SessionIdentity {
  readonly uid: string;
  readonly epoch: number;
  readonly createdAt: number;
  readonly lastActiveAt: number;
  /** Turns over all epochs; also the newest sequence (sequences have no gaps). */
  readonly lastSequence: number;
  /** Sequence of the last turn before the present epoch; 0 in the first one. */
  readonly epochStart: number;
  /** Uncalibrated tokens of the present epoch's turns. */
  readonly epochTokens: number;
  readonly checkpointCount: number;
  readonly callCount: number;
  readonly lastCallId: string | undefined;
  readonly lastBudget: number | undefined;
  readonly lastModel: string | undefined;
  /** The host's transcript cursor after the newest catch-up. */
  readonly cursor: string | undefined;
  readonly parentSessionKey: string | undefined;
  readonly ended: { readonly reason: string; readonly at: number } | undefined;
}

export interface SessionPatch {
  readonly lastActiveAt?: number;
  readonly lastBudget?: number;
  readonly lastModel?: string;
  readonly cursor?: string | null;
  readonly parentSessionKey?: string;
  readonly ended?: { readonly reason: string; readonly at: number } | null;
}

/** A message on its way into the log. */
export interface NewTurn {
  readonly turnId: string;
  /** The host's identity of the message within its session; a second one with the same identity is not stored. */
  readonly identity: string;
  /** Hex SHA-256 of `messageKeyText`: how the host's references find the body again. */
  readonly messageKey: string;
  readonly entryId: string | undefined;
  readonly role: TurnRole;
  readonly format: MessageFormat;
  readonly timestamp: number;
  /** The host's original message as JSON text. */
  readonly body: string;
  /** Hex SHA-256 of `body`. */
  readonly contentHash: string;
  readonly tokens: number;
  /** First characters of what the message says, one line. */
  readonly preview: string;
  readonly toolCallIds: readonly string[];
  /** Id of the call that this tool result answers. */
  readonly toolResultFor: string | undefined;
  readonly excluded: boolean;
  readonly heartbeat: boolean;
}

/** What assemble and the reading routes need of a stored turn without its body. */
export interface TurnMeta {
  readonly turnId: string;
  readonly sequence: number;
  readonly epoch: number;
  readonly identity: string;
  readonly messageKey: string;
  readonly entryId: string | undefined;
  readonly advancementKey: string | undefined;
  readonly role: TurnRole;
  readonly format: MessageFormat;
  readonly timestamp: number;
  readonly contentHash: string;
  readonly tokens: number;
  /** Sum of `tokens` of this and all earlier turns of the epoch. */
  readonly tokensCumulative: number;
  readonly preview: string;
  readonly toolCallIds: readonly string[];
  readonly toolResultFor: string | undefined;
  readonly excluded: boolean;
  readonly heartbeat: boolean;
}

export interface AppendCommand {
  readonly sessionUid: string;
  readonly at: number;
  readonly turns: readonly NewTurn[];
  /** With a key: the whole call is stored once; the same key with another hash is a conflict. */
  readonly advancement?: { readonly key: string; readonly payloadHash: string };
  /** Session fields that change in the same transaction. */
  readonly patch?: SessionPatch;
}

/** What the host committed under one key. */
export interface StoredAdvancement {
  readonly key: string;
  readonly payloadHash: string;
  /** Of all its turns, in the host's order; also of those that were stored before it. */
  readonly sequences: readonly number[];
}

export type AppendResult =
  | {
      readonly status: 'stored' | 'duplicate';
      /** One per turn of the command (of the first call, when `duplicate`), in order. */
      readonly turnIds: readonly string[];
      /** Rows that were written, in order of sequence. */
      readonly stored: readonly TurnMeta[];
      readonly session: SessionRow;
    }
  | { readonly status: 'conflict'; readonly storedHash: string };

export interface ContentInfo {
  readonly contentHash: string;
  readonly messageKey: string;
  readonly tokens: number;
}

export interface NewContent extends ContentInfo {
  readonly body: string;
}

/** What is known of the model call that was made from an assemble call. */
export type NewUsage = ProviderUsage & {
  readonly forCalibration: boolean;
  /** It is surer than what may be recorded already. */
  readonly replaces?: boolean;
};

/** Which turns of a session are listed, and in which order of their sequences. */
export interface TurnListing {
  readonly order: 'asc' | 'desc';
  readonly epoch?: number;
  /** First and last sequence, ends included. */
  readonly from?: number;
  readonly to?: number;
}

/** Why a checkpoint stands no longer. */
export interface CheckpointEnd {
  readonly state: 'folded' | 'replaced' | 'dissolved';
  readonly at: number;
  /** The checkpoint that stands for it now. */
  readonly by: string | undefined;
}

export interface StoredCheckpoint {
  readonly checkpoint: CompactCheckpoint;
  /** Undefined while its summary is in the place of its turns. */
  readonly end: CheckpointEnd | undefined;
}

/** Standing checkpoints that a new one stands for from now on. */
export interface Succession {
  readonly ids: readonly string[];
  readonly as: 'folded' | 'replaced';
  readonly at: number;
}

export interface StoreStats {
  readonly schemaVersion: number;
  readonly sessions: number;
  readonly turns: number;
  readonly sizeBytes: number;
}

/**
 * The log and its neighbours on one data directory. Each method is one transaction: it happens wholly or not at all.
 * Failures are EngineErrors `store_failed`, `store_corrupt` or `disk_full`.
 */
export interface SessionStore extends ToolResultStore, CallPages {
  /** Finds the session or makes it. A session that was stored without a key takes the key when one comes. */
  openSession(identity: SessionIdentity, at: number, newUid: string): Promise<SessionRow>;
  /** Without a key in the request: the only session with this id of this agent, if there is one. */
  findSession(identity: SessionIdentity): Promise<SessionRow | undefined>;
  /** By uid, else all sessions with this host session id. */
  lookUpSessions(id: string): Promise<readonly SessionRow[]>;
  /** Newest session with the key, by last activity. */
  findSessionByKey(userId: string, sessionKey: string): Promise<SessionRow | undefined>;
  listSessions(
    page: PageRequest,
    filter: { readonly agentId?: string; readonly sessionKey?: string },
  ): Promise<Page<SessionRow>>;
  patchSession(uid: string, patch: SessionPatch): Promise<SessionRow>;
  /** Starts the next epoch (and forgets the transcript cursor) unless the present one is still empty. */
  startEpoch(uid: string, at: number): Promise<SessionRow>;

  appendTurns(command: AppendCommand): Promise<AppendResult>;
  /** Newest first, of one epoch, with `sequence < before` (all when undefined) and `sequence > after`. */
  turnsBefore(
    uid: string,
    range: { readonly epoch: number; readonly before?: number; readonly after?: number; readonly limit: number },
  ): Promise<readonly TurnMeta[]>;
  /** Stored turns of the session (all epochs) with these identities. */
  turnsByIdentity(uid: string, identities: readonly string[]): Promise<readonly TurnMeta[]>;
  /** Stored turns of one epoch with these message keys. */
  turnsByMessageKey(uid: string, epoch: number, keys: readonly string[]): Promise<readonly TurnMeta[]>;
  /** All of the session, over all epochs. */
  advancements(uid: string): Promise<readonly StoredAdvancement[]>;
  /** In order of sequence, ends included. */
  turnsInRange(uid: string, start: number, end: number, limit: number): Promise<readonly TurnMeta[]>;
  pageTurns(uid: string, page: PageRequest, filter: TurnListing): Promise<Page<TurnMeta>>;

  /** Bodies by content hash; unknown hashes are absent. */
  readBodies(hashes: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What is known of these message keys; unknown ones are absent. */
  findContents(messageKeys: readonly string[]): Promise<ReadonlyMap<string, ContentInfo>>;
  /** Stores bodies that belong to no turn (live messages, summaries); known hashes are left as they are. */
  putContents(contents: readonly NewContent[]): Promise<void>;

  /**
   * The checkpoint stands from now on, and those it succeeds stand no longer.
   * @throws EngineError `checkpoint_conflict` when something else stands for a part of its range
   */
  addCheckpoint(checkpoint: CompactCheckpoint, sessionUid: string, succession?: Succession): Promise<void>;
  /** Takes in checkpoints as they were exported, oldest first; known ids are left as they are. */
  importCheckpoints(checkpoints: readonly StoredCheckpoint[], sessionUid: string): Promise<void>;
  /**
   * The turns of a standing checkpoint are raw again; what it was made of stands again. Nothing is deleted.
   * @throws EngineError `unknown_checkpoint`, `checkpoint_conflict` when it does not stand
   */
  dissolveCheckpoint(checkpointId: string, at: number): Promise<void>;
  /** @throws EngineError `unknown_checkpoint`, `checkpoint_conflict` when it stands, or something else does */
  restoreCheckpoint(checkpointId: string, at: number): Promise<void>;
  /** Those that stand and those that do not, newest first. */
  pageCheckpoints(uid: string, page: PageRequest): Promise<Page<StoredCheckpoint>>;
  /** Those of one epoch that are in the place of turns now, the one of the newest turns first. */
  standingCheckpoints(uid: string, epoch: number): Promise<readonly CompactCheckpoint[]>;
  /** Ids of the parents of those of the epoch that somebody dissolved. */
  unfoldedCheckpoints(uid: string, epoch: number): Promise<readonly string[]>;
  /** The one of the epoch that was made last, whether or not it stands. */
  newestCheckpoint(uid: string, epoch: number): Promise<CompactCheckpoint | undefined>;
  findCheckpoint(checkpointId: string): Promise<(StoredCheckpoint & { readonly sessionUid: string }) | undefined>;
  /** Sessions that name this one as their parent, last active first; 100 at most. */
  childSessions(userId: string, parentSessionKey: string): Promise<readonly SessionRow[]>;

  /** Writes the trace, the contents it names, and the session's patch, together. */
  addCall(
    trace: AssembleTrace,
    contents: readonly NewContent[],
    patch: SessionPatch,
    /** Items that are exactly what `turnTraceItem` makes of a stored turn; they need not be written out. */
    turnItems?: ReadonlySet<string>,
    /** Memory pages that the call had. */
    pages?: readonly CallPage[],
  ): Promise<void>;
  findCall(
    callId: string,
  ): Promise<{ readonly trace: AssembleTrace; readonly usage: ProviderUsage | undefined } | undefined>;
  /** Newest first. */
  pageCalls(uid: string, page: PageRequest): Promise<Page<CallSummary>>;
  /** Once per call; a second report for the same call is ignored and answered false, unless it `replaces`. */
  addUsage(callId: string, usage: NewUsage): Promise<boolean>;
  /** Newest first: what we estimated and what the provider counted, of calls fit for calibration. */
  calibrationSamples(
    model: string,
    limit: number,
  ): Promise<readonly { readonly estimated: number; readonly provider: number }[]>;
  /** Deletes the oldest traces beyond `keep`; contents that nothing names any more go with them. Returns how many. */
  pruneCalls(keep: number): Promise<number>;

  stats(): Promise<StoreStats>;
  close(): Promise<void>;
}
