import type { SubagentGrant } from '../../engine/ports/standing-store.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface SnapshotRow {
  readonly takenAt: number;
  readonly basis: string;
  /** JSON. */
  readonly parts: string;
}

interface GrantRow {
  readonly parentKey: string;
  readonly access: 'all' | 'shared' | 'none' | null;
  readonly at: number;
}

export function standingReads(db: ReadConnection) {
  const snapshot = db.query<[string, number], SnapshotRow>(
    'SELECT taken_at AS takenAt, basis, parts FROM standing_snapshot WHERE session_uid = ? AND epoch = ?',
  );
  const grant = db.query<[string, string], GrantRow>(
    'SELECT parent_key AS parentKey, access, granted_at AS at FROM subagent_grant WHERE user_id = ? AND child_key = ?',
  );
  return {
    snapshot: (sessionUid: string, epoch: number): SnapshotRow | undefined => snapshot.get(sessionUid, epoch),
    grant: (userId: string, childKey: string): GrantRow | undefined =>
      grant.get(userId.toWellFormed(), childKey.toWellFormed()),
  };
}

export function standingWrites(db: WriteConnection) {
  const putSnapshot = db.command<[string, number, number, string, string]>(
    `INSERT INTO standing_snapshot (session_uid, epoch, taken_at, basis, parts) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session_uid) DO UPDATE SET epoch = excluded.epoch, taken_at = excluded.taken_at,
       basis = excluded.basis, parts = excluded.parts`,
  );
  const removeSnapshots = db.command<[]>('DELETE FROM standing_snapshot');
  const putGrant = db.command<[string, string, string, string | null, number]>(
    `INSERT INTO subagent_grant (user_id, child_key, parent_key, access, granted_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (user_id, child_key) DO UPDATE SET parent_key = excluded.parent_key, access = excluded.access,
       granted_at = excluded.granted_at`,
  );
  return {
    putSnapshot: (sessionUid: string, epoch: number, row: SnapshotRow): void => {
      putSnapshot.run(sessionUid, epoch, row.takenAt, row.basis, row.parts);
    },
    removeSnapshots: (): void => {
      removeSnapshots.run();
    },
    putGrant: ({ userId, childKey, parentKey, access, at }: SubagentGrant): void => {
      const names = [userId, childKey, parentKey].map((name) => name.toWellFormed());
      putGrant.run(names[0] ?? '', names[1] ?? '', names[2] ?? '', access ?? null, at);
    },
  };
}
