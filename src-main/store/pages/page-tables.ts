import type { PageVersion } from '../../../src-shared/model/memory-page.ts';
import type { PageListFilter, PageSummary } from '../../engine/ports/page-store.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';

/** A row of `page`; hashes as lower-case hex. */
export interface PageRow {
  readonly no: number;
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly contentHash: string;
  readonly size: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly gone: 0 | 1;
  readonly summary: string;
}

export interface VersionRow {
  readonly uri: string;
  readonly version: number;
  readonly contentHash: string;
  readonly size: number;
  readonly at: number;
  readonly author: PageVersion['author'];
  readonly reason: string | null;
  readonly change: PageVersion['change'];
}

export interface ContentRow {
  readonly encoding: number;
  readonly bytes: Uint8Array;
}

export interface PageRowValues {
  readonly uri: string;
  readonly path: string;
  readonly version: number;
  readonly hash: Uint8Array;
  readonly size: number;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly gone: 0 | 1;
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly summary: PageSummary;
  readonly stamp: string | null;
}

const pageColumns = `page_no AS no, uri, path, version, lower(hex(content_hash)) AS contentHash, size,
  created_at AS createdAt, updated_at AS updatedAt, gone, summary`;
const versionColumns = 'uri, version, lower(hex(content_hash)) AS contentHash, size, at, author, reason, change';
const filtered = `gone = 0 AND (:kind IS NULL OR kind = :kind) AND (:status IS NULL OR status = :status)
  AND (:userId IS NULL OR user_id = :userId) AND (:agentId IS NULL OR agent_id = :agentId)
  AND (:prefix IS NULL OR substr(path, 1, length(:prefix)) = :prefix)`;

interface FilterValues {
  readonly kind: string | null;
  readonly status: string | null;
  readonly userId: string | null;
  readonly agentId: string | null;
  readonly prefix: string | null;
}

function filterValues(filter: PageListFilter): FilterValues {
  const { kind = null, status = null, userId = null, agentId = null, prefix = null } = filter;
  return { kind, status, userId, agentId, prefix };
}

export function pageReads(db: ReadConnection) {
  const byUri = db.query<[string], PageRow>(`SELECT ${pageColumns} FROM page WHERE uri = ?`);
  const byAddress = db.query<[string], PageRow>(
    `SELECT ${pageColumns} FROM page WHERE page_no IN (SELECT page_no FROM page_address WHERE page_address.uri = ?)
     ORDER BY gone, updated_at DESC, no DESC LIMIT 1`,
  );
  const byNo = db.query<[number], PageRow>(`SELECT ${pageColumns} FROM page WHERE page_no = ?`);
  const list = db.query<[FilterValues & { after: string; limit: number }], PageRow>(
    `SELECT ${pageColumns} FROM page WHERE ${filtered} AND path > :after ORDER BY path LIMIT :limit`,
  );
  const count = db.query<[FilterValues], { readonly count: number }>(
    `SELECT count(*) AS count FROM page WHERE ${filtered}`,
  );
  const known = db.query<[string, number], Pick<PageRow, 'uri' | 'path' | 'contentHash'>>(
    `SELECT uri, path, lower(hex(content_hash)) AS contentHash FROM page WHERE gone = 0 AND path > ? ORDER BY path LIMIT ?`,
  );
  const stamps = db.query<[string], { readonly path: string; readonly stamp: string }>(
    `SELECT path, file_stamp AS stamp FROM page
     WHERE gone = 0 AND file_stamp IS NOT NULL AND path IN (SELECT value FROM json_each(?))`,
  );
  const byUris = db.query<[string], PageRow>(
    `SELECT ${pageColumns} FROM page WHERE uri IN (SELECT value FROM json_each(?))`,
  );
  const knownContents = db.query<[string], { readonly hash: string }>(
    `SELECT value AS hash FROM json_each(?)
     WHERE EXISTS (SELECT 1 FROM page_version WHERE page_version.content_hash = unhex(value))`,
  );
  const withContent = db.query<[Uint8Array, Uint8Array, number], PageRow>(
    `SELECT ${pageColumns} FROM page WHERE page_no IN (SELECT page_no FROM page_version WHERE content_hash = ?)
       AND content_hash = ? ORDER BY path LIMIT ?`,
  );
  const unreadable = db.query<[], PageRow & { readonly count: number }>(
    `SELECT ${pageColumns}, count(*) OVER () AS count FROM page
     WHERE gone = 0 AND json_type(summary, '$.problem') = 'object' ORDER BY path LIMIT 1`,
  );
  const versions = db.query<[number, number, number], VersionRow>(
    `SELECT ${versionColumns} FROM page_version WHERE page_no = ? AND version < ? ORDER BY version DESC LIMIT ?`,
  );
  const version = db.query<[number, number], VersionRow>(
    `SELECT ${versionColumns} FROM page_version WHERE page_no = ? AND version = ?`,
  );
  const countVersions = db.query<[number], { readonly count: number }>(
    'SELECT count(*) AS count FROM page_version WHERE page_no = ?',
  );
  const content = db.query<[Uint8Array], ContentRow>('SELECT encoding, bytes FROM page_content WHERE content_hash = ?');
  const intents = db.query<[], { readonly no: number; readonly before: string | null; readonly version: string }>(
    'SELECT intent_no AS no, lower(hex(before_hash)) AS before, version FROM page_intent ORDER BY intent_no',
  );
  return {
    byUri: (uri: string) => byUri.get(uri),
    byAddress: (uri: string) => byAddress.get(uri),
    byNo: (no: number) => byNo.get(no),
    list: (filter: PageListFilter, after: string, limit: number) => list.all({ ...filterValues(filter), after, limit }),
    count: (filter: PageListFilter): number => count.get(filterValues(filter))?.count ?? 0,
    known: (after: string, limit: number) => known.all(after, limit),
    stamps: (paths: readonly string[]) => stamps.all(JSON.stringify(paths)),
    byUris: (uris: readonly string[]) => byUris.all(JSON.stringify(uris)),
    knownContents: (hashes: readonly string[]) => knownContents.all(JSON.stringify(hashes)).map((row) => row.hash),
    withContent: (hash: Uint8Array, limit: number) => withContent.all(hash, hash, limit),
    unreadable: () => unreadable.get(),
    versions: (no: number, before: number, limit: number) => versions.all(no, before, limit),
    version: (no: number, wanted: number) => version.get(no, wanted),
    countVersions: (no: number): number => countVersions.get(no)?.count ?? 0,
    content: (hash: Uint8Array) => content.get(hash),
    intents: () => intents.all(),
  };
}
export type PageReads = ReturnType<typeof pageReads>;

type InsertPage = [
  ...[string, string, number, Uint8Array, number, number, number, number],
  ...[string, string, string | null, string | null, string, string | null],
];

export function pageWrites(db: WriteConnection) {
  const insert = db.command<InsertPage>(
    `INSERT INTO page (uri, path, version, content_hash, size, created_at, updated_at, gone, kind, status, user_id, agent_id, summary,
       file_stamp) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const update = db.command<[...InsertPage, number]>(
    `UPDATE page SET uri = ?, path = ?, version = ?, content_hash = ?, size = ?, created_at = ?, updated_at = ?, gone = ?,
       kind = ?, status = ?, user_id = ?, agent_id = ?, summary = ?, file_stamp = ? WHERE page_no = ?`,
  );
  const summarise = db.command<[string, string, string, string]>(
    'UPDATE page SET kind = ?, status = ?, summary = ? WHERE uri = ?',
  );
  const stampFile = db.command<[string, string, Uint8Array]>(
    'UPDATE page SET file_stamp = ? WHERE uri = ? AND content_hash = ? AND gone = 0',
  );
  const insertVersion = db.command<[number, number, string, Uint8Array, number, number, string, string | null, string]>(
    `INSERT INTO page_version (page_no, version, uri, content_hash, size, at, author, reason, change)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const address = db.command<[string, number, number]>(
    'INSERT INTO page_address (uri, page_no, until) VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET until = excluded.until',
  );
  const noAddress = db.command<[string, number]>('DELETE FROM page_address WHERE uri = ? AND page_no = ?');
  const insertContent = db.command<[Uint8Array, number, Uint8Array]>(
    'INSERT INTO page_content (content_hash, encoding, bytes) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  // Of those that are named, only what no version and no intent has.
  const sweepContent = db.command<[string]>(
    `DELETE FROM page_content WHERE content_hash IN (SELECT unhex(value) FROM json_each(?))
       AND NOT EXISTS (SELECT 1 FROM page_version WHERE page_version.content_hash = page_content.content_hash)
       AND NOT EXISTS (SELECT 1 FROM page_intent WHERE page_intent.content_hash = page_content.content_hash)`,
  );
  const insertIntent = db.command<[Uint8Array, Uint8Array | null, string]>(
    'INSERT INTO page_intent (content_hash, before_hash, version) VALUES (?, ?, ?)',
  );
  const intent = db.query<[number], { readonly version: string }>(
    'SELECT version FROM page_intent WHERE intent_no = ?',
  );
  const removeIntent = db.command<[number]>('DELETE FROM page_intent WHERE intent_no = ?');
  const hashes = db.query<[number], { readonly hash: string }>(
    'SELECT DISTINCT lower(hex(content_hash)) AS hash FROM page_version WHERE page_no = ?',
  );
  const removeVersions = db.command<[number]>('DELETE FROM page_version WHERE page_no = ?');
  const removeVersion = db.command<[number, number]>('DELETE FROM page_version WHERE page_no = ? AND version = ?');
  const thin = db.command<[number, string, number]>(
    'DELETE FROM page_version WHERE page_no = ? AND reason = ? AND version < ?',
  );
  const removeAddresses = db.command<[number]>('DELETE FROM page_address WHERE page_no = ?');
  const removePage = db.command<[number]>('DELETE FROM page WHERE page_no = ?');

  function values(row: PageRowValues): InsertPage {
    const { uri, path, version, hash, size, createdAt, updatedAt, gone, userId, agentId, summary, stamp } = row;
    const { kind, status } = summary;
    return [
      ...[uri, path, version, hash, size, createdAt, updatedAt, gone],
      ...[kind, status, userId, agentId, JSON.stringify(summary), stamp],
    ] as InsertPage;
  }

  return {
    ...pageReads(db),
    insert: (row: PageRowValues): number => insert.run(...values(row)).rowid,
    update: (no: number, row: PageRowValues): void => {
      update.run(...values(row), no);
    },
    summarise: (uri: string, summary: PageSummary): void => {
      summarise.run(summary.kind, summary.status, JSON.stringify(summary), uri);
    },
    stampFile: (uri: string, hash: Uint8Array, stamp: string): void => {
      stampFile.run(stamp, uri, hash);
    },
    insertVersion: (no: number, row: VersionRow, hash: Uint8Array): void => {
      insertVersion.run(no, row.version, row.uri, hash, row.size, row.at, row.author, row.reason, row.change);
    },
    replaceVersion: (no: number, row: VersionRow, hash: Uint8Array): void => {
      removeVersion.run(no, row.version);
      insertVersion.run(no, row.version, row.uri, hash, row.size, row.at, row.author, row.reason, row.change);
    },
    /** From now on the page answers to the old address, too; the new one is its own. */
    moved: (no: number, from: string, to: string, at: number): void => {
      address.run(from, no, at);
      noAddress.run(to, no);
    },
    putContent: (hash: Uint8Array, encoding: number, bytes: Uint8Array): void => {
      insertContent.run(hash, encoding, bytes);
    },
    sweepContent: (named: readonly string[]): number => sweepContent.run(JSON.stringify(named)).changes,
    insertIntent: (hash: Uint8Array, before: Uint8Array | null, version: string): number =>
      insertIntent.run(hash, before, version).rowid,
    intent: (no: number) => intent.get(no),
    removeIntent: (no: number): void => {
      removeIntent.run(no);
    },
    hashesOf: (no: number): readonly string[] => hashes.all(no).map((row) => row.hash),
    thin: (no: number, reason: string, before: number): number => thin.run(no, reason, before).changes,
    remove: (no: number): number => {
      const versions = removeVersions.run(no).changes;
      removeAddresses.run(no);
      removePage.run(no);
      return versions;
    },
  };
}
export type PageWrites = ReturnType<typeof pageWrites>;
