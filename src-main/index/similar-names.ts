import type Database from 'better-sqlite3';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import { isOneSlipApart } from '../engine/memory/indexing/is-one-slip-apart.ts';
import { isVisible, type Owners, type ScopeKey } from './owners.ts';

/** A shorter name has too many neighbours: k8s and k9s are not the same. */
const shortest = 4;
const samePrefix = 2;
/** Names that are compared for one misspelled one; they share its first letters and are about as long. */
const mostCompared = 20_000;

/** Names of pages that a misspelled one may have meant. Names are folded. */
export class SimilarNames {
  readonly #owners: Owners;
  readonly #candidates: Database.Statement<
    [ScopeKey & { readonly from: string; readonly to: string; readonly least: number; readonly most: number }],
    string
  >;

  constructor(db: Database.Database, owners: Owners) {
    this.#owners = owners;
    this.#candidates = db
      .prepare<
        [
          ScopeKey & {
            readonly from: string;
            readonly to: string;
            readonly least: number;
            readonly most: number;
          },
        ],
        string
      >(
        `SELECT DISTINCT n.name FROM names n CROSS JOIN rows r ON r.uri = n.uri
           WHERE n.name >= :from AND n.name < :to AND length(n.name) BETWEEN :least AND :most
             AND r.level = 2 AND r.source = 0 AND ${isVisible}
           ORDER BY n.name LIMIT ${mostCompared}`,
      )
      .pluck();
  }

  of(name: string, scope: MemoryScope): readonly string[] {
    const characters = [...name];
    if (characters.length < shortest) return [];
    const from = characters.slice(0, samePrefix).join('');
    const names = this.#candidates.all({
      ...this.#owners.keyOf(scope),
      from,
      to: `${from}\u{10FFFF}`,
      least: characters.length - 1,
      most: characters.length + 1,
    });
    return names.filter((other) => other !== name && isOneSlipApart(name, other));
  }
}
