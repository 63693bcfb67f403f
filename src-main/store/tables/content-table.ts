import type { ContentInfo, NewContent } from '../../engine/ports/session-store.ts';
import { cutBase64, restoreBase64 } from '../content/cut-base64.ts';
import { hashBytes } from '../content/hash-bytes.ts';
import type { PackedBody } from '../content/pack-in-pieces.ts';
import { packText, unpackText } from '../content/pack-bytes.ts';
import type { ReadConnection, WriteConnection } from '../sqlite/connection.ts';
import { mediaReads, mediaWrites } from './media-table.ts';

interface BodyRow {
  readonly index: number;
  readonly no: number;
  readonly encoding: number;
  readonly cuts: number;
  readonly body: string | Uint8Array;
}

interface InfoRow {
  readonly index: number;
  readonly no: number;
  readonly contentHash: string;
  readonly tokens: number;
}

// One statement for all keys: a thousand single look-ups cost three times as much. Plain bodies come as text
// right away, which spares a Buffer each.
export const contentSql = {
  bodies: `SELECT wanted.key AS "index", content_no AS no, encoding, cuts,
      CASE encoding WHEN 0 THEN CAST(body AS TEXT) ELSE body END AS body
    FROM json_each(?) wanted CROSS JOIN content ON content_hash = unhex(wanted.value)`,
  known: `SELECT wanted.value AS hash FROM json_each(?) wanted CROSS JOIN content ON content_hash = unhex(wanted.value)`,
  infos: `SELECT wanted.key AS "index", content_no AS no, lower(hex(content_hash)) AS contentHash, tokens
    FROM json_each(?) wanted CROSS JOIN content ON message_key = unhex(wanted.value)`,
} as const;

export function contentReads(db: ReadConnection) {
  const selectBodies = db.query<[string], BodyRow>(contentSql.bodies);
  const selectInfos = db.query<[string], InfoRow>(contentSql.infos);
  const selectKnown = db.query<[string], { readonly hash: string }>(contentSql.known);
  const media = mediaReads(db);

  function bodyOf(row: BodyRow): string {
    const { body, encoding } = row;
    const text = typeof body === 'string' ? body : unpackText({ encoding, bytes: body });
    return row.cuts === 0 ? text : restoreBase64(text, media.cutsOf(row.no));
  }

  return {
    bodies(hashes: readonly string[]): ReadonlyMap<string, string> {
      const wanted = [...new Set(hashes)];
      const bodies = new Map<string, string>();
      for (const row of selectBodies.all(JSON.stringify(wanted))) bodies.set(at(wanted, row.index), bodyOf(row));
      return bodies;
    },
    known: (hashes: readonly string[]): ReadonlySet<string> =>
      new Set(selectKnown.all(JSON.stringify(hashes)).map((row) => row.hash)),
    /** Of bodies with the same key the one stored last. */
    infos(messageKeys: readonly string[]): ReadonlyMap<string, ContentInfo> {
      const wanted = [...new Set(messageKeys)];
      const newest = new Map<number, InfoRow>();
      for (const row of selectInfos.all(JSON.stringify(wanted))) {
        if ((newest.get(row.index)?.no ?? 0) < row.no) newest.set(row.index, row);
      }
      const infos = new Map<string, ContentInfo>();
      for (const { index, contentHash, tokens } of newest.values()) {
        const messageKey = at(wanted, index);
        infos.set(messageKey, { contentHash, messageKey, tokens });
      }
      return infos;
    },
  };
}

export function contentWrites(db: WriteConnection) {
  const media = mediaWrites(db);
  const find = db.query<[Uint8Array], { readonly no: number }>(
    'SELECT content_no AS no FROM content WHERE content_hash = ?',
  );
  const insert = db.command<[Uint8Array, Uint8Array, number, number, number, Uint8Array]>(
    'INSERT INTO content (content_hash, message_key, tokens, encoding, cuts, body) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const newest = db.query<[], { readonly no: number | null }>('SELECT max(content_no) AS no FROM content');
  const loosen = db.command<[number]>('INSERT INTO loose_content (content_no) VALUES (?)');
  const hold = db.command<[number]>('DELETE FROM loose_content WHERE content_no = ?');
  const remove = db.command<[number]>('DELETE FROM content WHERE content_no = ?');

  function packed(body: string): PackedBody {
    const { text, cuts } = cutBase64(body);
    return { packed: packText(text), cuts };
  }

  function store(content: NewContent, { packed: { encoding, bytes }, cuts } = packed(content.body)): number {
    const digest = hashBytes(content.contentHash, 'content hash');
    const key = hashBytes(content.messageKey, 'message key');
    const no = insert.run(digest, key, content.tokens, encoding, cuts.length, bytes).rowid;
    media.insertCuts(no, cuts);
    return no;
  }

  return {
    ...contentReads(db),
    /**
     * For a turn: from now on the content is never deleted.
     * @param body packed already, where it is long
     */
    putHeld(content: NewContent, body?: PackedBody): void {
      const known = find.get(hashBytes(content.contentHash, 'content hash'));
      if (known === undefined) store(content, body);
      else hold.run(known.no);
    },
    /** For nothing but calls; what is known stays as it is. */
    putLoose(content: NewContent): void {
      if (find.get(hashBytes(content.contentHash, 'content hash')) === undefined) loosen.run(store(content));
    },
    newestNo: (): number => newest.get()?.no ?? 0,
    /** Only loose contents; the database refuses others. */
    delete(contentNo: number): void {
      media.deleteCuts(contentNo);
      remove.run(contentNo);
    },
  };
}

function at(wanted: readonly string[], index: number): string {
  const value = wanted[index];
  if (value === undefined) throw new RangeError(`json_each answered index ${index} of ${wanted.length}`);
  return value;
}
