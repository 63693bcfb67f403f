import type {
  BootstrapReply,
  BootstrapRequest,
  IngestReply,
  IngestRequest,
} from '../../../src-shared/protocol/turns.ts';
import type { EngineParts } from '../engine-parts.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { alignPrefix } from './align-prefix.ts';
import type { ResolvedMessage } from './resolve-messages.ts';
import type { TurnLog } from './turn-log.ts';

/** Takes in what the host has and the store lacks: `ingest` and `bootstrap`. */
export class CatchUp {
  readonly #parts: EngineParts;
  readonly #log: TurnLog;

  constructor(parts: EngineParts, log: TurnLog) {
    this.#parts = parts;
    this.#log = log;
  }

  async ingest(request: IngestRequest): Promise<IngestReply> {
    return this.#take(await this.#log.open(request), request, await this.#log.resolve(request));
  }

  /**
   * Called before each turn of a session; the second call with the same transcript takes in nothing. A transcript that
   * was reset and shares no message with the present epoch is a new conversation under the same id: a new epoch.
   */
  async bootstrap(request: BootstrapRequest): Promise<BootstrapReply> {
    let session = await this.#log.open(request);
    const resolved = await this.#log.resolve(request);
    if (request.transcript === 'reset' && (await this.#isAnotherConversation(session, request, resolved))) {
      session = await this.#parts.store.startEpoch(session.uid, this.#parts.clock.now());
      this.#parts.events.publish({ type: 'session.changed', session_uid: session.uid });
    }
    const known = await this.#knownPrefix(session, request, resolved);
    const unknown = { ...request, entry_ids: request.entry_ids?.slice(known) };
    const taken = await this.#take(session, unknown, resolved.slice(known));
    const [after = session] = await this.#parts.store.lookUpSessions(session.uid);
    return {
      ...taken,
      skipped: taken.skipped + known,
      session_uid: session.uid,
      epoch: after.epoch,
      last_sequence: after.lastSequence,
    };
  }

  async #take(session: SessionRow, request: IngestRequest, messages: readonly ResolvedMessage[]): Promise<IngestReply> {
    if (request.entry_ids !== undefined && request.entry_ids.length !== messages.length) {
      throw new EngineError(
        'invalid_request',
        `Expected one entry id (or null) per message: ${messages.length} messages, ${request.entry_ids.length} ids.`,
      );
    }
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
    const keys = messages.map((message) => message.key);
    return (await this.#parts.store.turnsByMessageKey(session.uid, session.epoch, keys)).length === 0;
  }

  /**
   * Messages without time or entry id can only be recognised by their place: a client that sends its whole history
   * again has the stored turns, in order, at its start.
   */
  async #knownPrefix(
    session: SessionRow,
    request: BootstrapRequest,
    messages: readonly ResolvedMessage[],
  ): Promise<number> {
    const anonymous = messages.every(
      (message, index) => message.view.timestamp === undefined && !request.entry_ids?.[index],
    );
    if (messages.length === 0 || !anonymous) return 0;
    const stored = await this.#parts.store.turnsBefore(session.uid, { epoch: session.epoch, limit: messages.length });
    return alignPrefix(
      stored.map((turn) => turn.messageKey).reverse(),
      messages.map((message) => message.key),
    );
  }
}
