import type Database from 'better-sqlite3';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import type { PageStatus } from '../../src-shared/model/memory-page.ts';
import type { IndexHit } from '../engine/ports/memory-index.ts';
import { sources } from './index-schema.ts';
import { isVisible, type Owners, type ScopeKey } from './owners.ts';

interface HitRow {
  readonly id: number;
  readonly uri: string;
  readonly source: number;
  readonly level: 0 | 1 | 2;
  readonly kind: string;
  readonly title: string;
  readonly status: PageStatus;
  readonly pinned: number;
  readonly sessionUid: string | null;
  readonly epoch: number | null;
  readonly sequence: number | null;
  readonly role: string | null;
  readonly speaker: string | null;
  readonly at: number;
}

type ListParameters = ScopeKey & { readonly list: string };

const columns = `r.id, r.uri, r.source, r.level, r.kind, r.title, r.status, r.pinned, r.session_uid AS sessionUid, r.epoch,
  r.sequence, r.role, r.speaker, r.at`;

/** Rows as they are answered. Every statement has the scope in it. */
export class HitReader {
  readonly #owners: Owners;
  readonly #byId: Database.Statement<[ListParameters], HitRow>;
  readonly #byUri: Database.Statement<[ListParameters], HitRow>;
  readonly #around: Database.Statement<[ScopeKey & { readonly ranges: string }], HitRow>;
  readonly #byName: Database.Statement<[ListParameters], HitRow & { readonly name: string }>;
  readonly #pinned: Database.Statement<[ScopeKey & { readonly limit: number }], HitRow>;

  constructor(db: Database.Database, owners: Owners) {
    this.#owners = owners;
    const inScope = isVisible;
    this.#byId = db.prepare(
      `SELECT ${columns} FROM json_each(:list) l CROSS JOIN rows r ON r.id = l.value WHERE ${inScope}`,
    );
    this.#byUri = db.prepare(
      `SELECT ${columns} FROM json_each(:list) l CROSS JOIN rows r ON r.uri = l.value WHERE r.level = iif(r.source = 2, 1, 2) AND ${inScope}`,
    );
    this.#around = db.prepare(
      `SELECT DISTINCT ${columns} FROM json_each(:ranges) l
         CROSS JOIN rows r ON r.session_uid = l.value->>0 AND r.sequence BETWEEN l.value->>1 AND l.value->>2
         WHERE r.source = 1 AND ${inScope} ORDER BY r.session_uid, r.sequence, r.level`,
    );
    this.#byName = db.prepare(
      `SELECT ${columns}, n.name FROM json_each(:list) l CROSS JOIN names n ON n.name = l.value
         CROSS JOIN rows r ON r.uri = n.uri WHERE r.level = 2 AND r.source = 0 AND ${inScope} ORDER BY r.uri`,
    );
    this.#pinned = db.prepare(
      `SELECT ${columns} FROM rows r WHERE r.pinned = 1 AND r.source = 0 AND r.level = 2 AND r.status = 'active' AND ${inScope}
         ORDER BY r.at DESC, r.uri LIMIT :limit`,
    );
  }

  /** Those of the rows that the scope may see. */
  byId(ids: readonly number[], scope: MemoryScope): ReadonlyMap<number, Omit<IndexHit, 'score'>> {
    const rows = this.#byId.all({ ...this.#owners.keyOf(scope), list: JSON.stringify(ids) });
    return new Map(rows.map((row) => [row.id, describe(row)]));
  }

  byUri(uris: readonly string[], scope: MemoryScope): IndexHit[] {
    const list = JSON.stringify([...new Set(uris)]);
    return this.#byUri.all({ ...this.#owners.keyOf(scope), list }).map(unscored);
  }

  /** Turns within the ranges of sequences, each once. */
  around(
    ranges: readonly { readonly uid: string; readonly from: number; readonly to: number }[],
    scope: MemoryScope,
  ): IndexHit[] {
    const list = JSON.stringify(ranges.map(({ uid, from, to }) => [uid, from, to]));
    return this.#around.all({ ...this.#owners.keyOf(scope), ranges: list }).map(unscored);
  }

  /** Pages by folded name. */
  byName(names: readonly string[], scope: MemoryScope): ReadonlyMap<string, IndexHit[]> {
    const found = new Map<string, IndexHit[]>();
    const list = JSON.stringify([...new Set(names)]);
    for (const row of this.#byName.all({ ...this.#owners.keyOf(scope), list })) {
      const hits = found.get(row.name);
      if (hits) hits.push(unscored(row));
      else found.set(row.name, [unscored(row)]);
    }
    return found;
  }

  /** Active pages that are pinned, newest first. */
  pinned(scope: MemoryScope, limit: number): IndexHit[] {
    return this.#pinned.all({ ...this.#owners.keyOf(scope), limit }).map(unscored);
  }
}

function unscored(row: HitRow): IndexHit {
  return { ...describe(row), score: 0 };
}

function describe(row: HitRow): Omit<IndexHit, 'score'> {
  return {
    rowId: row.id,
    uri: row.uri,
    source: sources[row.source] ?? 'page',
    level: row.level,
    kind: row.kind,
    title: row.title,
    status: row.status,
    pinned: row.pinned === 1,
    sessionUid: row.sessionUid ?? undefined,
    epoch: row.epoch ?? undefined,
    sequence: row.sequence ?? undefined,
    role: row.role ?? undefined,
    speaker: row.speaker ?? undefined,
    at: row.at,
  };
}
