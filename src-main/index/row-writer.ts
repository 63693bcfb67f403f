import type Database from 'better-sqlite3';
import { hash } from 'node:crypto';
import { foldName } from '../engine/memory/indexing/fold-name.ts';
import { segmentWords } from '../engine/memory/indexing/segment-words.ts';
import type { IndexedLink, IndexedPage, IndexedTurn } from '../engine/ports/memory-index.ts';
import type { Owners } from './owners.ts';
import type { MirroredRow } from './row-mirror.ts';

/** A row that was written or removed, for the mirrors; its vector stands only while its text is the same. */
export type RowChange =
  | { readonly op: 'put'; readonly row: MirroredRow; readonly isSameText: boolean }
  | { readonly op: 'remove'; readonly id: number };

interface NewRow {
  readonly uri: string;
  readonly source: number;
  readonly level: 0 | 1 | 2;
  readonly ownerId: number;
  readonly kind: string;
  readonly status: string;
  readonly pinned: boolean;
  readonly title: string;
  readonly aliases: readonly string[];
  readonly sessionUid: string | null;
  readonly epoch: number | null;
  readonly sequence: number | null;
  readonly role: string | null;
  readonly speaker: string | null;
  readonly at: number;
  readonly contentHash: string;
  readonly version: number;
  readonly text: string;
}

interface StoredRow {
  readonly id: number;
  readonly source: number;
  readonly level: number;
  readonly textHash: string;
}

/** Longer texts are indexed by their beginning (UTF-16 units); nobody looks for what stands behind a million characters. */
const longestText = 1_000_000;

/** Writes rows with everything that hangs on them. A row keeps its id while its page or turn is there. */
export class RowWriter {
  readonly #owners: Owners;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Database.Database, owners: Owners) {
    this.#owners = owners;
    this.#statements = prepare(db);
  }

  putPage(page: IndexedPage): RowChange[] {
    const ownerId = this.#owners.idOf({ ...page.owner, ofPage: true });
    const { abstract, overview, text } = page.levels;
    const levels = [abstract, overview, text]
      .map((content, level) => ({ content, level: level as 0 | 1 | 2 }))
      // The page itself always has a row, whatever is in it.
      .filter(({ content, level }) => level === 2 || content.trim() !== '');
    const changes = this.#putLevels(
      page.uri,
      levels.map(({ content, level }) => ({
        uri: page.uri,
        source: 0,
        level,
        ownerId,
        kind: page.kind,
        status: page.status,
        pinned: page.pinned,
        title: page.title,
        aliases: [...page.aliases, ...page.tags],
        ...noTurn,
        at: page.updatedAt,
        contentHash: page.contentHash,
        version: page.version,
        text: content,
      })),
    );
    this.#putNames(page);
    this.#putLinks(page.uri, page.links);
    return changes;
  }

  putTurn(turn: IndexedTurn): RowChange[] {
    const ownerId = this.#owners.idOf({ ...turn.owner, sessionUid: turn.sessionUid, ofPage: false });
    const common = {
      uri: turn.uri,
      source: turn.source === 'turn' ? 1 : 2,
      ownerId,
      kind: turn.source,
      status: turn.status ?? 'active',
      pinned: false,
      title: '',
      aliases: [],
      sessionUid: turn.sessionUid,
      epoch: turn.epoch,
      sequence: turn.sequence,
      role: turn.role,
      speaker: turn.speaker,
      at: turn.at,
      contentHash: '',
      version: 0,
    };
    const main: NewRow = { ...common, level: turn.source === 'turn' ? 2 : 1, text: turn.text };
    const { abstract = '' } = turn;
    return this.#putLevels(turn.uri, abstract.trim() === '' ? [main] : [{ ...common, level: 0, text: abstract }, main]);
  }

  remove(uri: string): RowChange[] {
    const { rowsOf, removeNames } = this.#statements;
    const rows = rowsOf.all(uri);
    for (const row of rows) this.#removeRow(row);
    removeNames.run(uri);
    this.#putLinks(uri, []);
    return rows.map(({ id }) => ({ op: 'remove', id }));
  }

  #putLevels(uri: string, rows: readonly NewRow[]): RowChange[] {
    const stored = new Map(this.#statements.rowsOf.all(uri).map((row) => [row.level, row]));
    const changes: RowChange[] = [];
    for (const row of rows) {
      changes.push(this.#putRow(row, stored.get(row.level)));
      stored.delete(row.level);
    }
    for (const gone of stored.values()) {
      this.#removeRow(gone);
      changes.push({ op: 'remove', id: gone.id });
    }
    return changes;
  }

  #putRow(row: NewRow, stored: StoredRow | undefined): RowChange {
    const statements = this.#statements;
    const text = row.text.slice(0, longestText).toWellFormed();
    const words = [segmentWords(row.title), segmentWords(row.aliases.join('\n')), segmentWords(text)];
    const length = words.reduce((sum, part) => sum + countWords(part), 0);
    const textHash = hash('sha1', `${row.title}\n${text}`);
    const isSameText = stored?.textHash === textHash;
    if (stored) this.#removeWords(stored);
    const fields = { ...columnsOf(row), length, textHash };
    const id = stored?.id ?? Number(statements.insertRow.run(fields).lastInsertRowid);
    if (stored) statements.updateRow.run({ ...fields, id });
    if (!isSameText) {
      statements.putText.run(id, text);
      statements.removeVector.run(id);
      if (stored) statements.forgetEmbedder.run(id);
    }
    if (row.source === 0) statements.insertPageWords.run(id, ...words);
    else statements.insertTurnWords.run(id, words[2]);
    return {
      op: 'put',
      isSameText,
      row: {
        id,
        ownerId: row.ownerId,
        source: row.source,
        level: row.level,
        isActive: row.status === 'active',
        kind: row.kind,
        length,
      },
    };
  }

  #removeRow(row: StoredRow): void {
    this.#removeWords(row);
    this.#statements.removeRow.run(row.id);
    this.#statements.removeText.run(row.id);
    this.#statements.removeVector.run(row.id);
  }

  #removeWords({ id, source }: StoredRow): void {
    (source === 0 ? this.#statements.removePageWords : this.#statements.removeTurnWords).run(id);
  }

  #putNames({ uri, title, aliases }: IndexedPage): void {
    this.#statements.removeNames.run(uri);
    for (const name of new Set([title, ...aliases].map(foldName)))
      if (name !== '') this.#statements.putName.run(name, uri);
  }

  #putLinks(uri: string, links: readonly IndexedLink[]): void {
    const { linksOf, removeLinks, removeTargets, putLink, putTarget } = this.#statements;
    for (const id of linksOf.all(uri)) removeTargets.run(id);
    removeLinks.run(uri);
    for (const link of links) {
      const targets = [...new Set([link.to, ...(link.alternatives ?? [])])].filter((target) => target !== '');
      const name = foldName(link.name ?? '');
      if (targets.length === 0 && name === '') continue;
      const incoming = link.incoming ? 1 : 0;
      const { lastInsertRowid } = putLink.run(uri, link.type, link.origin, JSON.stringify(targets), name, incoming);
      for (const target of targets) putTarget.run(target, lastInsertRowid);
    }
  }
}

function columnsOf({ aliases: _aliases, text: _text, ...row }: NewRow): object {
  return { ...row, pinned: row.pinned ? 1 : 0 };
}

const noTurn = { sessionUid: null, epoch: null, sequence: null, role: null, speaker: null };

function countWords(segmented: string): number {
  if (segmented === '') return 0;
  let count = 1;
  for (let at = segmented.indexOf(' '); at !== -1; at = segmented.indexOf(' ', at + 1)) count += 1;
  return count;
}

function prepare(db: Database.Database) {
  const fields = {
    uri: 'uri',
    source: 'source',
    level: 'level',
    owner_id: 'ownerId',
    kind: 'kind',
    status: 'status',
    pinned: 'pinned',
    title: 'title',
    session_uid: 'sessionUid',
    epoch: 'epoch',
    sequence: 'sequence',
    role: 'role',
    speaker: 'speaker',
    at: 'at',
    content_hash: 'contentHash',
    version: 'version',
    length: 'length',
    text_hash: 'textHash',
  };
  const columns = Object.keys(fields);
  const values = Object.values(fields);
  return {
    rowsOf: db.prepare<[string], StoredRow>('SELECT id, source, level, text_hash AS textHash FROM rows WHERE uri = ?'),
    insertRow: db.prepare<[object]>(
      `INSERT INTO rows (${columns.join(', ')}) VALUES (${values.map((value) => `:${value}`).join(', ')})`,
    ),
    updateRow: db.prepare<[object]>(
      `UPDATE rows SET ${columns.map((column, index) => `${column} = :${values[index] ?? ''}`).join(', ')} WHERE id = :id`,
    ),
    forgetEmbedder: db.prepare<[number]>('UPDATE rows SET embedder = NULL WHERE id = ?'),
    removeRow: db.prepare<[number]>('DELETE FROM rows WHERE id = ?'),
    putText: db.prepare<[number, string]>('INSERT OR REPLACE INTO texts VALUES (?, ?)'),
    removeText: db.prepare<[number]>('DELETE FROM texts WHERE id = ?'),
    removeVector: db.prepare<[number]>('DELETE FROM vectors WHERE id = ?'),
    insertPageWords: db.prepare<unknown[]>('INSERT INTO page_text (rowid, title, aliases, body) VALUES (?, ?, ?, ?)'),
    insertTurnWords: db.prepare<unknown[]>('INSERT INTO turn_text (rowid, body) VALUES (?, ?)'),
    removePageWords: db.prepare<[number]>('DELETE FROM page_text WHERE rowid = ?'),
    removeTurnWords: db.prepare<[number]>('DELETE FROM turn_text WHERE rowid = ?'),
    putName: db.prepare<[string, string]>('INSERT OR IGNORE INTO names VALUES (?, ?)'),
    removeNames: db.prepare<[string]>('DELETE FROM names WHERE uri = ?'),
    linksOf: db.prepare<[string], number>('SELECT id FROM links WHERE uri = ?').pluck(),
    removeLinks: db.prepare<[string]>('DELETE FROM links WHERE uri = ?'),
    removeTargets: db.prepare<[number]>('DELETE FROM link_targets WHERE link_id = ?'),
    putLink: db.prepare<unknown[]>(
      'INSERT INTO links (uri, type, origin, targets, name, incoming) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    putTarget: db.prepare<[string, number | bigint]>('INSERT OR IGNORE INTO link_targets VALUES (?, ?)'),
  };
}
