import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionSummary } from '../../../src-shared/model/session.ts';
import type { TurnRecord } from '../../../src-shared/model/turn-envelope.ts';
import { sessionUri, turnUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { readMessage } from '../messages/read-message.ts';
import type { Page, SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import { buildEnvelope } from '../turns/build-envelope.ts';

/** What a session looks like from outside, beyond its row. */
export interface SessionFacts {
  readonly strategyOf: (session: SessionRow) => string;
  readonly isCompacting: (uid: string) => boolean;
  readonly compactionOf: (uid: string) => SessionSummary['compaction'];
}

/** Sessions and their turns for the reading routes. */
export class SessionReader {
  readonly #store: SessionStore;
  readonly #facts: SessionFacts;

  constructor(store: SessionStore, facts: SessionFacts) {
    this.#store = store;
    this.#facts = facts;
  }

  /** @throws EngineError `unknown_session`, or `ambiguous_session` when several sessions have the host's id. */
  async find(id: string): Promise<SessionRow> {
    const found = await this.#store.lookUpSessions(id);
    const [only] = found;
    if (!only) throw new EngineError('unknown_session', `There is no session ${JSON.stringify(id.slice(0, 200))}.`);
    if (found.length === 1) return only;
    throw new EngineError(
      'ambiguous_session',
      `${found.length} sessions have the id ${JSON.stringify(id.slice(0, 200))}; name one by its session_uid.`,
      { details: { session_uids: found.map((session) => session.uid) } },
    );
  }

  summary(session: SessionRow): SessionSummary {
    return {
      session_uid: session.uid,
      uri: sessionUri(session.userId, session.uid),
      session_id: session.sessionId,
      session_key: session.sessionKey,
      agent_id: session.agentId,
      user_id: session.userId,
      epoch: session.epoch,
      state: this.#facts.isCompacting(session.uid) ? 'compacting' : 'idle',
      created_at: iso(session.createdAt),
      last_active_at: iso(session.lastActiveAt),
      turn_count: session.lastSequence,
      epoch_turn_count: session.lastSequence - session.epochStart,
      epoch_tokens: session.epochTokens,
      checkpoint_count: session.checkpointCount,
      call_count: session.callCount,
      last_call_id: session.lastCallId,
      last_budget: session.lastBudget,
      last_model: session.lastModel,
      strategy: this.#facts.strategyOf(session),
      compaction: this.#facts.compactionOf(session.uid),
      parent_session_key: session.parentSessionKey,
      ended: session.ended && { reason: session.ended.reason, at: iso(session.ended.at) },
    };
  }

  /**
   * Turns with their envelopes, and the host's original messages where asked for.
   * @throws EngineError `store_corrupt` when the body of a turn is gone: nothing may stand in its place
   */
  async records(session: SessionRow, page: Page<TurnMeta>, raw: boolean): Promise<TurnRecord[]> {
    const bodies = await this.#store.readBodies(page.items.map((turn) => turn.contentHash));
    const covering = await this.#coveringCheckpoints(session, page.items);
    return page.items.map((meta): TurnRecord => {
      const body = bodies.get(meta.contentHash);
      if (body === undefined) throw missingBody(meta);
      // Written by the log, which takes nothing but messages.
      const message = JSON.parse(body) as HostMessage;
      const checkpointId = covering(meta);
      return {
        turn: buildEnvelope(meta, readMessage(message, meta.format, 0), session.sessionId, checkpointId),
        uri: turnUri(session.userId, session.uid, meta.sequence),
        epoch: meta.epoch,
        content_hash: meta.contentHash,
        tokens: meta.tokens,
        preview: meta.preview,
        advancement_key: meta.advancementKey,
        entry_id: meta.entryId,
        is_heartbeat: meta.heartbeat,
        excluded_from_context: meta.excluded,
        checkpoint_id: checkpointId,
        ...(raw ? { raw: message } : {}),
      };
    });
  }

  async #coveringCheckpoints(session: SessionRow, turns: readonly TurnMeta[]) {
    const epochs = [...new Set(turns.map((turn) => turn.epoch))];
    const lists = await Promise.all(epochs.map((epoch) => this.#store.standingCheckpoints(session.uid, epoch)));
    const all = lists.flat();
    return (turn: TurnMeta) =>
      all.find(
        ({ source_turn_range: range }) => range.start_sequence <= turn.sequence && turn.sequence <= range.end_sequence,
      )?.checkpoint_id;
  }
}

function missingBody({ sequence, contentHash }: TurnMeta): EngineError {
  return new EngineError(
    'store_corrupt',
    `The body of turn ${sequence} is not in the store any more. Run "npm run strata -- doctor" and restore a backup.`,
    { details: { sequence, content_hash: contentHash } },
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
