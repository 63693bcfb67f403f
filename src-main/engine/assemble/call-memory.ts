import type { Config } from '../../../src-shared/model/config.ts';
import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import { Deadline } from '../deadline.ts';
import { sha256 } from '../hash.ts';
import type { Clock } from '../ports/clock.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import type { StandingPart } from '../ports/standing-store.ts';
import { layersText, standingBlock, standingPartText } from '../standing/standing-text.ts';
import type { StandingMemory, StandingView } from '../standing/standing-memory.ts';
import type { RecallRule } from '../strategies/context-engine.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import type { Rejected } from './build-units.ts';
import type { Selection } from './assemble-input.ts';
import type { Candidate } from './candidate.ts';
import { findQuestion, type AskedQuestion } from './recall/find-question.ts';
import { isWorthAsking } from './recall/is-worth-asking.ts';
import { recallNote } from './recall/read-recall-result.ts';
import type { Recalled } from './recall/recalled.ts';
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

/** Standing memory of one call. */
export interface StandingOfCall {
  /** Before our own instructions, and after them. */
  readonly layers: string;
  readonly block: string;
  readonly candidates: readonly Candidate[];
  readonly rejected: readonly Rejected[];
}

export interface AskedMemory {
  readonly question: AskedQuestion | undefined;
  /** Undefined: nothing is searched, for the reason. */
  readonly call: RecallCall | undefined;
  readonly room: number;
}

type RecallOptions = Pick<AssembleRequest, 'recall'>;

/** Standing memory takes at most this share of a budget: with less room the conversation is worth more. */
const standingShare = 0.25;
/** Share of a call's time that memory may take. */
const shareOfDeadline = 0.5;

/** Sessions of whose newest call is remembered where its window began. */
const heldSessions = 500;

const noStanding: StandingOfCall = { layers: '', block: '', candidates: [], rejected: [] };

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
    const { recalls, clock } = this.#parts;
    if (!question || !call) {
      const said = question ? `“${question.query.slice(0, 60)}” asks for nothing.` : 'Nobody asks for anything.';
      return nothingRecalled(question?.query ?? '', clock.now(), recallNote('recall_skipped', said));
    }
    const last = request.messages.length - 1;
    const { place } = question;
    // Nothing follows the question in the list, so that nothing behind it can have been cached.
    const mayComeLate = place.at === 'before' && place.hostIndex === (request.indexes?.[last] ?? last);
    return recalls.take(call, { format: request.format, waitMs: this.#waitMs(request), mayComeLate });
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
    if (outcome.state === 'done') return this.#standingOf(outcome.value, budget);
    const message =
      outcome.state === 'late'
        ? 'Standing memory was not read in time.'
        : `Standing memory could not be read: ${String(outcome.error)}`;
    log('warn', 'a call goes without standing memory', { session_id: session.sessionId, message });
    const candidate = {
      ...standingCandidate('standing:memory', 'profile', message, 0),
      preview: message.slice(0, 160),
    };
    return {
      ...noStanding,
      rejected: [{ candidate, reason: outcome.state === 'late' ? 'deadline' : 'recall_failed' }],
    };
  }

  async #standingOf(
    { parts, asOf, changesWaiting, isLeftToHost }: StandingView,
    budget: number,
  ): Promise<StandingOfCall> {
    const { counter } = this.#parts;
    const firstOfBlock = parts.findIndex(({ kind }) => kind !== 'layer');
    const texts = parts.map((part, index) => standingPartText(part, index === firstOfBlock));
    const tokens = await counter.texts(texts);
    const candidates = parts.map((part, index): Candidate => ({
      ...standingCandidate(
        itemOf(part),
        part.kind === 'layer' ? 'system' : part.kind,
        part.text,
        (tokens[index] ?? 0) + 2,
      ),
      ...(part.uris[0] === undefined ? {} : { uri: part.uris[0] }),
      repeats: part.uris,
      asOf,
      changesWaiting,
    }));
    const leftToHost: Rejected[] = isLeftToHost
      ? [
          {
            candidate: standingCandidate('standing:MEMORY.md', 'memory_index', 'MEMORY.md', 0),
            reason: 'host_sends_it',
          },
        ]
      : [];
    const total = candidates.reduce((sum, candidate) => sum + candidate.tokens, 0);
    if (total > budget * standingShare) {
      const tooLarge = candidates.map((candidate): Rejected => ({ candidate, reason: 'standing_over_budget' }));
      return { ...noStanding, rejected: [...tooLarge, ...leftToHost] };
    }
    return { layers: layersText(parts), block: standingBlock(parts), candidates, rejected: leftToHost };
  }

  #roomOf({ recall }: RecallOptions, rule: RecallRule, budget: number): number {
    const { config } = this.#parts;
    if (!(recall?.enabled ?? config.recall.enabled)) return 0;
    const most = recall?.max_tokens ?? config.recall.max_tokens;
    return Math.floor(Math.min(budget * config.recall.budget_share, most) * rule.room);
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

function itemOf({ kind, name }: StandingPart): string {
  return kind === 'layer' ? `layer:${name}` : `standing:${name}`;
}

function standingCandidate(item: string, kind: Candidate['kind'], text: string, tokens: number): Candidate {
  return {
    item,
    kind,
    source: 'engine',
    role: 'system',
    count: 1,
    tokens,
    preview: text.slice(0, 400).replace(/\s+/gu, ' ').trim().slice(0, 160).toWellFormed(),
    key: sha256(text),
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
}
