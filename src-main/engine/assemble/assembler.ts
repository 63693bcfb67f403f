import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AssembleTrace, Degraded } from '../../../src-shared/model/trace.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionIdentity, SessionRow } from '../ports/session-store.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { HostViews } from '../turns/host-views.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import { AnswerBuilder, type BuiltAnswer, type Call, type MemoryOfCalls, type Prefetch } from './answer-builder.ts';
import { answerWithoutStore } from './answer-without-store.ts';
import { Deadline, type DeadlineOutcome } from '../deadline.ts';
import { TurnBudgets } from './turn-budgets.ts';
import { passThroughTrace } from './pass-through-trace.ts';

/** A call that failed is put on record too, but its answer does not wait long for that. */
const failureRecordMs = 200;

/** What the rest of the engine hears of calls. */
export interface AssembleObserver {
  /** A call was answered with the host's own messages. */
  readonly degraded: (degraded: Degraded, sessionId: string) => void;
  /** A call was answered and could not be put on record. */
  readonly notRecorded: (error: unknown) => void;
  readonly recorded: () => void;
  /** A call is on record and about to be answered; a person may want to look at it first. Never rejects. */
  readonly answering?: (trace: AssembleTrace, leftMs: number) => Promise<void>;
}

/** Answers model calls with message lists, and puts every call on record. */
export class Assembler {
  readonly #parts: EngineParts;
  readonly #builder: AnswerBuilder;
  readonly #observer: AssembleObserver;
  readonly #recording = new Set<Promise<void>>();
  readonly #budgets = new TurnBudgets();

  constructor(
    parts: EngineParts,
    counter: TokenCounter,
    strategies: StrategyRegistry,
    views: HostViews,
    observer: AssembleObserver,
    memory?: MemoryOfCalls,
  ) {
    this.#parts = parts;
    this.#observer = observer;
    this.#builder = new AnswerBuilder(parts, counter, strategies, views, memory);
  }

  /**
   * Answers within the deadline whatever happens: when the store, the tokenizer or a strategy is too slow or fails,
   * with the host's own messages, and says so. Only a request that is itself wrong is refused.
   */
  async assemble(request: AssembleRequest): Promise<AssembleReply> {
    const ms = request.deadline_ms ?? this.#parts.config.assemble.deadline_ms;
    const call: Call = {
      request,
      callId: this.#parts.clock.newId('call'),
      started: this.#parts.clock.now(),
    };
    const deadline = new Deadline(ms);
    const arrived = performance.now();
    try {
      const outcome = await deadline.wait(this.#build(call));
      if (outcome.state !== 'done') return await this.#passThrough(call, outcome, ms);
      if (sendsNothing(outcome.value)) return await this.#passThrough(call, nothingToSend, ms);
      // The answer stands; a slow store must not hold it up, and is heard of when it fails.
      await deadline.wait(this.#record(this.#recordAnswer(outcome.value)));
      const left = (request.deadline_ms ?? Infinity) - (performance.now() - arrived);
      await this.#observer.answering?.(outcome.value.trace, left);
      return outcome.value.reply;
    } finally {
      deadline.clear();
    }
  }

  /** A call of the session is about to come. @returns whether there is anything to prepare */
  async prefetch(identity: SessionIdentity, known: Prefetch = {}): Promise<boolean> {
    const session = await this.#parts.store.findSession(identity);
    if (session) await this.#builder.warm(session, known);
    return session !== undefined;
  }

  /** Turns were stored, the newest of the session. */
  noteStored(session: SessionRow, count: number): void {
    this.#builder.preparer.noteStored(session, count);
  }

  /** Begins what is done in the background. */
  start(): void {
    this.#builder.preparer.start();
  }

  /** Resolves when nothing is being recorded any more, at the latest after `ms`. */
  async settled(ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    await deadline.wait(Promise.all([this.#builder.preparer.stop(), ...this.#recording]));
    deadline.clear();
  }

  async #build(call: Call): Promise<BuiltAnswer> {
    return this.#builder.build(call, await this.#open(call));
  }

  async #passThrough(call: Call, outcome: Missed, ms: number): Promise<AssembleReply> {
    if (outcome.state === 'failed' && isCallersFault(outcome.error)) throw outcome.error;
    const degraded = degradedBecause(outcome, ms);
    this.#observer.degraded(degraded, call.request.session_id);
    this.#parts.log('warn', 'a call was answered with the host’s own messages', {
      call_id: call.callId,
      session_id: call.request.session_id,
      ...degraded,
    });
    const recording = this.#record(this.#recordPassThrough(call, degraded));
    if (outcome.state === 'failed') {
      const patience = new Deadline(failureRecordMs);
      await patience.wait(recording);
      patience.clear();
    }
    return answerWithoutStore(call.request, call.callId, degraded);
  }

  /** Never rejects: who waits for a record has its answer already. */
  #record(work: Promise<void>): Promise<void> {
    const recording = work
      .then(this.#observer.recorded, (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error);
        this.#parts.log('error', 'a call could not be put on record', { message });
        this.#observer.notRecorded(error);
      })
      .finally(() => this.#recording.delete(recording));
    this.#recording.add(recording);
    return recording;
  }

  async #recordAnswer({ call, session, trace, contents, turnItems, pages }: BuiltAnswer): Promise<void> {
    const { store, events } = this.#parts;
    await store.addCall(trace, contents, this.#patch(call.request, session), turnItems, pages);
    events.publish({ type: 'call.assembled', session_uid: session.uid, call_id: call.callId });
  }

  async #recordPassThrough(call: Call, degraded: Degraded): Promise<void> {
    const { events, store } = this.#parts;
    const session = await this.#open(call);
    const trace = passThroughTrace(this.#builder.headOf(call, session), call.request, degraded);
    await store.addCall(trace, [], this.#patch(call.request, session));
    events.publish({ type: 'call.assembled', session_uid: session.uid, call_id: call.callId });
  }

  /** Only what the host itself named is remembered of it: a default must not pass for a budget that was seen. */
  #patch({ token_budget: given, model }: AssembleRequest, session: SessionRow) {
    const budget = given === undefined ? undefined : this.#budgets.ofTurn(session, given);
    return {
      lastActiveAt: this.#parts.clock.now(),
      ...(budget === undefined ? {} : { lastBudget: budget }),
      ...(model === undefined ? {} : { lastModel: model }),
    };
  }

  #open({ request, started }: Call): Promise<SessionRow> {
    const { store, clock, config } = this.#parts;
    return store.openSession(resolveIdentity(request, config.user_id), started, clock.newId('sess'));
  }
}

/** A list of which nothing can be sent (a result without its call) is better sent as it is than not at all. */
function sendsNothing({ call, trace }: BuiltAnswer): boolean {
  return trace.output.length === 0 && call.request.messages.length > 0;
}

const nothingToSend = {
  state: 'failed',
  error: new EngineError('strategy_failed', 'Nothing of the list is what a provider accepts.'),
} as const;

type Missed = Exclude<DeadlineOutcome<unknown>, { readonly state: 'done' }>;

/** Wrong requests are answered as such; everything else must not cost the agent its turn. */
function isCallersFault(error: unknown): boolean {
  return error instanceof EngineError && error.status < 500;
}

function degradedBecause(outcome: Missed, ms: number): Degraded {
  if (outcome.state === 'late') {
    return { code: 'deadline', message: `Nothing was ready after ${ms} ms; the host's own messages were passed on.` };
  }
  const { error } = outcome;
  const code = error instanceof EngineError ? error.code : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  return { code, message: `${message} The host's own messages were passed on.` };
}
