import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AssembleTrace, Calibration, Degraded } from '../../../src-shared/model/trace.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EngineParts } from '../engine-parts.ts';
import { sha256 } from '../hash.ts';
import { withJsonText } from '../prepared-json.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { calibrate } from '../tokens/calibrate.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { SessionTails } from '../turns/session-tails.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import type { AssembleInput, Selection } from './assemble-input.ts';
import { decide } from './build-trace.ts';
import type { Candidate } from './candidate.ts';
import { callContents, composeOutput, outputEntries, type OutputMessage } from './compose-output.ts';
import { gatherCandidates, type Gathered } from './gather-candidates.ts';
import { readHostMessages, type HostEntry } from './host-messages.ts';
import { checkSelection } from './check-selection.ts';
import { answerWithoutStore } from './answer-without-store.ts';
import { passThroughTrace } from './pass-through-trace.ts';
import { summaryFrame } from './summary-message.ts';
import { systemAddition } from './system-addition.ts';
import { withinDeadline } from './within-deadline.ts';

const calibrationWindow = 60;

/** A call that failed is put on record too, but its answer does not wait long for that. */
const failureRecordMs = 200;

/** Tokens of the frame of a reply: OpenAI's guide primes each answer with 3. */
const replyPriming = 3;

interface Call {
  readonly request: AssembleRequest;
  readonly callId: string;
  readonly started: number;
  /** Set once the call was answered without the engine. */
  degraded: Degraded | undefined;
}

interface Budget {
  readonly tokens: number;
  readonly source: AssembleTrace['budget_source'];
}

/** Builds the message list of a model call and records how. */
export class Assembler {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;
  readonly #strategies: StrategyRegistry;
  readonly #configHash: string;
  readonly #tails: SessionTails;
  readonly #onDegraded: (degraded: Degraded) => void;

  constructor(
    parts: EngineParts,
    counter: TokenCounter,
    strategies: StrategyRegistry,
    onDegraded: (degraded: Degraded) => void,
  ) {
    this.#parts = parts;
    this.#counter = counter;
    this.#strategies = strategies;
    this.#onDegraded = onDegraded;
    this.#tails = new SessionTails(parts.store);
    this.#configHash = sha256(JSON.stringify(parts.config));
  }

  /**
   * Answers within the deadline whatever happens: when the store, the tokenizer or a strategy is too slow or fails,
   * with the host's own messages, and says so. Only a request that is itself wrong is refused.
   */
  async assemble(request: AssembleRequest): Promise<AssembleReply> {
    const deadline = request.deadline_ms ?? this.#parts.config.assemble.deadline_ms;
    const started = this.#parts.clock.now();
    const callId = this.#parts.clock.newId('call');
    const call: Call = { request, callId, started, degraded: undefined };
    const outcome = await withinDeadline(this.#assembleAndRecord(call), deadline);
    if (outcome.state === 'done') return outcome.value;
    if (outcome.state === 'failed' && isCallersFault(outcome.error)) throw outcome.error;
    const degraded = degradedBecause(outcome, deadline);
    // Work that is still under way records, when it gets there, what was really answered.
    call.degraded = degraded;
    this.#onDegraded(degraded);
    if (outcome.state === 'failed') await withinDeadline(this.#recordPassThrough(call, degraded), failureRecordMs);
    return answerWithoutStore(request, callId, degraded);
  }

  async #assembleAndRecord(call: Call): Promise<AssembleReply> {
    const { store, clock, events } = this.#parts;
    const session = await this.#open(call);
    const { reply, trace, contents, turnItems } = await this.#build(call.request, session, call.callId, call.started);
    if (call.degraded) {
      await this.#recordPassThrough(call, call.degraded);
      return reply;
    }
    const patch = {
      lastActiveAt: clock.now(),
      lastBudget: trace.token_budget,
      ...(call.request.model === undefined ? {} : { lastModel: call.request.model }),
    };
    await store.addCall(trace, contents, patch, turnItems);
    events.publish({ type: 'call.assembled', session_uid: session.uid, call_id: call.callId });
    return reply;
  }

  async #recordPassThrough(call: Call, degraded: Degraded): Promise<void> {
    const { clock, config, events, store, version } = this.#parts;
    const session = await this.#open(call);
    const trace = passThroughTrace({
      request: call.request,
      session,
      callId: call.callId,
      startedAt: call.started,
      finishedAt: clock.now(),
      version,
      configHash: this.#configHash,
      strategy: this.#strategies.nameFor(session),
      defaultBudget: config.assemble.default_token_budget,
      degraded,
    });
    await store.addCall(trace, [], { lastActiveAt: clock.now() });
    events.publish({ type: 'call.assembled', session_uid: session.uid, call_id: call.callId });
  }

  #open(call: Call): Promise<SessionRow> {
    const { store, clock, config } = this.#parts;
    return store.openSession(resolveIdentity(call.request, config.user_id), call.started, clock.newId('sess'));
  }

  async #build(request: AssembleRequest, session: SessionRow, callId: string, started: number) {
    const { store, config } = this.#parts;
    const budget = budgetOf(request, session, config.assemble.default_token_budget);
    const model = request.model ?? session.lastModel;
    const calibration = calibrate(model === undefined ? [] : await store.calibrationSamples(model, calibrationWindow));
    const ownBudget = Math.max(0, Math.floor(budget.tokens / calibration.ratio) - replyPriming);
    const host = await readHostMessages(request, session, store, this.#tails, this.#counter);
    const gathered = await gatherCandidates(
      { session, host, history: request.history, budget: ownBudget },
      store,
      this.#tails,
      this.#counter,
    );
    const addition = systemAddition(config.assemble.standing_instructions, request.available_tools);
    const input = await this.#inputFor(gathered, ownBudget, addition);
    const strategyName = this.#strategies.nameFor(session);
    const strategy = await this.#strategies.get(strategyName);
    const selection = checkSelection(await strategy.assemble(input), input, strategyName);
    const output = await composeOutput(
      {
        selection,
        gathered,
        host,
        additionMessage: additionMessage(addition, request),
        format: request.format,
        model,
        withHostBodies: request.reply === 'messages',
      },
      store,
      this.#counter,
    );
    const { trace, turnItems } = this.#trace({
      request,
      session,
      callId,
      started,
      budget,
      calibration,
      gathered,
      selection,
      output,
      addition,
      strategyName,
      ownBudget,
      host,
    });
    return { reply: replyOf(request, trace, output), trace, contents: callContents(output, host), turnItems };
  }

  async #inputFor(gathered: Gathered, budget: number, addition: string): Promise<AssembleInput> {
    const { assemble } = this.#parts.config;
    const standing: Candidate[] = gathered.system.map((entry) => entry.candidate);
    if (addition !== '') standing.push(additionCandidate(addition, await this.#counter.text(addition)));
    return {
      budget,
      recentRawTurnCount: assemble.recent_raw_turn_count,
      summaryBudgetShare: assemble.summary_budget_share,
      standing,
      hostSummaries: gathered.hostSummaries.map((entry) => entry.candidate),
      summaries: gathered.summaries,
      summaryFrameTokens: (await this.#counter.text(summaryFrame)) + 40,
      raw: gathered.raw,
      olderTokens: gathered.olderTokens,
      older: gathered.older,
      covered: gathered.covered,
    };
  }

  #trace(made: {
    request: AssembleRequest;
    session: SessionRow;
    callId: string;
    started: number;
    budget: Budget;
    calibration: Calibration;
    gathered: Gathered;
    selection: Selection;
    output: readonly OutputMessage[];
    addition: string;
    strategyName: string;
    ownBudget: number;
    host: readonly HostEntry[];
  }): { trace: AssembleTrace; turnItems: ReadonlySet<string> } {
    const { request, session, output, calibration } = made;
    const { version, clock } = this.#parts;
    const trimmed = new Map(
      output.flatMap((entry) => (entry.tokens === undefined ? [] : [[entry.item, entry.tokens] as const])),
    );
    const { items, decisions, turnItems } = decide(made.selection, made.ownBudget, trimmed);
    const ownTokens = decisions.reduce((sum, decision) => sum + decision.tokens_after, 0) + replyPriming;
    const trace: AssembleTrace = {
      call_id: made.callId,
      session_uid: session.uid,
      session_id: session.sessionId,
      session_key: session.sessionKey,
      agent_id: session.agentId,
      epoch: session.epoch,
      created_at: new Date(made.started).toISOString(),
      duration_ms: Math.max(0, clock.now() - made.started),
      engine_version: version,
      strategy: made.strategyName,
      config_hash: this.#configHash,
      input_hash: inputHash(request, made.host, made.budget.tokens),
      output_hash: sha256(output.map((entry) => entry.contentHash).join('\n')),
      format: request.format,
      reply: request.reply,
      history: request.history,
      ...(request.model === undefined ? {} : { model: request.model }),
      ...(request.prompt === undefined ? {} : { prompt_preview: request.prompt.slice(0, 200).toWellFormed() }),
      host_message_count: request.host_count ?? request.messages.length,
      stored_turn_count: session.lastSequence - session.epochStart,
      token_budget: made.budget.tokens,
      budget_source: made.budget.source,
      estimated_tokens: Math.ceil(ownTokens * calibration.ratio),
      counter: calibration.ratio === 1 ? 'tokenizer' : 'calibrated',
      calibration,
      slots: [...made.selection.slots],
      items: [...items],
      decisions: [...decisions],
      output: outputEntries(output),
      ...(made.addition === '' || request.format === 'openai' ? {} : { system_prompt_addition: made.addition }),
    };
    return { trace, turnItems };
  }
}

function budgetOf(request: AssembleRequest, session: SessionRow, fallback: number): Budget {
  if (request.token_budget !== undefined) return { tokens: request.token_budget, source: 'request' };
  if (session.lastBudget !== undefined) return { tokens: session.lastBudget, source: 'last_seen' };
  return { tokens: fallback, source: 'default' };
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

function replyOf(request: AssembleRequest, trace: AssembleTrace, output: readonly OutputMessage[]): AssembleReply {
  const head = {
    call_id: trace.call_id,
    estimated_tokens: trace.estimated_tokens,
    counter: trace.counter,
    ...(trace.system_prompt_addition === undefined ? {} : { system_prompt_addition: trace.system_prompt_addition }),
  };
  const list = request.reply === 'plan' ? 'plan' : 'messages';
  const entries = (): string => `[${output.map((entry) => entryText(entry, request.reply)).join(',')}]`;
  const reply = Object.defineProperty({ ...head }, list, {
    enumerable: true,
    get: () => JSON.parse(entries()) as unknown,
  });
  return withJsonText(reply, () => `${JSON.stringify(head).slice(0, -1)},"${list}":${entries()}}`);
}

function entryText(entry: OutputMessage, reply: AssembleRequest['reply']): string {
  if (reply === 'messages') return entry.body ?? 'null';
  return entry.host === undefined ? `{"inline":${entry.body ?? 'null'}}` : `{"host":${entry.host}}`;
}

function inputHash(request: AssembleRequest, host: readonly HostEntry[], budget: number): string {
  const keys = host.map((entry) => entry.candidate.key);
  return sha256(
    JSON.stringify([request.format, request.history, budget, request.prompt ?? null, request.model ?? null, keys]),
  );
}

/** Wrong requests are answered as such; everything else must not cost the agent its turn. */
function isCallersFault(error: unknown): boolean {
  return error instanceof EngineError && error.status < 500;
}

type Missed = { readonly state: 'late' } | { readonly state: 'failed'; readonly error: unknown };

function degradedBecause(outcome: Missed, deadline: number): Degraded {
  if (outcome.state === 'late') {
    return {
      code: 'deadline',
      message: `Nothing was ready after ${deadline} ms; the host's own messages were passed on.`,
    };
  }
  const { error } = outcome;
  const code = error instanceof EngineError ? error.code : 'internal';
  const message = error instanceof Error ? error.message : String(error);
  return { code, message: `${message} The host's own messages were passed on.` };
}
