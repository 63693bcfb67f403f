import type { CheckpointRecord, CompactCheckpoint, IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import { alreadyCovered, wrongState } from '../../../src-shared/model/checkpoint-conflicts.ts';
import { inTheWayOf, isOverlapping, standingAgain } from '../../../src-shared/model/checkpoint-succession.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { StandingChange } from '../../../src-shared/protocol/checkpoints.ts';
import { calibratedTokens } from '../assemble/calibrated-tokens.ts';
import { summariesTokens } from '../assemble/summary-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow, StoredCheckpoint } from '../ports/session-store.ts';
import { checkpointRecord } from '../reading/checkpoint-record.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { CheckpointMaker, isSmaller, subagentsOf, type CheckpointInput } from './checkpoint-maker.ts';
import { overviewsFor, readSourceTurns } from './compaction-run.ts';
import { contextTokens } from './plan-compaction.ts';
import { overviewsOf, readSessionContext, readTurns, type SessionContext } from './session-context.ts';
import type { Summariser, SummaryRequest } from './summariser.ts';
import { fullSize, summarySize } from './summary-size.ts';

export interface UndoParts {
  readonly engine: EngineParts;
  readonly counter: TokenCounter;
  readonly strategies: StrategyRegistry;
  readonly summarisers: { readonly extractive: Summariser; readonly 'openai-compatible': Summariser | undefined };
  /** The one that is configured. */
  readonly summariser: Summariser;
  /** Told after what stands was changed; must not throw. */
  readonly onChanged: (sessionUid: string) => void;
}

export interface RerunOrder {
  readonly preview: boolean;
  readonly summariser?: 'extractive' | 'openai-compatible' | undefined;
  readonly identifier_policy?: IdentifierPolicy | undefined;
  readonly focus?: string | undefined;
}

/** Takes compactions back, gives them back, and has them done again. Nothing is ever deleted. */
export class CheckpointUndo {
  readonly #parts: UndoParts;
  readonly #maker: CheckpointMaker;

  constructor(parts: UndoParts) {
    this.#parts = parts;
    this.#maker = new CheckpointMaker(parts.engine, parts.counter);
  }

  /** @throws EngineError `unknown_checkpoint`, `checkpoint_conflict` when it does not stand */
  async dissolve(checkpointId: string, preview: boolean): Promise<StandingChange> {
    const { checkpoint, end, session } = await this.#find(checkpointId);
    if (end) throw wrongState(checkpoint, end, 'dissolved');
    const parents = await this.#foldedInto(checkpoint, session);
    const { store, clock } = this.#parts.engine;
    return this.#change(session, checkpoint, { gone: [checkpoint], again: parents }, preview, () =>
      store.dissolveCheckpoint(checkpointId, clock.now()),
    );
  }

  /** @throws EngineError `unknown_checkpoint`, `checkpoint_conflict` when it stands, is folded, or something is in its way */
  async restore(checkpointId: string, preview: boolean): Promise<StandingChange> {
    const { checkpoint, end, session } = await this.#find(checkpointId);
    if (end?.state !== 'dissolved' && end?.state !== 'replaced') throw wrongState(checkpoint, end, 'restored');
    const { store, clock } = this.#parts.engine;
    const standing = await store.standingCheckpoints(session.uid, checkpoint.epoch);
    const gone = standing.filter((one) => isOverlapping(one, checkpoint));
    const others = inTheWayOf(checkpoint, standing);
    // A preview must not promise what the store then refuses.
    if (others.length > 0) throw alreadyCovered(checkpoint, others);
    return this.#change(session, checkpoint, { gone, again: [checkpoint] }, preview, () =>
      store.restoreCheckpoint(checkpointId, clock.now()),
    );
  }

  /**
   * Summarises the same source anew. The new checkpoint takes the place of the old one, which can be restored.
   * @throws EngineError `unknown_checkpoint`, `checkpoint_conflict`, `invalid_request` when the summariser is not set up,
   * and what summarisers throw
   */
  async rerun(checkpointId: string, order: RerunOrder): Promise<{ changed: boolean; checkpoint: CheckpointRecord }> {
    const { engine, strategies, counter } = this.#parts;
    const { checkpoint, end, session } = await this.#find(checkpointId);
    if (end) throw wrongState(checkpoint, end, 'run again');
    const started = engine.clock.now();
    const source = await this.#sourceOf(checkpoint, session);
    const policy = order.identifier_policy ?? checkpoint.identifier_policy;
    const focus = order.focus ?? checkpoint.focus ?? '';
    const request = await this.#requestOf(source, session, { policy, focus });
    const summary = await this.#summariserFor(order).summarise(request);
    const context = await readSessionContext(session, engine, strategies, counter);
    // What came since still waits to be compacted.
    const asOf = checkpoint.as_of ?? {
      sequence: checkpoint.source_turn_range.end_sequence,
      epoch_tokens: checkpoint.source_tokens,
    };
    const input: CheckpointInput = { trigger: 'manual', policy, focus, started, summary, source, asOf };
    const isPresent = checkpoint.epoch === session.epoch;
    const { checkpoint: written } = await this.#maker.make(
      isPresent ? await this.#without(context, checkpoint) : context,
      input,
    );
    const made = isPresent ? written : inItsEpoch(written, checkpoint);
    const before = isPresent ? calibratedTokens(context.tokens, context.ratio) : checkpoint.tokens_after;
    const shown = { ...made, tokens_before: before };
    if (order.preview) return { changed: false, checkpoint: checkpointRecord({ checkpoint: shown, end: undefined }) };
    if (!isSmaller(made, source)) {
      throw new EngineError(
        'model_bad_answer',
        'The new summary is no smaller than what it stands for; the earlier one stands.',
      );
    }
    const succession = { ids: [checkpointId], as: 'replaced', at: engine.clock.now() } as const;
    await engine.store.addCheckpoint(shown, session.uid, succession);
    engine.events.publish({ type: 'checkpoint.created', session_uid: session.uid, checkpoint_id: shown.checkpoint_id });
    this.#parts.onChanged(session.uid);
    return { changed: true, checkpoint: checkpointRecord({ checkpoint: shown, end: undefined }) };
  }

  async #find(checkpointId: string): Promise<StoredCheckpoint & { readonly session: SessionRow }> {
    const { store } = this.#parts.engine;
    const found = await store.findCheckpoint(checkpointId);
    const session = found && (await store.lookUpSessions(found.sessionUid))[0];
    if (found && session) return { ...found, session };
    throw new EngineError(
      'unknown_checkpoint',
      `There is no checkpoint ${JSON.stringify(checkpointId.slice(0, 200))}.`,
    );
  }

  async #foldedInto(checkpoint: CompactCheckpoint, session: SessionRow): Promise<readonly CompactCheckpoint[]> {
    const { checkpoint_id: id, parent_checkpoint_ids: ids } = checkpoint;
    const parents = await Promise.all(ids.map((parent) => this.#parts.engine.store.findCheckpoint(parent)));
    const folded = parents.filter((one) => one?.end?.state === 'folded' && one.end.by === id);
    const own = folded.flatMap((one) => (one?.sessionUid === session.uid ? [one.checkpoint] : []));
    return standingAgain(checkpoint, own);
  }

  async #change(
    session: SessionRow,
    checkpoint: CompactCheckpoint,
    { gone, again }: { readonly gone: readonly CompactCheckpoint[]; readonly again: readonly CompactCheckpoint[] },
    preview: boolean,
    change: () => Promise<void>,
  ): Promise<StandingChange> {
    const { engine, strategies, counter } = this.#parts;
    const isPresent = checkpoint.epoch === session.epoch;
    const context = await readSessionContext(session, engine, strategies, counter);
    const after = isPresent ? await this.#tokensWith(context, gone, again) : context.tokens;
    if (!preview) {
      await change();
      engine.events.publish({ type: 'session.changed', session_uid: session.uid });
      this.#parts.onChanged(session.uid);
    }
    const raw = rangeLength(gone) - rangeLength(again);
    return {
      changed: !preview,
      tokens_before: calibratedTokens(context.tokens, context.ratio),
      tokens_after: calibratedTokens(after, context.ratio),
      token_budget: session.lastBudget ?? engine.config.assemble.default_token_budget,
      raw_turns: Math.max(0, raw),
      standing_again: again.map((one) => one.checkpoint_id),
      standing_no_longer: gone.map((one) => one.checkpoint_id),
    };
  }

  async #tokensWith(
    { session, standing, tokens }: SessionContext,
    gone: readonly CompactCheckpoint[],
    again: readonly CompactCheckpoint[],
  ): Promise<number> {
    const isGone = new Set(gone.map((one) => one.checkpoint_id));
    const others = standing.filter((one) => !isGone.has(one.checkpoint_id));
    const before = await summariesTokens(overviewsOf(session, standing), this.#parts.counter);
    const after = await summariesTokens(overviewsOf(session, [...others, ...again]), this.#parts.counter);
    return tokens - before + after + (await this.#rawTokens(session, gone)) - (await this.#rawTokens(session, again));
  }

  async #rawTokens(session: SessionRow, checkpoints: readonly CompactCheckpoint[]): Promise<number> {
    let tokens = 0;
    for (const { source_turn_range: range } of checkpoints) {
      tokens += contextTokens(await readTurns(session, range.start_sequence, this.#parts.engine, range.end_sequence));
    }
    return tokens;
  }

  /** The context as if the checkpoint had never been made: what its successor is measured against. */
  async #without(context: SessionContext, checkpoint: CompactCheckpoint): Promise<SessionContext> {
    const again = await this.#foldedInto(checkpoint, context.session);
    const standing = [...context.standing.filter((one) => one.checkpoint_id !== checkpoint.checkpoint_id), ...again];
    return { ...context, standing, tokens: await this.#tokensWith(context, [checkpoint], again) };
  }

  async #sourceOf(checkpoint: CompactCheckpoint, session: SessionRow): Promise<CheckpointInput['source']> {
    const { store } = this.#parts.engine;
    if (checkpoint.parent_checkpoint_ids.length > 0) {
      const parents = await Promise.all(checkpoint.parent_checkpoint_ids.map((id) => store.findCheckpoint(id)));
      // Another session's are none of its own, whatever a transcript said that an earlier version took in.
      const own = parents.flatMap((one) => (one?.sessionUid === session.uid ? [one.checkpoint] : []));
      if (own.length > 0) return { checkpoints: own };
    }
    const { start_sequence: start, end_sequence: end } = checkpoint.source_turn_range;
    return { turns: await readTurns(session, start, this.#parts.engine, end) };
  }

  async #requestOf(
    source: CheckpointInput['source'],
    session: SessionRow,
    wanted: { readonly policy: IdentifierPolicy; readonly focus: string },
  ): Promise<SummaryRequest> {
    const subagents = await subagentsOf(session, this.#parts.engine);
    if ('checkpoints' in source) {
      return {
        turns: [],
        previous: overviewsFor(session, source.checkpoints),
        fold: true,
        ...wanted,
        subagents,
        ...fullSize,
      };
    }
    const tokens = source.turns.reduce((sum, turn) => sum + turn.tokens, 0);
    const size = summarySize({ target: Infinity, limit: Infinity }, tokens);
    return { turns: await readSourceTurns(source.turns, this.#parts.engine), ...wanted, subagents, ...size };
  }

  #summariserFor({ summariser }: RerunOrder): Summariser {
    if (summariser === undefined) return this.#parts.summariser;
    const found = this.#parts.summarisers[summariser];
    if (found) return found;
    throw new EngineError('invalid_request', 'No endpoint is configured: set language_model in config.yaml to use it.');
  }
}

/** Of an epoch that is over: its context is as it was left, but for the summary. */
function inItsEpoch(made: CompactCheckpoint, { epoch, ...old }: CompactCheckpoint): CompactCheckpoint {
  const after = Math.max(0, old.tokens_after - old.summary_tokens + made.summary_tokens);
  return { ...made, epoch, tokens_before: old.tokens_before, tokens_after: after };
}

function rangeLength(checkpoints: readonly CompactCheckpoint[]): number {
  return checkpoints.reduce(
    (sum, { source_turn_range: range }) => sum + range.end_sequence - range.start_sequence + 1,
    0,
  );
}
