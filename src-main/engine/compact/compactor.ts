import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { CompactReply, CompactRequest } from '../../../src-shared/protocol/compact.ts';
import { calibratedTokens } from '../assemble/calibrated-tokens.ts';
import { Deadline } from '../deadline.ts';
import { summariesTokens } from '../assemble/summary-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { MessageView } from '../messages/message-view.ts';
import { readMessage } from '../messages/read-message.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { calibrate } from '../tokens/calibrate.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import { contextTokens, planCompaction, type PlanRequest } from './plan-compaction.ts';
import { Pacer } from './pacer.ts';
import { sourceTurn } from './source-turn.ts';
import type { SourceTurn, Summariser, Summary } from './summariser.ts';
import { compactTarget, type CompactTarget } from './target-tokens.ts';

/** Spec §6: abstract ≈ 100 tokens, overview ≈ 500. */
const fullSize: SummarySize = { abstractTokens: 100, overviewTokens: 500 };

interface SummarySize {
  readonly abstractTokens: number;
  readonly overviewTokens: number;
}

/** Lists kept on a checkpoint are for people to read; what goes beyond is counted in the log. */
const longestIdentifierList = 2_000;

/** Bodies that are read without letting anything else in between. */
const readAtOnce = 200;

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

  /** Resolves when no compaction runs any more, at the latest after `ms`. */
  async settled(ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    await deadline.wait(Promise.all(this.#running.values()));
    deadline.clear();
  }

  /**
   * One at a time per session; a second request while one runs gets that one's answer. Whatever fails, the turns and
   * the checkpoints so far stand, and the answer says what happened.
   * @throws EngineError `unknown_session`
   */
  async compact(request: CompactRequest): Promise<CompactReply> {
    const { store, config } = this.#parts;
    let session: SessionRow | undefined;
    try {
      session = await store.findSession(resolveIdentity(request, config.user_id));
    } catch (error) {
      return this.#failed(undefined, error);
    }
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
    this.#parts.events.publish({ type: 'session.changed', session_uid: session.uid });
    try {
      return await run;
    } finally {
      this.#running.delete(session.uid);
      this.#parts.events.publish({ type: 'session.changed', session_uid: session.uid });
    }
  }

  #failed(session: SessionRow | undefined, error: unknown): CompactReply {
    const reason = error instanceof EngineError ? error.code : 'internal';
    const message = error instanceof Error ? error.message : String(error);
    this.#parts.log('error', 'compaction failed', { session_uid: session?.uid, reason, message });
    return { ok: false, compacted: false, reason: `${reason}: ${message}`, tokens_before: 0, tokens_after: 0 };
  }

  async #compactSession(session: SessionRow, request: CompactRequest): Promise<CompactReply> {
    const context = await this.#contextOf(session, request);
    const { before, ratio, turns } = context;
    const unchanged = (reason: string): CompactReply => {
      const tokens = calibratedTokens(before, ratio);
      return { ok: true, compacted: false, reason, tokens_before: tokens, tokens_after: tokens };
    };
    if (!context.strategy.planCompaction) return unchanged('strategy_does_not_compact');
    const ends = planCompaction(context);
    if (ends.length === 0) return unchanged('nothing_to_compact');
    for (const end of ends) {
      const archived = turns.filter((turn) => turn.sequence <= end);
      const size = summarySize(context.target, tokensOf(archived));
      const summary = await this.#summarise(archived, request.custom_instructions ?? '', size);
      const checkpoint = await this.#checkpoint(context, archived, summary);
      if (!isSmaller(checkpoint)) continue;
      await this.#parts.store.addCheckpoint(checkpoint, session.uid);
      return this.#compacted(
        session,
        checkpoint,
        turns.find((turn) => turn.sequence > end),
      );
    }
    return unchanged('summary_not_smaller');
  }

  #compacted(session: SessionRow, checkpoint: CompactCheckpoint, kept: TurnMeta | undefined): CompactReply {
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

  async #contextOf(session: SessionRow, request: CompactRequest): Promise<Context> {
    const { store, config, clock } = this.#parts;
    const started = clock.now();
    const strategy = await this.#strategies.get(this.#strategies.nameFor(session));
    const checkpoints = await store.standingCheckpoints(session.uid, session.epoch);
    const ends = checkpoints.map((one) => one.source_turn_range.end_sequence);
    const first = Math.max(session.epochStart, ...ends) + 1;
    const turns = await store.turnsInRange(session.uid, first, session.lastSequence, session.lastSequence);
    const model = session.lastModel;
    const { ratio } = calibrate(model === undefined ? [] : await store.calibrationSamples(model, 60));
    const before = (await this.#summariesTokens(session, checkpoints)) + contextTokens(turns);
    const facts = { ...config, lastBudget: session.lastBudget, ratio, contextTokens: before };
    const target = compactTarget(request, facts);
    const size = summarySize(target, Infinity);
    return {
      session,
      request,
      started,
      strategy,
      checkpoints,
      turns,
      ratio,
      before,
      target,
      // The identifiers come on top of the overview, see the summariser.
      summaryTokens: Math.ceil(1.6 * size.overviewTokens),
      recentRawTurnCount: config.assemble.recent_raw_turn_count,
      force: request.force ?? (request.trigger === 'manual' || request.trigger === 'overflow'),
    };
  }

  async #summarise(archived: readonly TurnMeta[], focus: string, size: SummarySize): Promise<Summary> {
    const pacer = new Pacer();
    const turns: SourceTurn[] = [];
    for (let from = 0; from < archived.length; from += readAtOnce) {
      const part = archived.slice(from, from + readAtOnce);
      const bodies = await this.#parts.store.readBodies(part.map((turn) => turn.contentHash));
      for (const turn of part) turns.push(sourceTurn(turn, readBody(turn, bodies)));
      await pacer.pause();
    }
    const policy = this.#parts.config.compaction.identifier_policy;
    return this.#summariser.summarise({ turns, policy, focus, ...size });
  }

  async #checkpoint(
    { session, request, checkpoints, started, before, ratio }: Context,
    archived: readonly TurnMeta[],
    summary: Summary,
  ): Promise<CompactCheckpoint> {
    const { clock, config } = this.#parts;
    const checkpointId = clock.newId('ckpt');
    const uri = checkpointUri(session.userId, session.uid, checkpointId);
    const after =
      before -
      contextTokens(archived) -
      (await this.#summariesTokens(session, checkpoints)) +
      (await summariesTokens([{ uri, text: summary.overview }, ...overviewsOf(session, checkpoints)], this.#counter));
    return {
      checkpoint_id: checkpointId,
      session_id: session.sessionId,
      committed_at: new Date(clock.now()).toISOString(),
      archive_index: session.checkpointCount,
      source_turn_range: {
        start_sequence: archived[0]?.sequence ?? 0,
        end_sequence: archived.at(-1)?.sequence ?? 0,
      },
      summary_uri: uri,
      extracted_memory_uris: [],
      epoch: session.epoch,
      trigger: request.trigger,
      tokens_before: calibratedTokens(before, ratio),
      tokens_after: calibratedTokens(Math.max(0, after), ratio),
      counter: ratio === 1 ? 'tokenizer' : 'calibrated',
      source_tokens: tokensOf(archived),
      summary_tokens: await this.#counter.text(summary.overview),
      identifier_policy: config.compaction.identifier_policy,
      identifiers_kept: summary.identifiersKept.slice(0, longestIdentifierList),
      identifiers_repaired: summary.identifiersRepaired.slice(0, longestIdentifierList),
      identifiers_lost: summary.identifiersLost.slice(0, longestIdentifierList),
      uncovered_sequences: [],
      attempts: summary.attempts,
      level: 0,
      summariser: summary.summariser,
      ...(summary.model === undefined ? {} : { model: summary.model }),
      ...(summary.promptVersion === undefined ? {} : { prompt_version: summary.promptVersion }),
      duration_ms: Math.max(0, clock.now() - started),
      parent_checkpoint_ids: [],
      abstract: summary.abstract,
      overview: summary.overview,
    };
  }

  /** As they stand in a list at most: where room is short, older ones stand with their abstracts. */
  #summariesTokens(session: SessionRow, checkpoints: readonly CompactCheckpoint[]): Promise<number> {
    return summariesTokens(overviewsOf(session, checkpoints), this.#counter);
  }
}

function readBody(turn: TurnMeta, bodies: ReadonlyMap<string, string>): MessageView {
  const body = bodies.get(turn.contentHash);
  if (body !== undefined) return readMessage(JSON.parse(body) as HostMessage, turn.format, 0);
  throw new EngineError(
    'store_corrupt',
    `The body of turn ${turn.sequence} is missing from the store; run "npm run strata -- doctor".`,
  );
}

interface Context extends PlanRequest {
  readonly session: SessionRow;
  readonly request: CompactRequest;
  readonly started: number;
  /** Of the present epoch, newest first. */
  readonly checkpoints: readonly CompactCheckpoint[];
  readonly ratio: number;
  /** Our tokens of the context as it is. */
  readonly before: number;
}

function overviewsOf(session: SessionRow, checkpoints: readonly CompactCheckpoint[]) {
  return checkpoints.map((checkpoint) => ({
    uri: checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id),
    text: checkpoint.overview,
  }));
}

/** Both as the context takes it and by itself: a summary that is no smaller than its source has summarised nothing. */
function isSmaller(checkpoint: CompactCheckpoint): boolean {
  return (
    checkpoint.tokens_after < checkpoint.tokens_before &&
    checkpoint.summary_tokens < checkpoint.source_tokens &&
    checkpoint.overview.trim() !== ''
  );
}

/**
 * In a small window the summary gets smaller too, or it would eat what the compaction freed; and of a small range it
 * keeps less than half.
 */
function summarySize({ target }: CompactTarget, sourceTokens: number): SummarySize {
  const share = Math.min(1, Math.max(0.2, target / (4 * fullSize.overviewTokens)));
  return {
    abstractTokens: Math.floor(Math.min(fullSize.abstractTokens * Math.max(0.4, share), sourceTokens * 0.15)),
    overviewTokens: Math.floor(Math.min(fullSize.overviewTokens * share, sourceTokens * 0.4)),
  };
}

function tokensOf(turns: readonly TurnMeta[]): number {
  return turns.reduce((sum, turn) => sum + turn.tokens, 0);
}
