import { hash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { toStoreError } from '../sqlite/to-store-error.ts';
import { openReader } from '../sqlite/open-connection.ts';
import type { ReadConnection } from '../sqlite/connection.ts';
import { contentReads } from '../tables/content-table.ts';

interface Row {
  readonly problem: string;
}

/**
 * Everything that can be checked about a database, for `strata doctor`: SQLite's own structures, references, the
 * numbering of turns, and every body against its hash. Reads the whole file, beside a running owner if need be.
 * @returns one sentence per problem; empty when all is well
 */
export function checkIntegrity(file: string): readonly string[] {
  if (!existsSync(file)) return [`${file} does not exist.`];
  try {
    const db = openReader(file, 5_000);
    try {
      const structure = sqliteProblems(db);
      // What SQLite cannot read in order says nothing reliable about the rest.
      return structure.length > 0 ? structure : db.snapshot(() => [...logProblems(db), ...bodyProblems(db)]);
    } finally {
      db.close();
    }
  } catch (error) {
    return [toStoreError(error).message];
  }
}

function sqliteProblems(db: ReadConnection): readonly string[] {
  const integrity = db.query<[], { readonly integrity_check: string }>('PRAGMA integrity_check(20)').all();
  const references = db
    .query<[], { readonly table: string; readonly parent: string }>('PRAGMA foreign_key_check')
    .all();
  return [
    ...integrity.map((row) => row.integrity_check).filter((line) => line !== 'ok'),
    ...references.slice(0, 20).map((row) => `A row of ${row.table} points to a missing row of ${row.parent}.`),
  ];
}

function logProblems(db: ReadConnection): readonly string[] {
  return [
    `SELECT 'Session ' || s.uid || ' counts ' || s.last_sequence || ' turns, the log has ' || count(t.sequence) ||
       ' up to number ' || coalesce(max(t.sequence), 0) || '.' AS problem
     FROM session s LEFT JOIN turn t ON t.session_no = s.session_no
     GROUP BY s.session_no
     HAVING count(t.sequence) <> s.last_sequence OR coalesce(max(t.sequence), 0) <> s.last_sequence`,
    `SELECT 'Turn ' || t.sequence || ' of session ' || s.uid || ' has lost its body.' AS problem
     FROM turn t JOIN session s ON s.session_no = t.session_no
     WHERE NOT EXISTS (SELECT 1 FROM content c WHERE c.content_hash = t.content_hash) LIMIT 20`,
  ].flatMap((sql) =>
    db
      .query<[], Row>(sql)
      .all()
      .map((row) => row.problem),
  );
}

function bodyProblems(db: ReadConnection): readonly string[] {
  const contents = contentReads(db);
  const batch = db.query<[number], { readonly no: number; readonly hash: string }>(
    'SELECT content_no AS no, lower(hex(content_hash)) AS hash FROM content WHERE content_no > ? ORDER BY content_no LIMIT 500',
  );
  const problems: string[] = [];
  for (let last = 0, rows = batch.all(0); rows.length > 0; rows = batch.all(last)) {
    const bodies = contents.bodies(rows.map((row) => row.hash));
    for (const row of rows) {
      const body = bodies.get(row.hash);
      if (body === undefined || hash('sha256', body, 'hex') !== row.hash) {
        problems.push(`The body ${row.hash} does not have the hash it is stored under.`);
      }
      last = row.no;
    }
    if (problems.length >= 20) break;
  }
  return problems;
}
