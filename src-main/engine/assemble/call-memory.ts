import type { Config } from '../../../src-shared/model/config.ts';
import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import { Deadline } from '../deadline.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import type { StandingMemory } from '../standing/standing-memory.ts';
import type { RecallRule } from '../strategies/context-engine.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import type { Selection } from './assemble-input.ts';
import { noStandingBecause, standingOfCall, type StandingOfCall } from './standing-of-call.ts';
import { findQuestion, type AskedQuestion } from './recall/find-question.ts';
import { isWorthAsking } from './recall/is-worth-asking.ts';
import { recallNote } from './recall/read-recall-result.ts';
import type { Recalled } from './recall/recalled.ts';
import { recallRoom } from './recall/recall-room.ts';
import { nothingRecalled, type RecallCall, type TurnRecalls } from './recall/turn-recalls.ts';

export interface CallMemoryParts {
  readonly standing: StandingMemory;
  readonly recalls: TurnRecalls;
  readonly config: Config;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  readonly tails: SessionTails;
  readonly bodies: Pick<SessionStore, 'readBodies'>;
  readonly log: (level: 'warn', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

export interface AskedMemory {
  readonly question: AskedQuestion | undefined;
  /** Undefined: nothing is searched now. */
  readonly call: RecallCall | undefined;
  readonly room: number;
}

type RecallOptions = Pick<AssembleRequest, 'recall'>;

/** Share of a call's time that memory may take. */
const shareOfDeadline = 0.5;

/** Sessions of whose newest call is remembered where its window began. */
const heldSessions = 500;

/** What the builder of a call needs of its memory. */
export type MemoryOfCall = Pick<CallMemory, 'ask' | 'take' | 'noteAnswered' | 'standingFor' | 'prefetch'>;

/** What memory has for a call. Nothing in here throws or waits for longer than it may: a call goes on without memory. */
export class CallMemory {
  readonly #parts: CallMemoryParts;

  /** Sequence at which the window of a session's newest call began. */
  readonly #contextStarts = new Map<string, number>();

  constructor(parts: CallMemoryParts) {
    this.#parts = parts;
  }

  /** Begins the search for what the user says in this call. */
  async ask(
    request: AssembleRequest,
    session: SessionRow,
    rule: RecallRule | undefined,
    budget: number,
  ): Promise<AskedMemory | undefined> {
    const room = rule ? this.#roomOf(request, rule, budget) : 0;
    if (!rule || room === 0) return undefined;
    const { config, tails, bodies } = this.#parts;
    const question = await findQuestion(request, session, request.recall?.window ?? config.recall.window, {
      tails,
      bodies,
    });
    const isAsked = question && (rule.everyTurn ? question.query !== '' : isWorthAsking(question.query));
    if (!question || !isAsked) return { question, call: undefined, room };
    const call = this.#callOf(request, session, question, room);
    this.#parts.recalls.begin(call);
    return { question, call, room };
  }

  /** As `ask`, before the call comes; `prompt` is what the host will append. */
  async prefetch(
    request: RecallOptions & { readonly prompt: string },
    session: SessionRow,
    rule: RecallRule | undefined,
    budget: number,
  ): Promise<boolean> {
    const asked = await this.ask(
      { ...request, session_id: session.sessionId, format: 'openclaw', messages: [], history: 'full', reply: 'plan' },
      session,
      rule,
      budget,
    );
    return asked?.call !== undefined;
  }

  /** What the search found by now, or soon. */
  async take({ question, call }: AskedMemory, request: AssembleRequest): Promise<Recalled> {
    const { recalls, clock, config } = this.#parts;
    if (!question || !call) {
      const said = question ? `“${question.query.slice(0, 60)}” asks for nothing.` : 'Nobody asks for anything.';
      return nothingRecalled(question?.query ?? '', clock.now(), recallNote('recall_skipped', said));
    }
    const last = request.messages.length - 1;
    const { place } = question;
    // Nothing follows the question in the list, so that nothing behind it can have been cached.
    const mayComeLate = place.at === 'before' && place.hostIndex === (request.indexes?.[last] ?? last);
    return recalls.take(call, {
      format: request.format,
      form: request.recall?.form ?? config.recall.form,
      waitMs: this.#waitMs(request),
      mayComeLate,
    });
  }

  /**
   * A call was answered: later calls of the turn get the same memories, and the next question need not be answered with
   * what the model is shown anyway.
   */
  noteAnswered(call: RecallCall, { choices }: Selection): void {
    const { uid } = call.session;
    const sent = choices.filter(({ action }) => action !== 'dropped');
    const recalled = sent.filter(({ candidate }) => candidate.kind === 'recalled_memory');
    this.#parts.recalls.settle(call, new Set(recalled.map(({ candidate }) => candidate.item)));
    const turns = sent.flatMap(({ candidate: { sequence, kind } }) =>
      sequence === undefined || kind === 'summary' ? [] : [sequence],
    );
    this.#contextStarts.delete(uid);
    if (turns.length === 0) return;
    this.#contextStarts.set(
      uid,
      turns.reduce((least, sequence) => Math.min(least, sequence)),
    );
    if (this.#contextStarts.size > heldSessions)
      this.#contextStarts.delete(this.#contextStarts.keys().next().value ?? '');
  }

  async standingFor(
    request: AssembleRequest,
    session: SessionRow,
    checkpoints: readonly string[],
    budget: number,
  ): Promise<StandingOfCall> {
    const { standing, log } = this.#parts;
    const deadline = new Deadline(this.#waitMs(request));
    const outcome = await deadline.wait(standing.of({ session, format: request.format, checkpoints }));
    deadline.clear();
    if (outcome.state === 'done') return standingOfCall(outcome.value, budget, this.#parts.counter);
    const message =
      outcome.state === 'late'
        ? 'Standing memory was not read in time.'
        : `Standing memory could not be read: ${String(outcome.error)}`;
    log('warn', 'a call goes without standing memory', { session_id: session.sessionId, message });
    return noStandingBecause(message, outcome.state === 'late');
  }

  #roomOf({ recall }: RecallOptions, rule: RecallRule, budget: number): number {
    return recallRoom(recall, this.#parts.config.recall, rule, budget);
  }

  #callOf({ recall }: RecallOptions, session: SessionRow, question: AskedQuestion, room: number): RecallCall {
    const { config } = this.#parts;
    const characters = recall?.max_item_characters;
    return {
      session,
      question,
      room,
      inContextFrom: this.#contextStarts.get(session.uid),
      limit: recall?.limit ?? config.recall.limit,
      minScore: recall?.min_score ?? config.recall.min_score,
      itemTokens: config.recall.item_max_tokens,
      itemCharacters: characters,
      preferAbstract: recall?.prefer_abstract ?? false,
    };
  }

  #waitMs({ deadline_ms: given }: Pick<AssembleRequest, 'deadline_ms'>): number {
    const { assemble, recall } = this.#parts.config;
    return Math.max(1, Math.floor(Math.min(recall.deadline_ms, (given ?? assemble.deadline_ms) * shareOfDeadline)));
  }
}
