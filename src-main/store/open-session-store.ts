import { join } from 'node:path';
import type { JobQueue } from '../engine/ports/job-queue.ts';
import type { MemoryOutbox } from '../engine/ports/memory-outbox.ts';
import type { MemoryOperations } from '../engine/ports/memory-operations.ts';
import type { PageStore } from '../engine/ports/page-store.ts';
import type { SessionStore } from '../engine/ports/session-store.ts';
import type { StandingStore } from '../engine/ports/standing-store.ts';
import { DataDirLock } from './data-dir/data-dir-lock.ts';
import { ensureDataDir } from './data-dir/ensure-data-dir.ts';
import { SqliteJobQueue } from './jobs/sqlite-job-queue.ts';
import type { Migration } from './migrations/migration.ts';
import { migrations } from './migrations/migrations.ts';
import { markSuspect, openDatabase, type OpenDatabase } from './open-database.ts';
import { SqliteMemoryOperations } from './operations-log/sqlite-memory-operations.ts';
import { SqlitePageStore } from './pages/sqlite-page-store.ts';
import { SqliteMemoryOutbox } from './memory/sqlite-memory-outbox.ts';
import { Backups } from './recovery/backups.ts';
import { quickCheck } from './recovery/inspect-database.ts';
import type { RecoveryNote } from './recovery/recover-database.ts';
import { leaveWal } from './sqlite/open-connection.ts';
import { toStoreError } from './sqlite/to-store-error.ts';
import { SqliteSessionStore } from './sqlite-session-store.ts';
import { SqliteStandingStore } from './standing/sqlite-standing-store.ts';
import { StoreConnections } from './store-connections.ts';
import { metaWrites } from './tables/meta-table.ts';

export interface SessionStoreOptions {
  /** Absolute path; made (0700) where it is missing. */
  readonly dataDir: string;
  /** Newest backups that are kept. */
  readonly backups: number;
  /** Milliseconds since the Unix epoch; names backups and files that are set aside. */
  readonly now?: () => number;
  /** How long a write waits while another program holds the database locked (ms). Default 5,000. */
  readonly busyTimeoutMs?: number;
  /** The schema's steps; other than the product's own only in tests of migrating. */
  readonly migrations?: readonly Migration[];
}

/** The store of one data directory, and what opening it found. */
export interface OpenSessionStore extends SessionStore {
  /** The process before this one did not close the store: what was committed is there, but run `quickCheck`. */
  readonly wasUnclean: boolean;
  /** Set when a damaged database was put aside just now. */
  readonly recovery: RecoveryNote | undefined;
  /** Background work, in the same database. */
  readonly jobs: JobQueue;
  /** What the index of memory has yet to take in, in the same database. */
  readonly outbox: MemoryOutbox;
  /** Standing memory as sessions have it, and what sub-agents were granted. */
  readonly standing: StandingStore;
  /** Versions of memory pages, in the same database. */
  readonly pages: PageStore;
  /** What was judged about memory, in the same database. */
  readonly operations: MemoryOperations;
  /** SQLite's quick check over the whole file; empty when it is sound. Blocks while it reads. */
  quickCheck(): readonly string[];
  /** Copies the database under `backups/` while it is in use, in small steps. Returns the path. */
  backUp(): Promise<string>;
}

/**
 * Takes the data directory and opens the store in it.
 * @throws EngineError `data_dir_owned`, `data_dir_blocked`, `store_from_future`, `store_corrupt`, `store_failed` or
 * `disk_full`; the directory is free again then
 */
export function openSessionStore(options: SessionStoreOptions): OpenSessionStore {
  const { dataDir, now = Date.now } = options;
  ensureDataDir(dataDir);
  const lock = DataDirLock.take(dataDir);
  try {
    const file = join(dataDir, 'strata.db');
    const backups = new Backups(dataDir, options.backups);
    const database = openDatabase({
      file,
      backups,
      now,
      migrations: options.migrations ?? migrations,
      busyTimeoutMs: options.busyTimeoutMs ?? 5_000,
    });
    return new OpenedStore(database, lock, { file, backups, now });
  } catch (error) {
    lock.release();
    throw toStoreError(error);
  }
}

interface Place {
  readonly file: string;
  readonly backups: Backups;
  readonly now: () => number;
}

class OpenedStore extends SqliteSessionStore implements OpenSessionStore {
  readonly wasUnclean: boolean;
  readonly recovery: RecoveryNote | undefined;
  readonly jobs: JobQueue;
  readonly outbox: MemoryOutbox;
  readonly standing: StandingStore;
  readonly pages: PageStore;
  readonly operations: MemoryOperations;
  readonly #connections: StoreConnections;
  readonly #place: Place;

  constructor(database: OpenDatabase, lock: DataDirLock, place: Place) {
    const { writer, reader } = database;
    const connections = new StoreConnections(writer, reader, (reason) => markSuspect(place.file, reason));
    super(connections, () => shutDown(connections, lock));
    this.#connections = connections;
    this.#place = place;
    this.wasUnclean = database.wasUnclean;
    this.recovery = database.recovery;
    this.jobs = new SqliteJobQueue(connections);
    this.outbox = new SqliteMemoryOutbox(connections);
    this.standing = new SqliteStandingStore(connections);
    this.pages = new SqlitePageStore(connections, () => place.backups.list());
    this.operations = new SqliteMemoryOperations(connections);
  }

  quickCheck(): readonly string[] {
    return this.#connections.read(() => quickCheck(this.#connections.reader));
  }

  async backUp(): Promise<string> {
    const { schemaVersion } = await this.stats();
    const backup = this.#place.backups.begin(schemaVersion, this.#place.now());
    try {
      await this.#connections.maintain((writer) => writer.copyTo(backup.temporary));
      leaveWal(backup.temporary);
      return backup.commit();
    } catch (error) {
      throw toStoreError(error);
    }
  }
}

/** Leaves one complete file behind: no WAL, and the mark that says so. The directory is let go in any case. */
function shutDown(connections: StoreConnections, lock: DataDirLock): void {
  try {
    if (!connections.isCorrupt) {
      connections.write(() => metaWrites(connections.writer).set('clean_shutdown', '1'));
      connections.maintain((writer) => writer.pragma('optimize'));
      connections.maintain((writer) => writer.pragma('wal_checkpoint(TRUNCATE)'));
    }
  } finally {
    connections.close();
    lock.release();
  }
}
