import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { AssembleTrace, Calibration } from '../../../src-shared/model/trace.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import { sha256 } from '../hash.ts';
import type { CallPage } from '../ports/call-pages.ts';
import { callPagesOf } from '../ports/call-pages-of.ts';
import type { NewContent, SessionRow } from '../ports/session-store.ts';
import { InputRecorder, type MadeFrom } from '../replay/record-inputs.ts';
import type { ContextEngine } from '../strategies/context-engine.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { calibrate } from '../tokens/calibrate.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { createOldResults, type OldResults } from '../tool-results/old-results.ts';
import { prepareContext } from '../tool-results/prepare-context.ts';
import { StandInPreparer, type PreparedPart } from '../tool-results/stand-in-preparer.ts';
import { BodyCache } from '../turns/body-cache.ts';
import type { HostViews } from '../turns/host-views.ts';
import { SessionTails } from '../turns/session-tails.ts';
import type { AssembleInput, Selection } from './assemble-input.ts';
import { decide } from './build-trace.ts';
import { calibratedTokens, tokensWithin } from './calibrated-tokens.ts';
import type { Candidate } from './candidate.ts';
import { CallMemory, type CallMemoryParts, type MemoryOfCall } from './call-memory.ts';
import { chooseWithRecall } from './choose-with-recall.ts';
import { callContents, composeOutput, outputEntries } from './compose-output.ts';
import { gatherCandidates, isAnotherConversation, type Gathered } from './gather-candidates.ts';
import { readHostMessages, type HostEntry } from './host-messages.ts';
import type { OutputMessage } from './output-message.ts';
import type { StandingOfCall } from './standing-of-call.ts';
import { settleSlots } from './slots.ts';
import { summaryFrameTokens } from './summary-message.ts';
import { systemAddition } from './system-addition.ts';
import { writeReply } from './write-reply.ts';

const calibrationWindow = 60;

/** Tokens of the frame of a reply: OpenAI's guide primes each answer with 3. */
const replyPriming = 3;

export interface Call {
  readonly request: AssembleRequest;
  readonly callId: string;
  /** Milliseconds since the Unix epoch. */
  readonly started: number;
}

/** What a trace says whether or not anything was decided. */
export type TraceHead = Pick<
  AssembleTrace,
  | 'call_id'
  | 'session_uid'
  | 'session_id'
  | 'session_key'
  | 'agent_id'
  | 'epoch'
  | 'created_at'
  | 'duration_ms'
  | 'engine_version'
  | 'strategy'
  | 'config_hash'
  | 'format'
  | 'reply'
  | 'history'
  | 'model'
  | 'prompt_preview'
  | 'host_message_count'
  | 'stored_turn_count'
  | 'token_budget'
  | 'budget_source'
>;

export interface BuiltAnswer {
  readonly call: Call;
  readonly session: SessionRow;
  readonly reply: AssembleReply;
  readonly trace: AssembleTrace;
  readonly contents: readonly NewContent[];
  readonly turnItems: ReadonlySet<string>;
  readonly pages: readonly CallPage[];
}

/** What is known of a call before it comes. */
export interface Prefetch {
  readonly prompt?: string | undefined;
  readonly recall?: AssembleRequest['recall'];
}

interface Made {
  readonly call: Call;
  readonly session: SessionRow;
  readonly host: readonly HostEntry[];
  readonly calibration: Calibration;
  readonly budget: number;
  readonly selection: Selection;
  readonly output: readonly OutputMessage[];
  /** The whole text of the system prompt addition. */
  readonly addition: string;
}

/** A call that is run again: what was then, in the place of what is now. Nothing is put on record. */
export interface Rerun {
  /** Undefined: that of today. */
  readonly calibration: Calibration | undefined;
  readonly memory: MemoryOfCall | undefined;
  readonly configHash: string;
}

/** Where strategies of calls come from. */
export type StrategiesOfCalls = Pick<StrategyRegistry, 'nameFor' | 'get'>;

/** What memory the calls of an engine have. */
export type MemoryOfCalls = Pick<CallMemoryParts, 'standing' | 'recalls'>;

/** What a call has to choose from, before memory answered. */
interface Offered {
  readonly request: AssembleRequest;
  readonly gathered: Gathered;
  readonly budget: number;
  readonly instructions: string;
  readonly standing: StandingOfCall | undefined;
  readonly strategy: ContextEngine;
}

/** Builds the message list of a model call, and the trace of how it came about. */
export class AnswerBuilder {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;
  readonly #strategies: StrategiesOfCalls;
  readonly #configHash: string;
  readonly #tails: SessionTails;
  readonly #bodies: BodyCache;
  readonly #views: HostViews;
  readonly #oldResults: OldResults;
  readonly #memory: MemoryOfCall | undefined;
  readonly #recorder: InputRecorder | undefined;
  readonly #rerun: Rerun | undefined;
  /** Makes ahead what calls will need. */
  readonly preparer: StandInPreparer;

  /** @param memory undefined: calls have none */
  constructor(
    parts: EngineParts,
    counter: TokenCounter,
    strategies: StrategiesOfCalls,
    views: HostViews,
    memory: MemoryOfCalls | undefined,
    rerun?: Rerun,
  ) {
    this.#parts = parts;
    this.#counter = counter;
    this.#strategies = strategies;
    this.#views = views;
    this.#tails = new SessionTails(parts.store);
    this.#bodies = new BodyCache(parts.store);
    this.#oldResults = createOldResults(parts, counter);
    this.preparer = new StandInPreparer(parts, this.#oldResults, (wanted, part) => this.#prepare(wanted, part));
    const { config, clock, log } = parts;
    const held = { config, counter, clock, log, tails: this.#tails, bodies: this.#bodies };
    this.#memory = rerun ? rerun.memory : memory && new CallMemory({ ...memory, ...held });
    this.#configHash = rerun?.configHash ?? sha256(JSON.stringify(parts.config));
    this.#recorder = rerun ? undefined : new InputRecorder(config, parts.tokenizer.name);
    this.#rerun = rerun;
  }

  async build(call: Call, session: SessionRow): Promise<BuiltAnswer> {
    const { request } = call;
    const { store, config } = this.#parts;
    const model = request.model ?? session.lastModel;
    const calibration =
      this.#rerun?.calibration ??
      calibrate(model === undefined ? [] : await store.calibrationSamples(model, calibrationWindow));
    const { token_budget: wholeBudget } = this.headOf(call, session);
    const budget = Math.max(0, tokensWithin(wholeBudget, calibration.ratio) - replyPriming);
    const strategyName = this.#strategies.nameFor(session);
    const strategy = await this.#strategies.get(strategyName);
    const asked = await this.#memory?.ask(request, session, strategy.recall, budget);
    const { host, gathered, startsOver, checkpoints } = await this.#gather(call, session, budget, strategy);
    await breathe();
    const ids = gathered.checkpoints.map((checkpoint) => checkpoint.checkpoint_id);
    const standing = await this.#memory?.standingFor(request, session, ids, budget);
    const instructions = systemAddition(config.assemble.standing_instructions, request.available_tools);
    const addition = [standing?.layers, instructions, standing?.block].filter(Boolean).join('\n\n');
    const bare = await this.#inputFor({ request, gathered, budget, instructions, standing, strategy });
    const found = asked && (await this.#memory?.take(asked, request));
    const choosing = { strategy, strategyName, session, startsOver, room: asked?.room ?? 0 };
    const { selection, recalled } = await chooseWithRecall(bare, found, choosing);
    if (asked?.call) this.#memory?.noteAnswered(asked.call, selection);
    await breathe();
    const output = await composeOutput(
      {
        selection,
        gathered,
        host,
        additionMessage: additionMessage(addition, request),
        format: request.format,
        model,
        withHostBodies: request.reply === 'messages',
        recall: recalled &&
          asked?.question && {
            recalled,
            place: asked.question.place,
            form: request.recall?.form ?? config.recall.form,
          },
      },
      this.#bodies,
      this.#counter,
    );
    await breathe();
    const made: Made = { call, session, host, calibration, budget, selection, output, addition };
    const { trace, turnItems } = this.#trace(made);
    const recall = asked && found && { recalled: found, room: asked.room, place: asked.question?.place };
    const from = this.#record({ request, session, host, checkpoints, standing, recall });
    return {
      call,
      session,
      reply: writeReply(request, trace, output, this.#bodies),
      trace: from ? { ...trace, inputs: from.inputs } : trace,
      contents: [...callContents(output, host), ...(from?.contents ?? [])],
      turnItems,
      pages: callPagesOf(trace, repeatsOf(standing)),
    };
  }

  /** Reads what a call of the session will begin with, and begins to search memory for what the user said. */
  async warm(session: SessionRow, { prompt, recall }: Prefetch): Promise<void> {
    await this.#tails.newest(session, session.epochStart, 1);
    this.preparer.noteCall(session);
    if (prompt === undefined || !this.#memory) return;
    const strategy = await this.#strategies.get(this.#strategies.nameFor(session));
    const budget = session.lastBudget ?? this.#parts.config.assemble.default_token_budget;
    await this.#memory.prefetch(
      { prompt, ...(recall === undefined ? {} : { recall }) },
      session,
      strategy.recall,
      budget,
    );
  }

  #record(made: Omit<MadeFrom, 'checkpoints'> & { readonly checkpoints: readonly CompactCheckpoint[] }) {
    const checkpoints = made.checkpoints.map((checkpoint) => checkpoint.checkpoint_id);
    return this.#recorder?.record({ ...made, checkpoints });
  }

  async #prepare(session: SessionRow, part: PreparedPart): Promise<void> {
    const strategy = await this.#strategies.get(this.#strategies.nameFor(session));
    if (strategy.ignoresCheckpoints) return;
    await prepareContext(session, part, this.#parts, this.#tails, this.#oldResults);
  }

  headOf({ request, callId, started }: Call, session: SessionRow): TraceHead {
    const { version, clock, config } = this.#parts;
    return {
      call_id: callId,
      session_uid: session.uid,
      session_id: session.sessionId,
      session_key: session.sessionKey,
      agent_id: session.agentId,
      epoch: session.epoch,
      created_at: new Date(started).toISOString(),
      duration_ms: Math.max(0, clock.now() - started),
      engine_version: version,
      strategy: this.#strategies.nameFor(session),
      config_hash: this.#configHash,
      format: request.format,
      reply: request.reply,
      history: request.history,
      ...(request.model === undefined ? {} : { model: request.model }),
      ...(request.prompt === undefined ? {} : { prompt_preview: request.prompt.slice(0, 200).toWellFormed() }),
      host_message_count: request.host_count ?? request.messages.length,
      stored_turn_count: session.lastSequence - session.epochStart,
      ...budgetOf(request, session, config.assemble.default_token_budget),
    };
  }

  async #gather(call: Call, session: SessionRow, budget: number, strategy: ContextEngine) {
    const { store } = this.#parts;
    const { history, format, prompt } = call.request;
    const host = await readHostMessages(call.request, session, store, this.#tails, this.#counter);
    await breathe();
    const startsOver = await isAnotherConversation({ host, history, session }, this.#tails);
    if (history === 'full') this.#views.note(session, startsOver);
    const checkpoints =
      session.checkpointCount === 0 || strategy.ignoresCheckpoints || startsOver
        ? []
        : await store.standingCheckpoints(session.uid, session.epoch);
    const gathered = await gatherCandidates(
      { session, host, checkpoints, history, startsOver, format, budget, promptFollows: prompt !== undefined },
      store,
      this.#tails,
      this.#counter,
      // Plain truncation shortens nothing.
      strategy.ignoresCheckpoints ? undefined : this.#oldResults,
    );
    return { host, gathered, startsOver, checkpoints };
  }

  async #inputFor({
    request,
    gathered,
    budget,
    instructions,
    standing: memory,
    strategy,
  }: Offered): Promise<AssembleInput> {
    const { assemble } = this.#parts.config;
    const standing: Candidate[] = gathered.system.map((entry) => entry.candidate);
    if (instructions !== '') standing.push(additionCandidate(instructions, await this.#counter.text(instructions)));
    standing.push(...(memory?.candidates ?? []));
    return {
      budget,
      recentRawTurnCount:
        request.recent_raw_turn_count ?? strategy.recentRawTurnCount ?? assemble.recent_raw_turn_count,
      summaryBudgetShare: assemble.summary_budget_share,
      standing,
      hostSummaries: gathered.hostSummaries.map((entry) => entry.candidate),
      summaries: gathered.summaries,
      summaryFrameTokens: await summaryFrameTokens(this.#counter),
      units: gathered.units,
      hasOlder: gathered.hasOlder,
      earliest: gathered.earliest,
      unavailable: [...gathered.unavailable, ...(memory?.rejected ?? [])],
      recalled: [],
      recalledFrameTokens: 0,
      recallRoom: 0,
    };
  }

  #trace(made: Made): { trace: AssembleTrace; turnItems: ReadonlySet<string> } {
    const { call, session, host, calibration, budget, selection, output, addition } = made;
    const trimmed = new Map(
      output.flatMap((entry) => (entry.tokens === undefined ? [] : [[entry.item, entry.tokens] as const])),
    );
    const { items, decisions, turnItems } = decide(selection, budget, trimmed);
    const tokens = decisions.reduce((sum, decision) => sum + decision.tokens_after, 0) + replyPriming;
    const head = this.headOf(call, session);
    const trace: AssembleTrace = {
      ...head,
      input_hash: inputHash(call.request, host, head.token_budget),
      output_hash: sha256(output.map((entry) => entry.contentHash).join('\n')),
      estimated_tokens: calibratedTokens(tokens, calibration.ratio),
      counter: calibration.ratio === 1 ? 'tokenizer' : 'calibrated',
      calibration,
      slots: settleSlots(selection.slots, items, decisions, budget),
      items: [...items],
      decisions: [...decisions],
      output: outputEntries(output),
      ...(addition === '' || call.request.format === 'openai' ? {} : { system_prompt_addition: addition }),
    };
    return { trace, turnItems };
  }
}

function budgetOf(
  request: AssembleRequest,
  session: SessionRow,
  fallback: number,
): Pick<TraceHead, 'token_budget' | 'budget_source'> {
  if (request.token_budget !== undefined) return { token_budget: request.token_budget, budget_source: 'request' };
  if (session.lastBudget !== undefined) return { token_budget: session.lastBudget, budget_source: 'last_seen' };
  return { token_budget: fallback, budget_source: 'default' };
}

/** Hosts with an own system prompt take our addition beside the list; in OpenAI's format it is a message of it. */
function additionMessage(addition: string, request: AssembleRequest): HostMessage | undefined {
  return addition !== '' && request.format === 'openai' ? { role: 'system', content: addition } : undefined;
}

function additionCandidate(text: string, tokens: number): Candidate {
  return {
    item: 'system-addition',
    kind: 'system',
    source: 'engine',
    role: 'system',
    count: 1,
    tokens: tokens + 4,
    preview: text.replace(/\s+/gu, ' ').slice(0, 160).toWellFormed(),
    key: sha256(text),
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
}

function inputHash(request: AssembleRequest, host: readonly HostEntry[], budget: number): string {
  const keys = host.map((entry) => entry.candidate.key);
  return sha256(
    JSON.stringify([request.format, request.history, budget, request.prompt ?? null, request.model ?? null, keys]),
  );
}

/** All pages of each part of the standing memory. */
function repeatsOf(standing: StandingOfCall | undefined): ReadonlyMap<string, readonly string[]> {
  const candidates = [...(standing?.candidates ?? []), ...(standing?.rejected ?? []).map(({ candidate }) => candidate)];
  return new Map(candidates.flatMap(({ item, repeats }) => (repeats ? [[item, repeats] as const] : [])));
}

/** Lets timers run: the deadline of a call is one, and the steps between would otherwise follow without a gap. */
function breathe(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
