import type Database from 'better-sqlite3';
import type { MemoryScope } from '../../src-shared/model/memory-scope.ts';
import type { RowOwner } from '../engine/ports/memory-index.ts';

/** Whose row it is; turns and checkpoints follow other rules than pages. */
export type OwnerKey = RowOwner & { readonly ofPage: boolean };

/**
 * The rules of scope, in one place. Every statement that answers rows has `owner_id IN (visibleOwners)` in it.
 * Account equal; user and agent empty or equal; session empty or equal, or any of a user's turns where other sessions are
 * part of it. Where others listen: pages that are shared, and turns of the session itself. Labels hide a row only when
 * some are asked for, and the row has none of them.
 */
export const visibleOwners = `
  SELECT o.id FROM owners o WHERE :access <> 'none' AND o.account_id = :account
    AND o.user_id IN ('', :user) AND o.agent_id IN ('', :agent)
    AND (o.session_uid IN ('', :session) OR (o.of_page = 0 AND :otherSessions = 1 AND :access = 'all'))
    AND (:access = 'all' OR (o.of_page = 1 AND o.visibility = 'shared') OR (o.of_page = 0 AND o.session_uid = :session))
    AND (:labels IS NULL OR o.labels = '[]' OR EXISTS (
      SELECT 1 FROM json_each(o.labels) has JOIN json_each(:labels) asked ON has.value = asked.value))`;

export interface ScopeParameters {
  readonly access: string;
  readonly account: string;
  readonly user: string;
  readonly agent: string;
  readonly session: string;
  readonly otherSessions: 0 | 1;
  readonly labels: string | null;
}

export function scopeParameters(scope: MemoryScope): ScopeParameters {
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
  readonly #allowed = new Map<string, Uint8Array>();

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
    this.#allowed.clear();
    const id = this.#find.get(...values);
    if (id === undefined) throw new Error('The owner that was written just now is not there.');
    if (this.#known.size > mostKnown) this.#known.clear();
    this.#known.set(key, id);
    return id;
  }

  /** A 1 at the id of every owner that the scope may see. */
  allowed(scope: MemoryScope): Uint8Array {
    const parameters = scopeParameters(scope);
    const key = JSON.stringify(parameters);
    const known = this.#allowed.get(key);
    if (known) return known;
    const ids = this.#visible.all(parameters);
    const allowed = new Uint8Array(ids.reduce((most, id) => Math.max(most, id + 1), 1));
    for (const id of ids) allowed[id] = 1;
    if (this.#allowed.size >= mostScopes) this.#allowed.clear();
    this.#allowed.set(key, allowed);
    return allowed;
  }

  /** After a transaction that came to nothing, or a write by another process. */
  forget(): void {
    this.#known.clear();
    this.#allowed.clear();
  }
}

const mostKnown = 10_000;
const mostScopes = 64;
