import type { RecallConfig } from '../../../../src-shared/model/recall-config.ts';
import type { RecallCandidate, RecallResult } from '../../../../src-shared/model/recall.ts';
import type { MessageFormat } from '../../../../src-shared/protocol/host-message.ts';
import { Deadline } from '../../deadline.ts';
import type { MemoryAccessPolicy } from '../../memory/access/memory-access-policy.ts';
import type { Clock } from '../../ports/clock.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { Recall, RecallRequest } from '../../ports/recall.ts';
import type { SessionRow, SessionStore } from '../../ports/session-store.ts';
import type { TokenCounter } from '../../tokens/token-counter.ts';
import type { Recalled } from './recalled.ts';
import { readRecallResult, recallNote } from './read-recall-result.ts';
import type { RecallForm } from './recall-message.ts';
import type { RecallQuestion } from './recall-question.ts';
import { hiddenHistory, isHidden } from './hidden-history.ts';

export interface TurnRecallParts {
  readonly recall: Recall;
  readonly pages: Pick<MemoryPages, 'find'>;
  readonly access: MemoryAccessPolicy;
  readonly config: RecallConfig;
  readonly counter: TokenCounter;
  readonly store: SessionStore;
  readonly clock: Clock;
}

export interface RecallCall {
  readonly session: SessionRow;
  readonly question: RecallQuestion;
  /** The model sees the session's turns from here on anyway; undefined: not known. */
  readonly inContextFrom: number | undefined;
  /** Tokens that recalled memories may take. */
  readonly room: number;
  readonly limit: number;
  readonly minScore: number;
  readonly itemTokens: number;
  /** Longest text of one memory; undefined: only the tokens count. */
  readonly itemCharacters: number | undefined;
  /** Of pages the abstract is sent. */
  readonly preferAbstract: boolean;
}

export interface TakeOptions {
  readonly format: MessageFormat;
  readonly form: RecallForm;
  /** Longest wait (ms). */
  readonly waitMs: number;
  /** A call of this turn was answered without; what came later would change the list behind the provider's cache. */
  readonly mayComeLate: boolean;
}

/** The recall of a session's newest turn: asked once, and the same for all calls of the turn. */
interface Turn {
  readonly key: string;
  readonly at: number;
  readonly result: Promise<RecallResult | undefined>;
  /** Ends the search with what it has. */
  readonly end: AbortController;
  readonly read: Map<string, Promise<Recalled>>;
  /** A call was answered without it. */
  missed: boolean;
  /** Items that the first call of the turn was answered with. */
  sent: ReadonlySet<string> | undefined;
}

/** Sessions whose newest turn is remembered. */
const heldSessions = 500;
/** Searches that may run at once: where an index hangs, the calls that follow do not wait for it, too. */
const mostRunning = 8;
/** A search that takes longer is ended (ms). */
const longestMs = 10_000;
/** Share of a call's wait after which the search ends with what it has: a part that hangs keeps nothing from the model. */
const shareOfWait = 0.75;

/** Searches memory for each turn once, ahead where the host says early what is asked. */
export class TurnRecalls {
  readonly #parts: TurnRecallParts;
  readonly #turns = new Map<string, Turn>();
  readonly #running = new Map<Promise<unknown>, AbortController>();

  constructor(parts: TurnRecallParts) {
    this.#parts = parts;
  }

  /** Begins the search of the turn, unless it was begun; does not wait for it. @returns false: too many are running */
  begin(call: RecallCall): boolean {
    return this.#turnOf(call) !== undefined;
  }

  /** What the turn's search found, or a note of why there is nothing. Never throws, and never waits longer. */
  async take(call: RecallCall, options: TakeOptions): Promise<Recalled> {
    const { question } = call;
    const turn = this.#turnOf(call);
    if (!turn) return this.#nothing(call, 'recall_late', 'Memory is busy with earlier questions.');
    if (turn.missed && !options.mayComeLate) {
      return this.#nothing(call, 'recall_late', 'An earlier call of this turn was answered without it.');
    }
    const deadline = new Deadline(options.waitMs);
    const ending = setTimeout(() => turn.end.abort(), options.waitMs * shareOfWait);
    const outcome = await deadline.wait(this.#read(turn, call, options));
    clearTimeout(ending);
    deadline.clear();
    if (outcome.state === 'done') return turn.sent ? onlySent(outcome.value, turn.sent) : outcome.value;
    turn.missed = true;
    if (outcome.state === 'late') {
      return this.#nothing(
        call,
        'recall_late',
        `Memory did not answer “${question.query.slice(0, 60)}” within ${options.waitMs} ms.`,
      );
    }
    const { error } = outcome;
    return this.#nothing(call, 'recall_failed', error instanceof Error ? error.message : String(error));
  }

  /** A call of the turn was answered with these: the others get the same, or less where there is less room. */
  settle(call: RecallCall, sent: ReadonlySet<string>): void {
    const turn = this.#turns.get(call.session.uid);
    // What came too late is not settled: it may still come where nothing behind the question can have been cached.
    if (turn?.key === keyOf(call) && (!turn.missed || sent.size > 0)) turn.sent ??= sent;
  }

  /** Ends what still runs. */
  async stop(ms: number): Promise<void> {
    for (const controller of this.#running.values()) controller.abort();
    const deadline = new Deadline(ms);
    await deadline.wait(Promise.allSettled(this.#running.keys()));
    deadline.clear();
  }

  #nothing({ question }: RecallCall, reason: 'recall_late' | 'recall_failed', message: string): Recalled {
    return nothingRecalled(question.query, this.#parts.clock.now(), recallNote(reason, message));
  }

  #turnOf(call: RecallCall): Turn | undefined {
    const { session } = call;
    const key = keyOf(call);
    const known = this.#turns.get(session.uid);
    if (known?.key === key) return known;
    if (this.#running.size >= mostRunning) return undefined;
    const end = new AbortController();
    const turn: Turn = {
      key,
      at: this.#parts.clock.now(),
      result: this.#search(call, end),
      end,
      read: new Map(),
      missed: false,
      sent: undefined,
    };
    this.#turns.delete(session.uid);
    this.#turns.set(session.uid, turn);
    const oldest = this.#turns.size > heldSessions ? this.#turns.keys().next().value : undefined;
    if (oldest !== undefined) this.#turns.delete(oldest);
    return turn;
  }

  async #read(turn: Turn, call: RecallCall, { format, form }: TakeOptions): Promise<Recalled> {
    const result = await turn.result;
    if (!result) {
      return nothingRecalled(
        call.question.query,
        turn.at,
        recallNote('recall_skipped', 'This conversation may see no memory.'),
      );
    }
    const key = `${format} ${form}`;
    const known = turn.read.get(key);
    if (known) return known;
    const { counter } = this.#parts;
    const options = { counter, format, form, minScore: call.minScore, at: turn.at };
    const reading = readRecallResult(result, options);
    turn.read.set(key, reading);
    return reading;
  }

  #search(call: RecallCall, end: AbortController): Promise<RecallResult | undefined> {
    const timer = setTimeout(() => end.abort(), longestMs);
    const searching = this.#ask(call, end.signal).finally(() => {
      clearTimeout(timer);
      this.#running.delete(searching);
    });
    this.#running.set(searching, end);
    // Its failure shows in the call that takes it; a prefetch that no call follows has nobody to tell.
    searching.catch(() => undefined);
    return searching;
  }

  async #ask(call: RecallCall, signal: AbortSignal): Promise<RecallResult | undefined> {
    const { recall, access, config, store } = this.#parts;
    const { session, question, room, limit, minScore, itemTokens } = call;
    const scope = await access.scopeFor({ ...session, sessionUid: session.uid });
    if (scope.access === 'none') return undefined;
    const hidden = await hiddenHistory(session, store);
    const request: RecallRequest = {
      ...{ query: question.query, earlier: question.earlier, scope, limit, minScore, itemTokens, signal, hidden },
      sources: ['page', 'turn', 'checkpoint'],
      exceptKinds: config.skills ? undefined : ['skill', 'tool'],
      maxTokens: room,
      includeInactive: false,
      inContext:
        call.inContextFrom === undefined ? undefined : { sessionUid: session.uid, fromSequence: call.inContextFrom },
    };
    const result = await recall.recall(request);
    const shown = result.candidates.filter((candidate) => !isHidden(candidate, hidden));
    return { ...result, candidates: await Promise.all(shown.map((candidate) => this.#inForm(candidate, call))) };
  }

  /** As the caller wants memories: abstracts, or no longer than so many characters. */
  async #inForm(candidate: RecallCandidate, { preferAbstract, itemCharacters }: RecallCall): Promise<RecallCandidate> {
    if (!candidate.packed) return candidate;
    const page =
      preferAbstract && candidate.source === 'page' ? await this.#parts.pages.find(candidate.uri) : undefined;
    const text = page?.abstract.trim() || candidate.text;
    if (itemCharacters === undefined || text.length <= itemCharacters) return { ...candidate, text };
    return { ...candidate, text: `${text.slice(0, Math.max(0, itemCharacters - 1)).toWellFormed()}…` };
  }
}

function keyOf({ session, question }: RecallCall): string {
  return `${session.epoch} ${question.key}`;
}

export function onlySent(recalled: Recalled, sent: ReadonlySet<string>): Recalled {
  const others = recalled.packed.filter(({ candidate }) => !sent.has(candidate.item));
  if (others.length === 0) return recalled;
  return {
    ...recalled,
    sent,
    packed: recalled.packed.filter(({ candidate }) => sent.has(candidate.item)),
    rejected: [
      ...others.map(({ candidate }) => ({
        ...({ candidate, reason: 'recall_unchanged', scores: candidate.scores } as const),
      })),
      ...recalled.rejected,
    ],
  };
}

export function nothingRecalled(query: string, at: number, note: Recalled['rejected'][number]): Recalled {
  return { query, at, packed: [], rejected: [note], frameTokens: 0 };
}
