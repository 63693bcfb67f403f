import type { z } from 'zod';
import type { SessionEndRequest, subagentPrepareRoute } from '../../../src-shared/protocol/lifecycle.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { resolveIdentity } from './resolve-identity.ts';

/** Ends after which the host starts over, while it may keep the session's id (contract §1.6, `sessions.reset`). */
const freshStarts: ReadonlySet<SessionEndRequest['reason']> = new Set(['new', 'reset', 'idle', 'daily']);

type SubagentPrepareRequest = z.output<(typeof subagentPrepareRoute)['body']>;

/** Ends of sessions and the births of sub-agents' sessions. */
export class SessionLife {
  readonly #parts: EngineParts;
  /** Children announced and not yet seen; a restart in between costs only the parent's name. */
  readonly #parents = new Map<string, string>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /**
   * A fresh start under the same id opens a new epoch: what came before stays in the log and out of the context.
   * Every other end is only noted; nothing is deleted, not even for `deleted`.
   */
  async end(request: SessionEndRequest): Promise<{ accepted: boolean; epoch: number }> {
    const { store, clock, config, events } = this.#parts;
    const session = await store.findSession(resolveIdentity(request, config.user_id));
    if (!session) return { accepted: false, epoch: 0 };
    const staysTheSame = request.next_session_id === undefined || request.next_session_id === session.sessionId;
    const after =
      freshStarts.has(request.reason) && staysTheSame
        ? await store.startEpoch(session.uid, clock.now())
        : await store.patchSession(session.uid, { ended: { reason: request.reason, at: clock.now() } });
    events.publish({ type: 'session.changed', session_uid: session.uid });
    return { accepted: true, epoch: after.epoch };
  }

  /** The child starts empty whatever the mode: a fork's history comes to it through the host's own transcript. */
  async prepareSubagent(request: SubagentPrepareRequest): Promise<{ accepted: boolean }> {
    const { clock, config, standing } = this.#parts;
    const { parent_session_key: parentKey, child_session_key: childKey, memory_grant: access } = request;
    await standing.putGrant({ userId: config.user_id, childKey, parentKey, access, at: clock.now() });
    await this.#remember(childKey, parentKey);
    return { accepted: true };
  }

  async subagentEnded(childKey: string, reason: string): Promise<{ accepted: boolean }> {
    const { store, clock, config, events } = this.#parts;
    const found = await store.findSessionByKey(config.user_id, childKey);
    const child = found && (await this.adopt(found));
    this.#parents.delete(childKey);
    if (!child) return { accepted: false };
    await store.patchSession(child.uid, { ended: { reason, at: clock.now() } });
    events.publish({ type: 'session.changed', session_uid: child.uid });
    return { accepted: true };
  }

  /** Called whenever a session is opened: a child learns its parent then, since it has no id before its first turn. */
  async adopt(session: SessionRow): Promise<SessionRow> {
    const parent = this.#parents.get(session.sessionKey);
    if (parent === undefined || session.parentSessionKey !== undefined) return session;
    this.#parents.delete(session.sessionKey);
    return this.#parts.store.patchSession(session.uid, { parentSessionKey: parent });
  }

  async #remember(childKey: string, parentKey: string): Promise<void> {
    const { store, config } = this.#parts;
    const known = await store.findSessionByKey(config.user_id, childKey);
    if (known) await store.patchSession(known.uid, { parentSessionKey: parentKey });
    else this.#parents.set(childKey, parentKey);
    if (this.#parents.size > 1_000) this.#parents.delete(this.#parents.keys().next().value ?? '');
  }
}
