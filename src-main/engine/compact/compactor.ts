import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type {
  CompactReply,
  CompactRequest,
  HostAnswer,
  PrepareCompactionReply,
  PrepareCompactionRequest,
} from '../../../src-shared/protocol/compact.ts';
import { calibratedTokens } from '../assemble/calibrated-tokens.ts';
import { Deadline } from '../deadline.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { resolveIdentity, type IdentityFields } from '../turns/resolve-identity.ts';
import { CheckpointMaker } from './checkpoint-maker.ts';
import { isBackground, type CompactionOrder } from './compaction-order.ts';
import { planOf } from './compaction-plan.ts';
import { CompactionRun, type MemoryFlush } from './compaction-run.ts';
import { HostCompaction } from './host-compaction.ts';
import { Pacer } from './pacer.ts';
import { Reservations, type Reservation } from './reservations.ts';
import { readSessionContext } from './session-context.ts';
import type { Summariser, Summary, SummaryRequest } from './summariser.ts';
import type { SummaryPhases } from './summary-phases.ts';

export interface CompactorParts {
  readonly engine: EngineParts;
  readonly counter: TokenCounter;
  readonly strategies: StrategyRegistry;
  /** The configured one, with its fallback. */
  readonly summariser: Summariser;
  /** Always works. */
  readonly extractive: Summariser;
  /** For the host's model; without it only the extractive summariser stands in for it. */
  readonly phases: SummaryPhases | undefined;
  /** Called before turns leave the window. */
  readonly flush?: MemoryFlush;
  /** Told what came of each compaction, after it; must not throw. */
  readonly onReply: (sessionUid: string, reply: CompactReply, by: 'engine' | 'host') => void;
}

export interface RunOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, note: string) => void;
  /** Nobody waits for it: a model may take its time. */
  readonly patient?: boolean;
}

/** Somebody waits for these; after this time the rest is summarised without a model (ms). The host gives up at 180 s. */
const modelTimeMs = 45_000;

interface Running {
  readonly reply: Promise<CompactReply>;
  /** From now on somebody waits for it. */
  readonly hurry: () => void;
}

type Outcome = CompactReply | { readonly run: CompactionRun };

/** Folds older turns into checkpoints. Nothing is deleted: a checkpoint only says what stands for a range of turns. */
export class Compactor {
  readonly #parts: CompactorParts;
  readonly #maker: CheckpointMaker;
  readonly #reservations: Reservations;
  readonly #host: HostCompaction;
  readonly #running = new Map<string, Running>();

  constructor(parts: CompactorParts) {
    this.#parts = parts;
    this.#maker = new CheckpointMaker(parts.engine, parts.counter);
    this.#reservations = new Reservations(parts.engine.clock);
    this.#host = new HostCompaction(parts.phases, parts.extractive, this.#reservations);
  }

  isRunning(uid: string): boolean {
    return this.#running.has(uid) || this.#reservations.isHeld(uid);
  }

  /** Resolves when no compaction runs any more, at the latest after `ms`. */
  async settled(ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    await deadline.wait(Promise.all([...this.#running.values()].map(({ reply }) => reply)));
    deadline.clear();
  }

  /**
   * One at a time per session; a second request while one runs gets that one's answer if that is one to it as well.
   * Whatever fails, the turns and the checkpoints so far stand, and the answer says what happened.
   * @throws EngineError `unknown_session`, `invalid_request`, `reservation_expired`
   */
  async compact(request: CompactRequest): Promise<CompactReply> {
    const { reservation_id: id, answer } = request;
    if ((id === undefined) !== (answer === undefined)) {
      throw new EngineError('invalid_request', 'Expected "reservation_id" and "answer" together, or neither.');
    }
    const session = await this.#find(request);
    if ('ok' in session) return session;
    if (id === undefined || answer === undefined) return this.compactSession(session, request);
    const reservation = this.#reservations.take(id, session.uid);
    const running = this.#running.get(session.uid);
    return running ? running.reply : this.#start(session, 'host', () => this.#takeAnswer(reservation, answer));
  }

  /** As `compact`, by who knows the session already. Somebody's reservation is void then. */
  async compactSession(session: SessionRow, order: CompactionOrder, options: RunOptions = {}): Promise<CompactReply> {
    for (;;) {
      this.#reservations.drop(session.uid);
      const running = this.#running.get(session.uid);
      if (!running) break;
      if (options.patient !== true) running.hurry();
      const reply = await running.reply;
      // One in the background leaves more than who must have room now can live with, and one with the host's model may
      // wait for that model.
      if (!reply.next && (reply.compacted || isBackground(order))) return reply;
    }
    return this.#start(session, 'engine', (hurry) => this.#compact(session, order, options, hurry));
  }

  /**
   * What the host's model is to be asked for this compaction, where it is the one that writes summaries.
   * @throws EngineError `unknown_session`
   */
  async prepare(request: PrepareCompactionRequest): Promise<PrepareCompactionReply> {
    const { compaction } = this.#parts.engine.config;
    if (compaction.summariser !== 'host') return { reason: `summariser_is_${compaction.summariser}` };
    if (!this.#parts.phases) return { reason: 'no_prompts' };
    const session = await this.#find(request);
    if ('ok' in session) return { ...(session.reason === undefined ? {} : { reason: session.reason }) };
    return this.prepareFor(session, request);
  }

  async prepareFor(session: SessionRow, order: CompactionOrder): Promise<PrepareCompactionReply> {
    const { uid } = session;
    if (this.#running.has(uid)) return { reason: 'already_running' };
    if (this.#reservations.isHeld(uid) && isBackground(order)) return { reason: 'already_reserved' };
    const begun = await this.#begin(session, order);
    if ('ok' in begun) return { ...(begun.reason === undefined ? {} : { reason: begun.reason }) };
    const prepared = await this.#host.reserve(begun.run);
    return prepared ? { prepared } : { reason: 'nothing_to_compact' };
  }

  async #find(fields: IdentityFields): Promise<SessionRow | CompactReply> {
    const { store, config } = this.#parts.engine;
    let session: SessionRow | undefined;
    try {
      session = await store.findSession(resolveIdentity(fields, config.user_id));
    } catch (error) {
      return this.#failed(undefined, error);
    }
    if (session) return session;
    throw new EngineError(
      'unknown_session',
      `There is no session ${JSON.stringify(fields.session_id.slice(0, 200))} to compact; nothing was stored for it yet.`,
    );
  }

  async #start(
    session: SessionRow,
    by: 'engine' | 'host',
    work: (hurry: AbortSignal) => Promise<CompactReply>,
  ): Promise<CompactReply> {
    const { events } = this.#parts.engine;
    const late = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    const reply = work(late.signal).catch((error: unknown) => this.#failed(session, error));
    const hurry = (): void => void (timer ??= setTimeout(() => late.abort(), modelTimeMs).unref());
    this.#running.set(session.uid, { reply, hurry });
    events.publish({ type: 'session.changed', session_uid: session.uid });
    try {
      const answer = await reply;
      this.#parts.onReply(session.uid, answer, by);
      return answer;
    } finally {
      clearTimeout(timer);
      this.#running.delete(session.uid);
      events.publish({ type: 'session.changed', session_uid: session.uid });
    }
  }

  async #begin(session: SessionRow, order: CompactionOrder): Promise<Outcome> {
    const { engine, strategies, counter } = this.#parts;
    // Turns may have come while another compaction was waited for.
    const [present = session] = await engine.store.lookUpSessions(session.uid);
    const context = await readSessionContext(present, engine, strategies, counter);
    const plan = await planOf(context, order, engine.config);
    if (plan)
      return { run: new CompactionRun(engine, this.#maker, context, order, plan, this.#parts.flush ?? nothing) };
    const tokens = calibratedTokens(context.tokens, context.ratio);
    return {
      ok: true,
      compacted: false,
      reason: 'strategy_does_not_compact',
      tokens_before: tokens,
      tokens_after: tokens,
      checkpoint_ids: [],
    };
  }

  async #compact(
    session: SessionRow,
    order: CompactionOrder,
    options: RunOptions,
    late: AbortSignal,
  ): Promise<CompactReply> {
    const begun = await this.#begin(session, order);
    if ('ok' in begun) return begun;
    // Where nobody waits a model may take its time; the job has a limit of its own.
    if (options.patient !== true) this.#running.get(session.uid)?.hurry();
    return this.#runAll(begun.run, options, late);
  }

  async #runAll(run: CompactionRun, { signal, progress }: RunOptions, late: AbortSignal): Promise<CompactReply> {
    const pacer = new Pacer();
    let done = 0;
    try {
      for (let work = run.next(); work; work = run.next()) {
        signal?.throwIfAborted();
        progress?.(done, work.kind === 'archive' ? 'summarising turns' : 'folding summaries');
        await pacer.pause();
        const request = await run.requestFor(work);
        const summary = await this.#summarise(request, signal, late);
        signal?.throwIfAborted();
        await pacer.pause();
        if (await run.wasReset()) return run.resetReply();
        await run.commit(work, summary);
        done += 1;
      }
      return run.reply();
    } catch (error) {
      return this.#interrupted(run, error);
    }
  }

  async #takeAnswer(reservation: Reservation, answer: HostAnswer): Promise<CompactReply> {
    try {
      return await this.#host.finish(reservation, answer);
    } catch (error) {
      return this.#interrupted(reservation.run, error);
    }
  }

  /** What was archived stays so; a failure before anything was is told as one. */
  #interrupted(run: CompactionRun, error: unknown): CompactReply {
    const reply = run.reply();
    const reason = reasonOf(error);
    this.#log(run.sessionUid, reason);
    return { ...reply, ok: reply.compacted, reason };
  }

  async #summarise(request: SummaryRequest, signal: AbortSignal | undefined, modelTime: AbortSignal): Promise<Summary> {
    const { summariser, extractive } = this.#parts;
    const late = { from: summariser.name, reason: `deadline: not ready after ${modelTimeMs / 1000} s` };
    const either = AbortSignal.any(signal ? [signal, modelTime] : [modelTime]);
    if (!modelTime.aborted) {
      try {
        return await summariser.summarise({ ...request, signal: either });
      } catch (error) {
        // The time may be up by now, whatever it was above.
        if (signal?.aborted || !either.aborted) throw error;
      }
    }
    if (summariser.name === 'extractive') return extractive.summarise(request);
    return { ...(await extractive.summarise(request)), fallback: late };
  }

  #failed(session: SessionRow | undefined, error: unknown): CompactReply {
    const reason = reasonOf(error);
    this.#log(session?.uid, reason);
    return { ok: false, compacted: false, reason, tokens_before: 0, tokens_after: 0, checkpoint_ids: [] };
  }

  #log(uid: string | undefined, reason: string): void {
    this.#parts.engine.log('error', 'compaction failed', { session_uid: uid, reason });
  }
}

/** Where nothing is remembered. */
const nothing: MemoryFlush = async () => [];

function reasonOf(error: unknown): string {
  const code = error instanceof EngineError ? error.code : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  return `${code}: ${message}`;
}
