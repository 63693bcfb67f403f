import { hashBytes } from '../content/hash-bytes.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

export interface StandInRow {
  /** Hex SHA-256. */
  readonly key: string;
  readonly contentHash: string | null;
  readonly tokens: number;
}

export const standInSql = {
  find: `SELECT wanted.value AS key, lower(hex(content_hash)) AS contentHash, content_hash IS NULL AS isNone, tokens
    FROM json_each(?) wanted CROSS JOIN stand_in ON stand_in.key = unhex(wanted.value)`,
} as const;

export function standInReads(db: ReadConnection) {
  const find = db.query<[string], StandInRow & { readonly isNone: number }>(standInSql.find);
  return {
    find: (keys: readonly string[]): readonly StandInRow[] =>
      find
        .all(JSON.stringify(keys))
        .map(({ key, contentHash, isNone, tokens }) => ({ key, contentHash: isNone ? null : contentHash, tokens })),
  };
}

export function standInWrites(db: WriteConnection) {
  const insert = db.command<[Uint8Array, Uint8Array | null, number]>(
    'INSERT INTO stand_in (key, content_hash, tokens) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  return {
    ...standInReads(db),
    /** What is known stays as it is. */
    put({ key, contentHash, tokens }: StandInRow): void {
      const hash = contentHash === null ? null : hashBytes(contentHash, 'content hash');
      insert.run(hashBytes(key, 'key of a stand-in'), hash, tokens);
    },
  };
}
