import type Database from 'better-sqlite3';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import { isVisible, type Owners, type ScopeKey } from './owners.ts';

export interface ResolvedLink {
  readonly from: string;
  readonly to: string;
  readonly type: string;
}

interface LinkRow {
  readonly id: number;
  readonly uri: string;
  readonly type: string;
  readonly targets: string;
  readonly name: string;
  readonly incoming: number;
}

interface Named {
  readonly uri: string;
  readonly ownerId: number;
  readonly isActive: number;
}

type ListParameters = ScopeKey & { readonly list: string };

const columns = 'l.id, l.uri, l.type, l.targets, l.name, l.incoming';
const page = 'r.source = 0 AND r.level = 2';

/** Links between pages that the scope may see, both ends of them. */
export class PageLinks {
  readonly #owners: Owners;
  readonly #from: Database.Statement<[ListParameters], LinkRow>;
  readonly #toUri: Database.Statement<[ListParameters], LinkRow>;
  readonly #toName: Database.Statement<[ListParameters], LinkRow>;
  readonly #pages: Database.Statement<[ListParameters], { readonly uri: string; readonly ownerId: number }>;
  readonly #named: Database.Statement<[ListParameters], Named & { readonly name: string }>;
  readonly #namesOf: Database.Statement<[ListParameters], string>;

  constructor(db: Database.Database, owners: Owners) {
    this.#owners = owners;
    const visible = `${page} AND ${isVisible}`;
    this.#from = db.prepare(
      `SELECT ${columns} FROM json_each(:list) p CROSS JOIN rows r ON r.uri = p.value CROSS JOIN links l ON l.uri = r.uri
         WHERE ${visible} ORDER BY l.id`,
    );
    this.#toUri = db.prepare(
      `SELECT ${columns} FROM json_each(:list) p CROSS JOIN link_targets t ON t.target = p.value
         CROSS JOIN links l ON l.id = t.link_id CROSS JOIN rows r ON r.uri = l.uri WHERE ${visible} ORDER BY l.id`,
    );
    this.#toName = db.prepare(
      `SELECT ${columns} FROM json_each(:list) p CROSS JOIN links l ON l.name = p.value AND l.name <> ''
         CROSS JOIN rows r ON r.uri = l.uri WHERE ${visible} ORDER BY l.id`,
    );
    this.#pages = db.prepare(
      `SELECT r.uri, r.owner_id AS ownerId FROM json_each(:list) p CROSS JOIN rows r ON r.uri = p.value WHERE ${visible}`,
    );
    this.#named = db.prepare(
      `SELECT n.name, r.uri, r.owner_id AS ownerId, r.status = 'active' AS isActive FROM json_each(:list) p
         CROSS JOIN names n ON n.name = p.value CROSS JOIN rows r ON r.uri = n.uri WHERE ${visible} ORDER BY r.uri`,
    );
    this.#namesOf = db
      .prepare<[ListParameters], string>(
        `SELECT DISTINCT n.name FROM json_each(:list) p CROSS JOIN rows r ON r.uri = p.value
           CROSS JOIN names n ON n.uri = r.uri WHERE ${visible}`,
      )
      .pluck();
  }

  /** In order of the ends and types, each once. A page does not link to itself. */
  of(
    uris: readonly string[],
    direction: 'out' | 'in',
    scope: MemoryScope,
    types: readonly string[] | undefined,
  ): ResolvedLink[] {
    const parameters = this.#owners.keyOf(scope);
    const asked = new Set(uris);
    const list = JSON.stringify([...asked]);
    const names = JSON.stringify(this.#namesOf.all({ ...parameters, list }));
    // A link that is written the other way round leads out of the page that it points at.
    const candidates = [
      ...this.#from.all({ ...parameters, list }),
      ...this.#toUri.all({ ...parameters, list }),
      ...this.#toName.all({ ...parameters, list: names }),
    ];
    const wanted = new Map<number, LinkRow>();
    for (const link of candidates) if (types === undefined || types.includes(link.type)) wanted.set(link.id, link);
    const resolved = this.#resolve([...wanted.values()], parameters);
    const end = direction === 'out' ? 'from' : 'to';
    const found = new Map<string, ResolvedLink>();
    for (const link of resolved) {
      if (asked.has(link[end])) found.set(JSON.stringify([link.from, link.to, link.type]), link);
    }
    return [...found.entries()].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, link]) => link);
  }

  /**
   * The first target that is a page, else the one page with the name: among several the active ones count, and among
   * these one of the same owner; a name that is still ambiguous means none.
   */
  #resolve(links: readonly LinkRow[], parameters: ScopeKey): ResolvedLink[] {
    const targetsOf = new Map(links.map(({ id, targets }) => [id, readList(targets)]));
    const uris = new Set([...links.map(({ uri }) => uri), ...[...targetsOf.values()].flat()]);
    const pages = new Map(
      this.#pages.all({ ...parameters, list: JSON.stringify([...uris]) }).map(({ uri, ownerId }) => [uri, ownerId]),
    );
    const names = new Map<string, Named[]>();
    const list = JSON.stringify([...new Set(links.map(({ name }) => name).filter((name) => name !== ''))]);
    for (const row of this.#named.all({ ...parameters, list })) {
      const named = names.get(row.name);
      if (named) named.push(row);
      else names.set(row.name, [row]);
    }
    return links.flatMap((link) => {
      const target =
        targetsOf.get(link.id)?.find((uri) => pages.has(uri)) ??
        theOne(names.get(link.name) ?? [], pages.get(link.uri));
      if (target === undefined || target === link.uri) return [];
      const [from, to] = link.incoming === 1 ? [target, link.uri] : [link.uri, target];
      return [{ from, to, type: link.type }];
    });
  }
}

function theOne(named: readonly Named[], ownerId: number | undefined): string | undefined {
  const active = named.filter(({ isActive }) => isActive === 1);
  const among = active.length > 0 ? active : named;
  if (among.length === 1) return among[0]?.uri;
  const own = among.filter((candidate) => candidate.ownerId === ownerId);
  return own.length === 1 ? own[0]?.uri : undefined;
}

/** Written by `RowWriter`. */
function readList(json: string): string[] {
  return JSON.parse(json) as string[];
}
