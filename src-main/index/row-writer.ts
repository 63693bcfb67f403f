import type Database from 'better-sqlite3';
import { hash } from 'node:crypto';
import { foldName } from '../engine/memory/indexing/fold-name.ts';
import { segmentWords } from '../engine/memory/indexing/segment-words.ts';
import type { IndexedLink, IndexedPage, IndexedTurn } from '../engine/ports/memory-index.ts';
import type { Owners } from './owners.ts';
import type { MirroredRow } from './row-mirror.ts';
import { encodeWords, type ColumnCounts, type WordCounts } from './row-word-counts.ts';
import type { WordBook } from './word-book.ts';

/**
 * A row that was written or removed, for the mirrors; its vector stands only while its text is the same. With its words as
 * they are and as they were, where they changed.
 */
export type RowChange =
  | {
      readonly op: 'put';
      readonly row: MirroredRow;
      readonly isSameText: boolean;
      readonly words: { readonly before: Uint8Array | undefined; readonly now: Uint8Array } | undefined;
    }
  | { readonly op: 'remove'; readonly id: number; readonly words: Uint8Array | undefined };

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
  readonly round: number;
}

const columns = ['title', 'aliases', 'body'] as const satisfies readonly (keyof ColumnCounts)[];

/** Longer texts are indexed by their beginning (UTF-16 units); nobody looks for what stands behind a million characters. */
const longestText = 1_000_000;

/** Writes rows with everything that hangs on them. A row keeps its id while its page or turn is there. */
export class RowWriter {
  readonly #owners: Owners;
  readonly #book: WordBook;
  readonly #statements: ReturnType<typeof prepare>;

  constructor(db: Database.Database, owners: Owners, book: WordBook) {
    this.#owners = owners;
    this.#book = book;
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
    const changes = rows.map((row) => this.#removeRow(row));
    removeNames.run(uri);
    this.#putLinks(uri, []);
    return changes;
  }

  #putLevels(uri: string, rows: readonly NewRow[]): RowChange[] {
    const stored = new Map(this.#statements.rowsOf.all(uri).map((row) => [row.level, row]));
    const changes: RowChange[] = [];
    for (const row of rows) {
      changes.push(this.#putRow(row, stored.get(row.level)));
      stored.delete(row.level);
    }
    for (const gone of stored.values()) changes.push(this.#removeRow(gone));
    return changes;
  }

  #putRow(row: NewRow, stored: StoredRow | undefined): RowChange {
    const statements = this.#statements;
    const text = row.text.slice(0, longestText).toWellFormed();
    // Of turns the body only: the others are empty.
    const words = [segmentWords(row.title), segmentWords(row.aliases.join('\n')), segmentWords(text)];
    const { counts, length } = this.#countWords(words);
    const encoded = encodeWords(counts);
    const before = stored && statements.words.get(stored.id);
    const round = statements.round.get() ?? 0;
    const isSameWords = stored?.round === round && before !== undefined && encoded.equals(before);
    const textHash = hash('sha1', `${row.title}\n${text}`);
    const isSameText = stored?.textHash === textHash;
    const fields = { ...columnsOf(row), length, textHash, round };
    const id = stored?.id ?? Number(statements.insertRow.run(fields).lastInsertRowid);
    if (stored) statements.updateRow.run({ ...fields, id });
    if (!isSameText) {
      statements.putText.run(id, text);
      statements.removeVector.run(id);
      if (stored) statements.forgetEmbedder.run(id);
    }
    if (!isSameWords) {
      if (stored) this.#removeWords(stored);
      if (row.source === 0) statements.insertPageWords.run(id, ...words);
      else statements.insertTurnWords.run(id, words[2]);
      statements.putWords.run(id, encoded);
    }
    return {
      op: 'put',
      isSameText,
      words: isSameWords ? undefined : { before, now: encoded },
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

  #removeRow(row: StoredRow): RowChange {
    const words = this.#statements.words.get(row.id);
    this.#removeWords(row);
    this.#statements.forgetWords.run(row.id);
    this.#statements.removeRow.run(row.id);
    this.#statements.removeText.run(row.id);
    this.#statements.removeVector.run(row.id);
    return { op: 'remove', id: row.id, words };
  }

  /** How often each stem stands in each column, and how many there are, as the full-text tables count. */
  #countWords(segmented: readonly string[]): { readonly counts: WordCounts; readonly length: number } {
    const counts: WordCounts = new Map();
    let length = 0;
    for (const [at, column] of columns.entries()) {
      const text = segmented[at] ?? '';
      if (text === '') continue;
      for (const word of text.split(' ')) {
        for (const id of this.#book.idsOf(word)) {
          length += 1;
          const known = counts.get(id);
          if (known) known[column] += 1;
          else counts.set(id, { title: 0, aliases: 0, body: 0, [column]: 1 });
        }
      }
    }
    return { counts, length };
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
    round: 'round',
  };
  const names = Object.keys(fields);
  const values = Object.values(fields);
  return {
    rowsOf: db.prepare<[string], StoredRow>(
      'SELECT id, source, level, text_hash AS textHash, round FROM rows WHERE uri = ?',
    ),
    insertRow: db.prepare<[object]>(
      `INSERT INTO rows (${names.join(', ')}) VALUES (${values.map((value) => `:${value}`).join(', ')})`,
    ),
    updateRow: db.prepare<[object]>(
      `UPDATE rows SET ${names.map((column, index) => `${column} = :${values[index] ?? ''}`).join(', ')} WHERE id = :id`,
    ),
    forgetEmbedder: db.prepare<[number]>('UPDATE rows SET embedder = NULL WHERE id = ?'),
    removeRow: db.prepare<[number]>('DELETE FROM rows WHERE id = ?'),
    putText: db.prepare<[number, string]>('INSERT OR REPLACE INTO texts VALUES (?, ?)'),
    round: db.prepare<[], number>("SELECT CAST(value AS INTEGER) FROM meta WHERE key = 'round'").pluck(),
    words: db.prepare<[number], Buffer>('SELECT words FROM words WHERE id = ?').pluck(),
    putWords: db.prepare<[number, Buffer]>('INSERT OR REPLACE INTO words VALUES (?, ?)'),
    forgetWords: db.prepare<[number]>('DELETE FROM words WHERE id = ?'),
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
