import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { CompactReply, CompactRequest } from '../../../src-shared/protocol/compact.ts';
import { summaryFrame } from '../assemble/summary-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import { readMessage } from '../messages/read-message.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { ContextEngine } from '../strategies/context-engine.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { calibrate } from '../tokens/calibrate.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import { sourceTurn } from './source-turn.ts';
import type { Summariser, Summary } from './summariser.ts';
import { compactTarget, type CompactTarget } from './target-tokens.ts';

/** Spec §6: abstract ≈ 100 tokens, overview ≈ 500. */
const fullSize: SummarySize = { abstractTokens: 100, overviewTokens: 500 };

interface SummarySize {
  readonly abstractTokens: number;
  readonly overviewTokens: number;
}

/** Lists kept on a checkpoint are for people to read; what goes beyond is counted in the log. */
const longestIdentifierList = 2_000;

/** Folds older turns into checkpoints. Nothing is deleted: a checkpoint only says what stands for a range of turns. */
export class Compactor {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;
  readonly #strategies: StrategyRegistry;
  readonly #summariser: Summariser;
  readonly #running = new Map<string, Promise<CompactReply>>();

  constructor(parts: EngineParts, counter: TokenCounter, strategies: StrategyRegistry, summariser: Summariser) {
    this.#parts = parts;
    this.#counter = counter;
    this.#strategies = strategies;
    this.#summariser = summariser;
  }

  isRunning(uid: string): boolean {
    return this.#running.has(uid);
  }

  /**
   * One at a time per session; a second request while one runs gets that one's answer. Whatever fails, the turns and
   * the checkpoints so far stand, and the answer says what happened.
   * @throws EngineError `unknown_session`
   */
  async compact(request: CompactRequest): Promise<CompactReply> {
    const { store, config } = this.#parts;
    const session = await store.findSession(resolveIdentity(request, config.user_id));
    if (!session) {
      throw new EngineError(
        'unknown_session',
        `There is no session ${JSON.stringify(request.session_id.slice(0, 200))} to compact; nothing was stored for it yet.`,
      );
    }
    const running = this.#running.get(session.uid);
    if (running) return running;
    const run = this.#compactSession(session, request).catch((error: unknown) => this.#failed(session, error));
    this.#running.set(session.uid, run);
    try {
      return await run;
    } finally {
      this.#running.delete(session.uid);
      this.#parts.events.publish({ type: 'session.changed', session_uid: session.uid });
    }
  }

  #failed(session: SessionRow, error: unknown): CompactReply {
    const reason = error instanceof EngineError ? error.code : 'internal';
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log('error', 'compaction failed', { session_uid: session.uid, reason, message });
    return { ok: false, compacted: false, reason: `${reason}: ${message}`, tokens_before: 0, tokens_after: 0 };
  }

  async #compactSession(session: SessionRow, request: CompactRequest): Promise<CompactReply> {
    const { store, clock } = this.#parts;
    const started = clock.now();
    const strategy = await this.#strategies.get(this.#strategies.nameFor(session));
    const checkpoints = await store.checkpointsOfEpoch(session.uid, session.epoch);
    const coveredThrough = Math.max(
      session.epochStart,
      ...checkpoints.map((one) => one.source_turn_range.end_sequence),
    );
    const turns = await store.turnsInRange(session.uid, coveredThrough + 1, session.lastSequence, session.lastSequence);
    const model = session.lastModel;
    const { ratio } = calibrate(model === undefined ? [] : await store.calibrationSamples(model, 60));
    const summariesBefore = await this.#summaryTokens(checkpoints);
    const before = summariesBefore + tokensOf(turns);
    const unchanged = (reason: string): CompactReply => {
      const tokens = Math.ceil(before * ratio);
      return { ok: true, compacted: false, reason, tokens_before: tokens, tokens_after: tokens };
    };
    const target = compactTarget(request, {
      ...this.#parts.config,
      lastBudget: session.lastBudget,
      ratio,
      contextTokens: before,
    });
    const size = summarySize(target);
    const end = planEnd(strategy, turns, target, this.#parts.config.assemble.recent_raw_turn_count, request);
    if (end === undefined)
      return unchanged(strategy.planCompaction ? 'nothing_to_compact' : 'strategy_does_not_compact');

    const archived = turns.filter((turn) => turn.sequence <= end);
    const summary = await this.#summarise(archived, request.custom_instructions ?? '', size);
    const checkpoint = await this.#checkpoint({
      session,
      request,
      archived,
      summary,
      checkpoints,
      started,
      before,
      ratio,
    });
    const kept = turns.find((turn) => turn.sequence > end);
    if (checkpoint.tokens_after >= checkpoint.tokens_before) return unchanged('summary_not_smaller');
    await store.addCheckpoint(checkpoint, session.uid);
    this.#parts.events.publish({
      type: 'checkpoint.created',
      session_uid: session.uid,
      checkpoint_id: checkpoint.checkpoint_id,
    });
    return {
      ok: true,
      compacted: true,
      tokens_before: checkpoint.tokens_before,
      tokens_after: checkpoint.tokens_after,
      checkpoint_id: checkpoint.checkpoint_id,
      summary: checkpoint.overview,
      ...(kept?.entryId === undefined ? {} : { first_kept_entry_id: kept.entryId }),
    };
  }

  async #summarise(archived: readonly TurnMeta[], focus: string, size: SummarySize): Promise<Summary> {
    const bodies = await this.#parts.store.readBodies(archived.map((turn) => turn.contentHash));
    const turns = archived.map((turn) => {
      const body = bodies.get(turn.contentHash);
      if (body === undefined)
        throw new EngineError(
          'store_corrupt',
          `The body of turn ${turn.sequence} is missing from the store; run "strata doctor".`,
        );
      return sourceTurn(turn, readMessage(JSON.parse(body) as HostMessage, turn.format, 0));
    });
    const policy = this.#parts.config.compaction.identifier_policy;
    return this.#summariser.summarise({ turns, policy, focus, ...size });
  }

  async #checkpoint(made: {
    session: SessionRow;
    request: CompactRequest;
    archived: readonly TurnMeta[];
    summary: Summary;
    checkpoints: readonly CompactCheckpoint[];
    started: number;
    before: number;
    ratio: number;
  }): Promise<CompactCheckpoint> {
    const { session, archived, summary, checkpoints, ratio } = made;
    const { clock, config } = this.#parts;
    const checkpointId = clock.newId('ckpt');
    const sourceTokens = tokensOf(archived);
    const summaryTokens = await this.#counter.text(summary.overview);
    // Before, the newest checkpoint stood with its overview; from now on it stands with its abstract.
    const summariesAfter = summaryTokens + (await this.#frameTokens()) + (await this.#abstractsTokens(checkpoints));
    const after = summariesAfter + made.before - (await this.#summaryTokens(checkpoints)) - sourceTokens;
    return {
      checkpoint_id: checkpointId,
      session_id: session.sessionId,
      committed_at: new Date(clock.now()).toISOString(),
      archive_index: session.checkpointCount,
      source_turn_range: {
        start_sequence: archived[0]?.sequence ?? 0,
        end_sequence: archived.at(-1)?.sequence ?? 0,
      },
      summary_uri: checkpointUri(session.userId, session.uid, checkpointId),
      extracted_memory_uris: [],
      epoch: session.epoch,
      trigger: made.request.trigger,
      tokens_before: Math.ceil(made.before * ratio),
      tokens_after: Math.ceil(after * ratio),
      counter: ratio === 1 ? 'tokenizer' : 'calibrated',
      source_tokens: sourceTokens,
      summary_tokens: summaryTokens,
      identifier_policy: config.compaction.identifier_policy,
      identifiers_kept: summary.identifiersKept.slice(0, longestIdentifierList),
      identifiers_lost: summary.identifiersLost.slice(0, longestIdentifierList),
      summariser: summary.summariser,
      ...(summary.model === undefined ? {} : { model: summary.model }),
      ...(summary.promptVersion === undefined ? {} : { prompt_version: summary.promptVersion }),
      duration_ms: Math.max(0, clock.now() - made.started),
      parent_checkpoint_ids: [],
      abstract: summary.abstract,
      overview: summary.overview,
    };
  }

  async #summaryTokens(checkpoints: readonly CompactCheckpoint[]): Promise<number> {
    const [newest, ...older] = checkpoints;
    if (!newest) return 0;
    return (
      (await this.#counter.text(newest.overview)) + (await this.#frameTokens()) + (await this.#abstractsTokens(older))
    );
  }

  async #abstractsTokens(checkpoints: readonly CompactCheckpoint[]): Promise<number> {
    const counts = await Promise.all(checkpoints.map((checkpoint) => this.#counter.text(checkpoint.abstract)));
    return counts.reduce((sum, tokens) => sum + tokens, 0);
  }

  async #frameTokens(): Promise<number> {
    return (await this.#counter.text(summaryFrame)) + 40;
  }
}

/** In a small window the summary gets smaller too, or it would eat what the compaction freed. */
function summarySize({ target }: CompactTarget): SummarySize {
  const share = Math.min(1, Math.max(0.2, target / (4 * fullSize.overviewTokens)));
  return {
    abstractTokens: Math.floor(fullSize.abstractTokens * Math.max(0.4, share)),
    overviewTokens: Math.floor(fullSize.overviewTokens * share),
  };
}

/** Cuts before user turns where that reaches the target; a single long tool loop is cut between its calls. */
function planEnd(
  strategy: ContextEngine,
  turns: readonly TurnMeta[],
  target: CompactTarget,
  recentRawTurnCount: number,
  request: CompactRequest,
): number | undefined {
  const summaryTokens = summarySize(target).overviewTokens;
  const plan = (mayStart: (turn: TurnMeta, index: number) => boolean) =>
    strategy.planCompaction?.({
      targetTokens: Math.max(0, target.target - summaryTokens),
      limitTokens: Math.max(0, target.limit - summaryTokens),
      recentRawTurnCount,
      turns: turns.map((turn, index) => ({
        sequence: turn.sequence,
        tokens: turn.tokens,
        mayStart: mayStart(turn, index),
      })),
      force: request.force ?? (request.trigger === 'manual' || request.trigger === 'overflow'),
    });
  const open = openCalls(turns);
  const atUser = plan((turn) => turn.role === 'user');
  const rest = turns.filter((turn) => atUser === undefined || turn.sequence > atUser);
  if (atUser !== undefined && tokensOf(rest) <= target.limit) return atUser;
  const anywhere = plan((turn, index) => turn.role !== 'tool' && open[index] === 0);
  if (atUser === undefined || anywhere === undefined) return atUser ?? anywhere;
  return Math.max(atUser, anywhere);
}

/** How many tool calls before each turn still wait for their result there. */
function openCalls(turns: readonly TurnMeta[]): number[] {
  const waiting = new Set<string>();
  return turns.map((turn) => {
    const before = waiting.size;
    for (const id of turn.toolCallIds) waiting.add(id);
    if (turn.toolResultFor !== undefined) waiting.delete(turn.toolResultFor);
    return before;
  });
}

function tokensOf(turns: readonly TurnMeta[]): number {
  return turns.reduce((sum, turn) => sum + turn.tokens, 0);
}
