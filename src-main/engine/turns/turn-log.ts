import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { CommitTurnReply, CommitTurnRequest, AfterTurnRequest } from '../../../src-shared/protocol/turns.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { AppendResult, SessionPatch, SessionRow } from '../ports/session-store.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';
import { wrapperTokens } from '../tokens/message-cost.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { HostViews } from './host-views.ts';
import { payloadHash, prepareTurns } from './prepare-turns.ts';
import { resolveIdentity, type IdentityFields } from './resolve-identity.ts';
import { resolveMessages, type ResolvedMessage } from './resolve-messages.ts';
import type { SessionLife } from './session-life.ts';

type Stored = Extract<AppendResult, { readonly status: 'stored' | 'duplicate' }>;

/** Hears of every delivery that wrote rows, after it is safe; must not throw. */
export type StoredListener = (result: Stored, messages: readonly ResolvedMessage[], options: AppendOptions) => void;

export interface AppendOptions {
  readonly format: MessageFormat;
  readonly heartbeat: boolean;
  readonly advancementKey?: string;
  readonly entryIds?: readonly (string | null)[] | undefined;
  readonly patch: SessionPatch;
  /** Of a turn: the share of the budget at which its session is to be compacted; null where the host said none. */
  readonly compactThreshold?: number | null;
}

/** The lossless log of sessions: everything that writes turns goes through `append`. */
export class TurnLog {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;
  readonly #life: SessionLife;
  readonly #views: HostViews;
  readonly #onStored: StoredListener | undefined;

  constructor(
    parts: EngineParts,
    counter: TokenCounter,
    life: SessionLife,
    views: HostViews,
    onStored?: StoredListener,
  ) {
    this.#parts = parts;
    this.#counter = counter;
    this.#life = life;
    this.#views = views;
    this.#onStored = onStored;
  }

  async open(fields: IdentityFields): Promise<SessionRow> {
    const { store, clock, config } = this.#parts;
    const identity = resolveIdentity(fields, config.user_id);
    return this.#life.adopt(await store.openSession(identity, clock.now(), clock.newId('sess')));
  }

  /** A turn after a list that shared nothing with the present epoch begins the next one: a reset nobody told us of. */
  async #openForTurn(fields: IdentityFields): Promise<SessionRow> {
    const session = await this.open(fields);
    if (!this.#views.startsOver(session)) return session;
    const { store, clock, events } = this.#parts;
    const next = await store.startEpoch(session.uid, clock.now());
    events.publish({ type: 'session.changed', session_uid: session.uid });
    return next;
  }

  /** @throws EngineError `advancement_conflict` when the key is stored with another payload. */
  async commitTurn(request: CommitTurnRequest): Promise<CommitTurnReply> {
    const messages = await this.resolve(request);
    const options = { ...appendOptions(request), advancementKey: request.advancement_key };
    return reply(await this.append(await this.#openForTurn(request), messages, options));
  }

  /** Messages of hosts without advancement keys: what is known by identity is skipped. */
  async afterTurn(request: AfterTurnRequest): Promise<CommitTurnReply> {
    const messages = await this.resolve(request);
    return reply(await this.append(await this.#openForTurn(request), messages, appendOptions(request)));
  }

  resolve(request: Pick<AfterTurnRequest, 'messages' | 'format'>): Promise<readonly ResolvedMessage[]> {
    return resolveMessages(this.#parts.store, request.messages, request.format);
  }

  /** The one way into the log. */
  async append(session: SessionRow, messages: readonly ResolvedMessage[], options: AppendOptions): Promise<Stored> {
    const { store, clock, events } = this.#parts;
    const key = options.advancementKey;
    const identityWithoutTime =
      key === undefined ? () => `single:${clock.newId('turn')}` : (index: number) => `advancement:${key}:${index}`;
    const tokens = await this.#count(messages, options.format);
    const turns = prepareTurns(messages, tokens, { ...options, identityWithoutTime }, clock);
    const result = await store.appendTurns({
      sessionUid: session.uid,
      at: clock.now(),
      turns,
      ...(key === undefined ? {} : { advancement: { key, payloadHash: payloadHash(messages) } }),
      patch: { lastActiveAt: clock.now(), ended: null, ...knownBudget(session, options.patch) },
    });
    if (result.status === 'conflict') throw conflict(key ?? '', session);
    if (result.stored.length > 0) {
      events.publish({
        type: 'turns.committed',
        session_uid: session.uid,
        session_id: session.sessionId,
        turn_ids: result.stored.map((turn) => turn.turnId),
        last_sequence: result.session.lastSequence,
      });
      this.#onStored?.(result, messages, options);
    }
    return result;
  }

  /** Storing comes first: when the tokenizer fails, the turn is stored with an estimate. */
  async #count(messages: readonly ResolvedMessage[], format: MessageFormat): Promise<readonly number[]> {
    const views = messages.map((message) => message.view);
    try {
      return await this.#counter.messages(views, format);
    } catch (error) {
      this.#parts.log('warn', 'turns_estimated', { turns: views.length, cause: String(error) });
      return views.map((view) =>
        view.countable.reduce((sum, text) => sum + estimateCharacters(text), wrapperTokens(view, format)),
      );
    }
  }
}

function reply(result: Stored): CommitTurnReply {
  return {
    status: result.status === 'duplicate' ? 'duplicate' : 'committed',
    turn_ids: [...result.turnIds],
    stored: result.stored.length,
  };
}

function appendOptions(request: AfterTurnRequest): AppendOptions {
  return {
    format: request.format,
    heartbeat: request.is_heartbeat ?? false,
    compactThreshold: request.compact_threshold ?? null,
    patch: {
      ...(request.token_budget === undefined ? {} : { lastBudget: request.token_budget }),
      ...(request.model === undefined ? {} : { lastModel: request.model }),
    },
  };
}

/**
 * What a host says at commit is its whole window; what it says when it asks for a context is what is left of that
 * beside its own prompt, and what counts.
 */
function knownBudget({ lastBudget }: SessionRow, patch: SessionPatch): SessionPatch {
  return lastBudget === undefined || patch.lastBudget === undefined ? patch : { ...patch, lastBudget };
}

function conflict(key: string, session: SessionRow): EngineError {
  return new EngineError(
    'advancement_conflict',
    `The advancement key ${JSON.stringify(key.slice(0, 200))} is already stored for this session with other messages. ` +
      'Nothing was changed: use a new key for a new turn.',
    { details: { advancement_key: key, session_uid: session.uid } },
  );
}
