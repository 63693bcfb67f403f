import type {
  BootstrapReply,
  BootstrapRequest,
  IngestReply,
  IngestRequest,
} from '../../../src-shared/protocol/turns.ts';
import type { EngineParts } from '../engine-parts.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { knownByPlace } from './known-by-place.ts';
import { resolveIdentity } from './resolve-identity.ts';
import type { ResolvedMessage } from './resolve-messages.ts';
import { SessionQueue } from './session-queue.ts';
import type { TurnLog } from './turn-log.ts';

/** Takes in what the host has and the store lacks: `ingest` and `bootstrap`. */
export class CatchUp {
  readonly #parts: EngineParts;
  readonly #log: TurnLog;
  /** A client that repeats a slow request must not have its messages compared with a log that is still growing. */
  readonly #queue = new SessionQueue();

  constructor(parts: EngineParts, log: TurnLog) {
    this.#parts = parts;
    this.#log = log;
  }

  /** Messages without time or entry id are each taken for new: only `bootstrap` compares whole lists. */
  async ingest(request: IngestRequest): Promise<IngestReply> {
    const resolved = await this.#resolve(request);
    return this.#inOrder(request, async () => this.#take(await this.#log.open(request), request, resolved));
  }

  /**
   * Called before each turn of a session; the second call with the same transcript takes in nothing. A transcript that
   * was reset and shares no message with the present epoch is a new conversation under the same id: a new epoch.
   */
  async bootstrap(request: BootstrapRequest): Promise<BootstrapReply> {
    const resolved = await this.#resolve(request);
    return this.#inOrder(request, async () => this.#bootstrap(request, resolved));
  }

  async #bootstrap(request: BootstrapRequest, resolved: readonly ResolvedMessage[]): Promise<BootstrapReply> {
    let session = await this.#log.open(request);
    if (request.transcript === 'reset' && (await this.#isAnotherConversation(session, request, resolved))) {
      session = await this.#parts.store.startEpoch(session.uid, this.#parts.clock.now());
      this.#parts.events.publish({ type: 'session.changed', session_uid: session.uid });
    }
    const known = await this.#known(session, request, resolved);
    const isUnknown = (_: unknown, index: number): boolean => !known.has(index);
    const rest = { ...request, entry_ids: request.entry_ids?.filter(isUnknown) };
    const taken = await this.#take(session, rest, resolved.filter(isUnknown));
    const [after = session] = await this.#parts.store.lookUpSessions(session.uid);
    return {
      ...taken,
      skipped: taken.skipped + known.size,
      session_uid: session.uid,
      epoch: after.epoch,
      last_sequence: after.lastSequence,
    };
  }

  /** Refuses what is wrong with a request before anything is opened or written. */
  async #resolve(request: IngestRequest): Promise<readonly ResolvedMessage[]> {
    const { messages, entry_ids: ids } = request;
    if (ids !== undefined && ids.length !== messages.length) {
      throw new EngineError(
        'invalid_request',
        `Expected one entry id (or null) per message: ${messages.length} messages, ${ids.length} ids.`,
      );
    }
    return this.#log.resolve(request);
  }

  async #inOrder<T>(request: IngestRequest, work: () => Promise<T>): Promise<T> {
    const identity = resolveIdentity(request, this.#parts.config.user_id);
    return this.#queue.run(JSON.stringify(Object.values(identity)), work);
  }

  async #take(session: SessionRow, request: IngestRequest, messages: readonly ResolvedMessage[]): Promise<IngestReply> {
    const patch = request.cursor === undefined ? {} : { cursor: request.cursor };
    if (messages.length === 0) {
      const patched = request.cursor === undefined ? session : await this.#parts.store.patchSession(session.uid, patch);
      return { imported: 0, skipped: 0, turn_ids: [], cursor: patched.cursor };
    }
    const result = await this.#log.append(session, messages, {
      format: request.format,
      heartbeat: request.is_heartbeat ?? false,
      entryIds: request.entry_ids,
      patch,
    });
    return {
      imported: result.stored.length,
      skipped: messages.length - result.stored.length,
      turn_ids: [...result.turnIds],
      cursor: result.session.cursor,
    };
  }

  async #isAnotherConversation(
    session: SessionRow,
    request: BootstrapRequest,
    messages: readonly ResolvedMessage[],
  ): Promise<boolean> {
    if (session.lastSequence === session.epochStart) return false;
    if (messages.length === 0) return request.complete !== false;
    // The host's own summary says nothing about whether what it summarises goes on.
    const said = messages.filter((message) => message.view.kind !== 'host_summary');
    if (said.length === 0) return false;
    const keys = said.map((message) => message.key);
    return (await this.#parts.store.turnsByMessageKey(session.uid, session.epoch, keys)).length === 0;
  }

  /** Messages with time or entry id are recognised when they are appended. */
  async #known(
    session: SessionRow,
    request: BootstrapRequest,
    messages: readonly ResolvedMessage[],
  ): Promise<ReadonlySet<number>> {
    const anonymous = messages.some(
      (message, index) => message.view.timestamp === undefined && !request.entry_ids?.[index],
    );
    return anonymous ? knownByPlace(this.#parts.store, session, messages) : new Set();
  }
}
