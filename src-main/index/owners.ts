import type Database from 'better-sqlite3';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import type { RowOwner } from '../engine/ports/memory-index.ts';

/** Whose row it is; turns and checkpoints follow other rules than pages. */
export type OwnerKey = RowOwner & { readonly ofPage: boolean };

/**
 * The rules of scope, in one place; every statement that answers rows has `isVisible` in it.
 * Account equal; user and agent empty or equal; session empty or equal, or any of a user's turns where other sessions are
 * part of it. Where others listen: pages that are shared, and turns of the session itself. Labels hide a row only when
 * some are asked for, and the row has none of them.
 */
const visibleOwners = `
  SELECT o.id FROM owners o WHERE :access <> 'none' AND o.account_id = :account
    AND o.user_id IN ('', :user) AND o.agent_id IN ('', :agent)
    AND (o.session_uid IN ('', :session) OR (o.of_page = 0 AND :otherSessions = 1 AND :access = 'all'))
    AND (:access = 'all' OR (o.of_page = 1 AND o.visibility = 'shared') OR (o.of_page = 0 AND o.session_uid = :session))
    AND (:labels IS NULL OR o.labels = '[]' OR EXISTS (
      SELECT 1 FROM json_each(o.labels) has JOIN json_each(:labels) asked ON has.value = asked.value))`;

/**
 * Whether the scope may see a row `r`. What `visibleOwners` answers for a scope is kept in a table: there are as many owners
 * as sessions, and a recall asks a dozen times.
 */
export const isVisible = `EXISTS (
  SELECT 1 FROM temp.visible_owners v WHERE v.scope_id = :scopeId AND v.owner_id = r.owner_id)`;

/** Names a scope in a statement with `isVisible`. */
export interface ScopeKey {
  readonly scopeId: number;
}

interface VisibleTo {
  readonly scopeId: number;
  readonly owners: Uint8Array;
}

interface ScopeParameters {
  readonly access: string;
  readonly account: string;
  readonly user: string;
  readonly agent: string;
  readonly session: string;
  readonly otherSessions: 0 | 1;
  readonly labels: string | null;
}

function scopeParameters(scope: MemoryScope): ScopeParameters {
  return {
    access: scope.access,
    account: scope.accountId,
    user: scope.userId,
    agent: scope.agentId,
    session: scope.sessionUid ?? '',
    otherSessions: scope.otherSessions ? 1 : 0,
    labels: scope.labels === undefined ? null : JSON.stringify(scope.labels),
  };
}

export class Owners {
  readonly #insert: Database.Statement<unknown[]>;
  readonly #find: Database.Statement<unknown[], number>;
  readonly #visible: Database.Statement<[ScopeParameters], number>;
  readonly #known = new Map<string, number>();
  /** By scope; forgotten when an owner is added. */
  readonly #visibleTo = new Map<string, VisibleTo>();
  readonly #keep: Database.Statement<[number, string]>;
  readonly #forgetKept: Database.Statement<[]>;
  #scopes = 0;

  constructor(db: Database.Database) {
    this.#insert = db.prepare(
      `INSERT INTO owners (of_page, account_id, user_id, agent_id, session_uid, visibility, labels)
       VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
    );
    this.#find = db
      .prepare<unknown[], number>(
        `SELECT id FROM owners WHERE of_page = ? AND account_id = ? AND user_id = ? AND agent_id = ? AND session_uid = ?
           AND visibility = ? AND labels = ?`,
      )
      .pluck();
    this.#keep = db.prepare('INSERT INTO temp.visible_owners SELECT ?, value FROM json_each(?)');
    this.#forgetKept = db.prepare('DELETE FROM temp.visible_owners');
    this.#visible = db.prepare<[ScopeParameters], number>(visibleOwners).pluck();
  }

  /** Makes the owner where there is none yet; within the transaction of its first row. */
  idOf(owner: OwnerKey): number {
    const values = [
      owner.ofPage ? 1 : 0,
      owner.accountId,
      owner.userId ?? '',
      owner.agentId ?? '',
      owner.sessionUid ?? '',
      owner.visibility,
      JSON.stringify([...new Set(owner.labels)].sort()),
    ];
    const key = JSON.stringify(values);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    this.#insert.run(...values);
    this.#forgetScopes();
    const id = this.#find.get(...values);
    if (id === undefined) throw new Error('The owner that was written just now is not there.');
    if (this.#known.size > mostKnown) this.#known.clear();
    this.#known.set(key, id);
    return id;
  }

  /** A 1 at the id of every owner that the scope may see. */
  allowed(scope: MemoryScope): Uint8Array {
    return this.#of(scope).owners;
  }

  keyOf(scope: MemoryScope): ScopeKey {
    return { scopeId: this.#of(scope).scopeId };
  }

  #of(scope: MemoryScope): VisibleTo {
    const parameters = scopeParameters(scope);
    const key = JSON.stringify(parameters);
    const known = this.#visibleTo.get(key);
    if (known) return known;
    if (this.#visibleTo.size >= mostScopes) this.#forgetScopes();
    const ids = this.#visible.all(parameters);
    const owners = new Uint8Array(ids.reduce((most, id) => Math.max(most, id + 1), 1));
    for (const id of ids) owners[id] = 1;
    this.#scopes += 1;
    this.#keep.run(this.#scopes, JSON.stringify(ids));
    const visible = { scopeId: this.#scopes, owners };
    this.#visibleTo.set(key, visible);
    return visible;
  }

  /** After a transaction that came to nothing, or a write by another process. */
  forget(): void {
    this.#known.clear();
    this.#forgetScopes();
  }

  #forgetScopes(): void {
    this.#visibleTo.clear();
    this.#forgetKept.run();
  }
}

const mostKnown = 10_000;
const mostScopes = 64;
