import type {
  StandingPart,
  StandingSnapshot,
  StandingStore,
  SubagentGrant,
} from '../../engine/ports/standing-store.ts';
import { leavingNothing } from '../leaving-nothing.ts';
import type { StoreConnections } from '../store-connections.ts';
import { standingReads, standingWrites } from '../tables/standing-table.ts';

/** The port over SQLite. */
export class SqliteStandingStore implements StandingStore {
  readonly #db: StoreConnections;
  readonly #reads: ReturnType<typeof standingReads>;
  readonly #writes: ReturnType<typeof standingWrites>;

  constructor(db: StoreConnections) {
    this.#db = db;
    this.#reads = standingReads(db.reader);
    this.#writes = standingWrites(db.writer);
  }

  async findSnapshot(sessionUid: string, epoch: number): Promise<StandingSnapshot | undefined> {
    const row = this.#db.read(() => this.#reads.snapshot(sessionUid, epoch));
    if (!row) return undefined;
    // Written by `putSnapshot` below, as the very type.
    const parts = JSON.parse(row.parts) as StandingPart[];
    return { sessionUid, epoch, takenAt: row.takenAt, basis: row.basis, parts };
  }

  async putSnapshot({ sessionUid, epoch, takenAt, basis, parts }: StandingSnapshot): Promise<void> {
    const row = { takenAt, basis, parts: JSON.stringify(parts) };
    // It can be made again; a call waits for it.
    this.#db.writeLoosely(() => this.#writes.putSnapshot(sessionUid, epoch, row));
  }

  async eraseSnapshots(): Promise<void> {
    leavingNothing(this.#db, () => this.#writes.removeSnapshots());
  }

  async grantOf(userId: string, childKey: string): Promise<SubagentGrant | undefined> {
    const row = this.#db.read(() => this.#reads.grant(userId, childKey));
    return row && { userId, childKey, parentKey: row.parentKey, access: row.access ?? undefined, at: row.at };
  }

  async putGrant(grant: SubagentGrant): Promise<void> {
    this.#db.write(() => this.#writes.putGrant(grant));
  }
}
