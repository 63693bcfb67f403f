import type { StoreConnections } from './store-connections.ts';

/** What the work removes is overwritten in the file, and the write-ahead log, which has it still, is emptied. */
export function leavingNothing<T>(db: StoreConnections, work: () => T): T {
  // It stays so for what the outbox removes later.
  db.maintain((writer) => writer.pragma('secure_delete = 1'));
  const removed = db.write(work);
  db.maintain((writer) => writer.pragma('wal_checkpoint(TRUNCATE)'));
  return removed;
}
