import type { CompactCheckpoint } from '../../src-shared/model/checkpoint.ts';
import type { AssembleTrace, CallSummary, DecisionAction, ProviderUsage } from '../../src-shared/model/trace.ts';
import type { CallPage, PageUses } from '../engine/ports/call-pages.ts';
import type {
  AppendCommand,
  AppendResult,
  ContentInfo,
  NewContent,
  Page,
  PageRequest,
  SessionIdentity,
  SessionPatch,
  SessionRow,
  SessionStore,
  StoredAdvancement,
  StoredCheckpoint,
  StoreStats,
  Succession,
  TurnListing,
  TurnMeta,
} from '../engine/ports/session-store.ts';
import type { NewStandIn, NewToolResult, StoredStandIn, StoredToolResult } from '../engine/ports/tool-result-store.ts';
import { packInPieces } from './content/pack-in-pieces.ts';
import { packTrace, unpackTrace } from './content/pack-trace.ts';
import { addCall } from './operations/add-call.ts';
import { turnItemsOf } from './operations/turn-items-of.ts';
import {
  addCheckpoint,
  dissolveCheckpoint,
  importCheckpoints,
  restoreCheckpoint,
} from './operations/checkpoint-standing.ts';
import { addUsage } from './operations/add-usage.ts';
import { appendTurns } from './operations/append-turns.ts';
import { fillCallPages } from './operations/fill-call-pages.ts';
import { findSession } from './operations/find-session.ts';
import { asRequested, openSession } from './operations/open-session.ts';
import { pageCalls, pageCheckpoints, pageSessions, pageTurns, pageUses } from './operations/page-listings.ts';
import { patchSession } from './operations/patch-session.ts';
import { pruneCalls } from './operations/prune-calls.ts';
import { requireSession } from './operations/require-session.ts';
import { putToolResult } from './operations/put-tool-result.ts';
import { startEpoch } from './operations/start-epoch.ts';
import { findStandIns, putStandIns } from './operations/tool-result-stand-ins.ts';
import type { StoreConnections } from './store-connections.ts';
import { HeldRecords } from './tables/checkpoint-table.ts';
import { metaWrites } from './tables/meta-table.ts';
import type { SessionFilter, StoredSession } from './tables/session-table.ts';
import { readTables, writeTables, type ReadTables, type WriteTables } from './tables/store-tables.ts';

/** Bodies from this length on (characters) are packed before the transaction, in pieces. */
const packedAheadFrom = 200_000;

/** The port over SQLite: picks the connection, and translates between the port's types and the tables. */
export class SqliteSessionStore implements SessionStore {
  readonly #db: StoreConnections;
  readonly #reads: ReadTables;
  readonly #writes: WriteTables;
  readonly #shutDown: () => void;

  /** @param shutDown closes the connections and lets go of the data directory; called once */
  constructor(db: StoreConnections, shutDown: () => void) {
    this.#db = db;
    const held = new HeldRecords();
    this.#reads = readTables(db.reader, held);
    this.#writes = writeTables(db.writer, held);
    this.#shutDown = shutDown;
  }

  async openSession(identity: SessionIdentity, at: number, newUid: string): Promise<SessionRow> {
    const who = wellFormedIdentity(identity);
    // Nearly always the session is there: then no write lock is taken and nothing is synced to disk.
    const open = this.#db.read(() => asRequested(findSession(this.#reads.sessions, who), who));
    return toRow(open ?? this.#db.write(() => openSession(this.#writes, who, at, newUid)));
  }

  async findSession(identity: SessionIdentity): Promise<SessionRow | undefined> {
    const found = this.#db.read(() => findSession(this.#reads.sessions, wellFormedIdentity(identity)));
    return found && toRow(found);
  }

  async lookUpSessions(id: string): Promise<readonly SessionRow[]> {
    return this.#db.read(() => {
      const byUid = this.#reads.sessions.byUid(id);
      return (byUid === undefined ? this.#reads.sessions.bySessionId(id) : [byUid]).map(toRow);
    });
  }

  async findSessionByKey(userId: string, sessionKey: string): Promise<SessionRow | undefined> {
    const found = this.#db.read(() => this.#reads.sessions.newestByKey(userId, sessionKey));
    return found && toRow(found);
  }

  async listSessions(page: PageRequest, filter: SessionFilter): Promise<Page<SessionRow>> {
    const found = this.#db.read(() => pageSessions(this.#reads, page, filter));
    return { ...found, items: found.items.map(toRow) };
  }

  async patchSession(uid: string, patch: SessionPatch): Promise<SessionRow> {
    return this.#db.write(() => {
      const patched = patchSession(requireSession(this.#writes.sessions, uid), patch);
      this.#writes.sessions.save(patched);
      return toRow(requireSession(this.#writes.sessions, uid));
    });
  }

  async startEpoch(uid: string, at: number): Promise<SessionRow> {
    return toRow(this.#db.write(() => startEpoch(this.#writes, uid, at)));
  }

  async appendTurns(command: AppendCommand): Promise<AppendResult> {
    const result = this.#db.write(() => appendTurns(this.#writes, command));
    return result.status === 'conflict' ? result : { ...result, session: toRow(result.session) };
  }

  async turnsBefore(
    uid: string,
    range: { readonly epoch: number; readonly before?: number; readonly after?: number; readonly limit: number },
  ): Promise<readonly TurnMeta[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      const epoch = this.#reads.epochs.range(session, range.epoch);
      if (epoch === undefined) return [];
      const start = Math.max(epoch.start, range.after ?? 0);
      const end = range.before === undefined ? epoch.end : Math.min(epoch.end, range.before - 1);
      return this.#reads.turns.range(session.no, { start, end }, 'desc', range.limit);
    });
  }

  async turnsByIdentity(uid: string, identities: readonly string[]): Promise<readonly TurnMeta[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      return this.#reads.turns.byIdentity(session.no, identities);
    });
  }

  async turnsByMessageKey(uid: string, epoch: number, keys: readonly string[]): Promise<readonly TurnMeta[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      const range = this.#reads.epochs.range(session, epoch);
      return range === undefined ? [] : this.#reads.turns.byMessageKey(session.no, range, keys);
    });
  }

  async advancements(uid: string): Promise<readonly StoredAdvancement[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      return this.#reads.advancements.ofSession(session.no);
    });
  }

  async turnsInRange(uid: string, start: number, end: number, limit: number): Promise<readonly TurnMeta[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      return this.#reads.turns.range(session.no, { start: start - 1, end }, 'asc', limit);
    });
  }

  async pageTurns(uid: string, page: PageRequest, filter: TurnListing): Promise<Page<TurnMeta>> {
    return this.#db.read(() => pageTurns(this.#reads, uid, page, filter));
  }

  async readBodies(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#db.read(() => this.#reads.contents.bodies(hashes));
  }

  async findContents(messageKeys: readonly string[]): Promise<ReadonlyMap<string, ContentInfo>> {
    return this.#db.read(() => this.#reads.contents.infos(messageKeys));
  }

  async putContents(contents: readonly NewContent[]): Promise<void> {
    if (contents.length === 0) return;
    const known = this.#db.read(() => this.#reads.contents.known(contents.map((content) => content.contentHash)));
    const unknown = contents.filter((content) => !known.has(content.contentHash));
    if (unknown.length === 0) return;
    this.#db.write(() => {
      for (const content of unknown) this.#writes.contents.putLoose(content);
    });
  }

  async putToolResult(result: NewToolResult): Promise<'stored' | 'duplicate'> {
    const packed = result.body.length > packedAheadFrom ? await packInPieces(result.body) : undefined;
    return this.#db.write(() => putToolResult(this.#writes, result, packed));
  }

  async findToolResult(contentHash: string, userId: string): Promise<StoredToolResult | undefined> {
    return this.#db.read(() => this.#reads.toolResults.newestOfUser(contentHash, userId));
  }

  async findStandIns(keys: readonly string[]): Promise<ReadonlyMap<string, StoredStandIn | null>> {
    return this.#db.read(() => findStandIns(this.#reads, keys));
  }

  async putStandIns(standIns: readonly NewStandIn[]): Promise<void> {
    this.#db.writeLoosely(() => putStandIns(this.#writes, standIns));
  }

  async addCheckpoint(checkpoint: CompactCheckpoint, sessionUid: string, succession?: Succession): Promise<void> {
    this.#db.write(() => addCheckpoint(this.#writes, checkpoint, sessionUid, succession));
    // The next transaction that looks at all that stand need not unpack this one.
    this.#db.read(() => this.#reads.checkpoints.find(checkpoint.checkpoint_id));
  }

  async importCheckpoints(checkpoints: readonly StoredCheckpoint[], sessionUid: string): Promise<void> {
    this.#db.write(() => importCheckpoints(this.#writes, checkpoints, sessionUid));
  }

  async dissolveCheckpoint(checkpointId: string, at: number): Promise<void> {
    this.#db.write(() => dissolveCheckpoint(this.#writes, checkpointId, at));
  }

  async restoreCheckpoint(checkpointId: string, at: number): Promise<void> {
    this.#db.write(() => restoreCheckpoint(this.#writes, checkpointId, at));
  }

  async pageCheckpoints(uid: string, page: PageRequest): Promise<Page<StoredCheckpoint>> {
    return this.#db.read(() => pageCheckpoints(this.#reads, uid, page));
  }

  async standingCheckpoints(uid: string, epoch: number): Promise<readonly CompactCheckpoint[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      return this.#reads.checkpoints.standing(session.no, epoch).map((stored) => stored.checkpoint);
    });
  }

  async unfoldedCheckpoints(uid: string, epoch: number): Promise<readonly string[]> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      return this.#reads.checkpoints
        .dissolved(session.no, epoch)
        .flatMap(({ checkpoint }) => checkpoint.parent_checkpoint_ids);
    });
  }

  async newestCheckpoint(uid: string, epoch: number): Promise<CompactCheckpoint | undefined> {
    return this.#db.read(() => {
      const session = requireSession(this.#reads.sessions, uid);
      return this.#reads.checkpoints.newest(session.no, epoch)?.checkpoint;
    });
  }

  async findCheckpoint(
    checkpointId: string,
  ): Promise<(StoredCheckpoint & { readonly sessionUid: string }) | undefined> {
    return this.#db.read(() => {
      const found = this.#reads.checkpoints.find(checkpointId);
      return found && { checkpoint: found.checkpoint, end: found.end, sessionUid: found.sessionUid };
    });
  }

  async childSessions(userId: string, parentSessionKey: string): Promise<readonly SessionRow[]> {
    return this.#db.read(() => this.#reads.sessions.children(userId, parentSessionKey).map(toRow));
  }

  async addCall(
    trace: AssembleTrace,
    contents: readonly NewContent[],
    patch: SessionPatch,
    turnItems: ReadonlySet<string> = new Set(),
    pages: readonly CallPage[] = [],
  ): Promise<void> {
    const packed = packTrace(trace, turnItems);
    this.#db.writeLoosely(() => addCall(this.#writes, trace, packed, contents, patch, pages));
  }

  async findCall(
    callId: string,
  ): Promise<{ readonly trace: AssembleTrace; readonly usage: ProviderUsage | undefined } | undefined> {
    return this.#db.read(() => {
      const call = this.#reads.calls.find(callId);
      if (!call) return undefined;
      const trace = unpackTrace(call.packed, (sequences) => turnItemsOf(this.#reads, call.sessionNo, sequences));
      return { trace, usage: this.#reads.usages.find(call.no) };
    });
  }

  async pageCalls(uid: string, page: PageRequest): Promise<Page<CallSummary>> {
    return this.#db.read(() => pageCalls(this.#reads, uid, page));
  }

  async pageUses(uris: readonly string[], page: PageRequest, action: DecisionAction | undefined): Promise<PageUses> {
    return this.#db.read(() => pageUses(this.#reads, uris, page, action));
  }

  async fillCallPages(limit: number): Promise<number> {
    return this.#db.write(() =>
      fillCallPages(this.#writes, this.#reads, metaWrites(this.#db.writer), Math.max(1, Math.floor(limit))),
    );
  }

  async addUsage(callId: string, usage: ProviderUsage & { readonly forCalibration: boolean }): Promise<boolean> {
    return this.#db.write(() => addUsage(this.#writes, callId, usage));
  }

  async calibrationSamples(
    model: string,
    limit: number,
  ): Promise<readonly { readonly estimated: number; readonly provider: number }[]> {
    return this.#db.read(() => this.#reads.usages.samples(model, limit));
  }

  async pruneCalls(keep: number): Promise<number> {
    return this.#db.write(() => pruneCalls(this.#writes, keep));
  }

  async stats(): Promise<StoreStats> {
    return this.#db.read(() => ({
      schemaVersion: Number(this.#db.reader.pragma('user_version')),
      ...this.#reads.sessions.totals(),
      sizeBytes: Number(this.#db.reader.pragma('page_count')) * Number(this.#db.reader.pragma('page_size')),
    }));
  }

  async close(): Promise<void> {
    if (!this.#db.isClosed) this.#shutDown();
  }
}

function toRow({ no: _, ...row }: StoredSession): SessionRow {
  return row;
}

/** As SQLite stores it: UTF-8 has no lone surrogates. */
function wellFormedIdentity(who: SessionIdentity): SessionIdentity {
  return {
    userId: who.userId.toWellFormed(),
    agentId: who.agentId.toWellFormed(),
    sessionKey: who.sessionKey.toWellFormed(),
    sessionId: who.sessionId.toWellFormed(),
  };
}
