import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

type Name = 'clean_shutdown' | 'last_recovery' | 'calls_without_pages';

/** Single values about the database as a whole. */
export function metaReads(db: ReadConnection) {
  const select = db.query<[string], { readonly value: string }>('SELECT value FROM meta WHERE name = ?');
  return { get: (name: Name): string | undefined => select.get(name)?.value };
}

export function metaWrites(db: WriteConnection) {
  const upsert = db.command<[string, string]>(
    'INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value',
  );
  return { ...metaReads(db), set: (name: Name, value: string): void => void upsert.run(name, value) };
}
