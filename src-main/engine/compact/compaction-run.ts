import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CompactReply } from '../../../src-shared/protocol/compact.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { calibratedTokens } from '../assemble/calibrated-tokens.ts';
import type { EngineParts } from '../engine-parts.ts';
import { readMessage } from '../messages/read-message.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import { isSmaller, subagentsOf, type CheckpointInput, type CheckpointMaker } from './checkpoint-maker.ts';
import type { CompactionOrder } from './compaction-order.ts';
import type { CompactionPlan } from './compaction-plan.ts';
import { chooseCondensing } from './condense.ts';
import { Pacer } from './pacer.ts';
import type { SessionContext } from './session-context.ts';
import { sourceTurn } from './source-turn.ts';
import type { SourceTurn, Summary, SummaryRequest } from './summariser.ts';
import { summarySize } from './summary-size.ts';

/** One summary that is to be written. */
export type CompactionWork =
  | { readonly kind: 'archive'; readonly turns: readonly TurnMeta[] }
  | { readonly kind: 'condense'; readonly checkpoints: readonly CompactCheckpoint[] };

/**
 * Takes what is worth remembering out of turns that a checkpoint is about to stand for; answers the pages that have it.
 * Never rejects: what fails must not keep the context from being compacted.
 */
export type MemoryFlush = (
  session: SessionRow,
  turns: readonly TurnMeta[],
  checkpointId: string,
) => Promise<readonly string[]>;

/** Above this, summaries are folded before more turns are archived. */
const mostStanding = 24;

/** Newest checkpoints that are not folded, where the strategy has no rule of its own. */
const keptApart = 2;

/** Bodies that are read without letting anything else in between. */
const readAtOnce = 100;

/**
 * One compaction of one session, summary by summary: what is to be summarised next, and what to do with the summary.
 * Each checkpoint is stored as soon as it is made, so that what was done stays done whatever happens after it.
 */
export class CompactionRun {
  readonly #parts: EngineParts;
  readonly #maker: CheckpointMaker;
  readonly #order: CompactionOrder;
  readonly #plan: CompactionPlan;
  readonly #flush: MemoryFlush;
  readonly #first: SessionContext;
  readonly #started: number;
  readonly #made: CompactCheckpoint[] = [];
  readonly #waiting: (readonly TurnMeta[])[];
  #context: SessionContext;
  /** Turns whose summary alone was no smaller than they are; they go into the next one. */
  #carried: readonly TurnMeta[] = [];
  #lastResort: readonly TurnMeta[] | undefined;
  #mayCondense = true;

  constructor(
    parts: EngineParts,
    maker: CheckpointMaker,
    context: SessionContext,
    order: CompactionOrder,
    plan: CompactionPlan,
    flush: MemoryFlush,
  ) {
    this.#parts = parts;
    this.#flush = flush;
    this.#maker = maker;
    this.#order = order;
    this.#plan = plan;
    this.#first = context;
    this.#context = context;
    this.#waiting = [...plan.segments];
    this.#lastResort = plan.lastResort;
    this.#started = parts.clock.now();
  }

  get sessionUid(): string {
    return this.#first.session.uid;
  }

  get epoch(): number {
    return this.#first.session.epoch;
  }

  /** What to summarise now; the same until `commit` was called. */
  next(): CompactionWork | undefined {
    const [segment] = this.#waiting;
    const condensing = this.#condensing();
    // Each checkpoint is weighed against all that stand.
    if (condensing && this.#context.standing.length > mostStanding) return condensing;
    if (segment) return { kind: 'archive', turns: [...this.#carried, ...segment] };
    if (this.#carried.length > 0 && this.#lastResort) {
      return { kind: 'archive', turns: this.#uncovered(this.#lastResort) };
    }
    return condensing;
  }

  #condensing(): CompactionWork | undefined {
    if (!this.#mayCondense) return undefined;
    const { condense_count: count } = this.#parts.config.compaction;
    const { standing, strategy, unfolded } = this.#context;
    const group = chooseCondensing(standing, strategy.condensing ?? { count, keptApart }, unfolded);
    return group && { kind: 'condense', checkpoints: group };
  }

  async requestFor(work: CompactionWork): Promise<SummaryRequest> {
    const { session, standing } = this.#context;
    const policy = this.#parts.config.compaction.identifier_policy;
    const focus = this.#focus;
    const subagents = await subagentsOf(session, this.#parts);
    if (work.kind === 'condense') {
      const size = summarySize(this.#plan.target, Infinity);
      return {
        turns: [],
        previous: overviewsFor(session, work.checkpoints),
        fold: true,
        policy,
        focus,
        subagents,
        ...size,
      };
    }
    const tokens = work.turns.reduce((sum, turn) => sum + turn.tokens, 0);
    const size = summarySize(this.#plan.target, tokens);
    const previous = overviewsFor(session, standing.slice(0, 1));
    return { turns: await this.#readTurns(work.turns), previous, fold: false, policy, focus, subagents, ...size };
  }

  /**
   * Stores the checkpoint, unless it would free nothing.
   * @throws EngineError `checkpoint_conflict` when somebody else compacted the range meanwhile
   */
  async commit(work: CompactionWork, summary: Summary): Promise<CompactCheckpoint | undefined> {
    const { compaction } = this.#parts.config;
    const source = work.kind === 'archive' ? { turns: work.turns } : { checkpoints: work.checkpoints };
    const input: CheckpointInput = {
      trigger: this.#order.trigger,
      policy: compaction.identifier_policy,
      focus: this.#focus,
      started: this.#made.length === 0 ? this.#started : this.#parts.clock.now(),
      summary,
      source,
      asOf: this.#seenBy(work),
    };
    const { checkpoint: made, tokens } = await this.#maker.make(this.#context, input);
    // A transaction cannot be parted.
    await new Pacer().pause();
    if (!isSmaller(made, source)) return this.#setAside(work);
    const { session } = this.#context;
    const checkpoint = { ...made, extracted_memory_uris: await this.#extract(work, made.checkpoint_id) };
    const ids = work.kind === 'archive' ? [] : work.checkpoints.map((one) => one.checkpoint_id);
    await this.#parts.store.addCheckpoint(checkpoint, session.uid, { ids, as: 'folded', at: this.#parts.clock.now() });
    this.#advance(work, checkpoint, tokens);
    this.#parts.events.publish({
      type: 'checkpoint.created',
      session_uid: session.uid,
      checkpoint_id: checkpoint.checkpoint_id,
    });
    return checkpoint;
  }

  /** Of a folded summary those of its parents. */
  async #extract(work: CompactionWork, checkpointId: string): Promise<string[]> {
    if (work.kind === 'condense') return [...new Set(work.checkpoints.flatMap((one) => one.extracted_memory_uris))];
    return [...(await this.#flush(this.#context.session, work.turns, checkpointId))];
  }

  async wasReset(): Promise<boolean> {
    const [now] = await this.#parts.store.lookUpSessions(this.sessionUid);
    return now?.epoch !== this.epoch;
  }

  /** What it was about is history then; nothing of the new epoch was compacted. */
  resetReply(): CompactReply {
    return { ...this.reply(), ok: false, compacted: false, reason: 'session_was_reset' };
  }

  /** While more is to be archived, that still counts as new: the process may end before it is. */
  #seenBy(work: CompactionWork): CompactCheckpoint['as_of'] {
    const { session } = this.#context;
    if (work.kind === 'condense' && this.#waiting.length > 0) {
      return (
        this.#made.findLast(({ level }) => level === 0)?.as_of ?? { sequence: session.epochStart, epoch_tokens: 0 }
      );
    }
    const last = work.kind === 'archive' && this.#waiting.length > 1 ? work.turns.at(-1) : undefined;
    if (last) return { sequence: last.sequence, epoch_tokens: last.tokensCumulative };
    return { sequence: session.lastSequence, epoch_tokens: session.epochTokens };
  }

  /** What came of it so far. */
  reply(): CompactReply {
    const { ratio } = this.#first;
    const archived = this.#made.filter((one) => one.level === 0);
    const newest = archived.at(-1) ?? this.#made.at(-1);
    const kept = this.#context.turns[0]?.entryId;
    const counts = {
      ok: true,
      tokens_before: calibratedTokens(this.#first.tokens, ratio),
      tokens_after: calibratedTokens(this.#context.tokens, ratio),
      checkpoint_ids: this.#made.map((one) => one.checkpoint_id),
    };
    if (!newest) return { ...counts, compacted: false, reason: this.#reason() };
    return {
      ...counts,
      compacted: true,
      checkpoint_id: newest.checkpoint_id,
      summary: newest.overview,
      ...(kept === undefined ? {} : { first_kept_entry_id: kept }),
    };
  }

  /** What the user asked to look out for; else what the strategy does. */
  get #focus(): string {
    return this.#order.custom_instructions ?? this.#context.strategy.focus ?? '';
  }

  #reason(): string {
    if (this.#plan.segments.length === 0) return 'nothing_to_compact';
    return this.#carried.length > 0 ? 'summary_not_smaller' : 'nothing_to_compact';
  }

  #setAside(work: CompactionWork): undefined {
    if (work.kind === 'condense') this.#mayCondense = false;
    else if (this.#waiting.length > 0) {
      this.#waiting.shift();
      // A range has no gaps: what was made raw again before a checkpoint goes into nothing behind it.
      const next = this.#waiting[0]?.[0]?.sequence ?? this.#context.turns[0]?.sequence;
      const isNext = next === undefined || next <= (work.turns.at(-1)?.sequence ?? 0) + 1;
      this.#carried = isNext ? work.turns : [];
    } else this.#lastResort = undefined;
    return undefined;
  }

  #advance(work: CompactionWork, checkpoint: CompactCheckpoint, tokens: number): void {
    const { session, standing, turns } = this.#context;
    this.#made.push(checkpoint);
    const folded = new Set(work.kind === 'condense' ? work.checkpoints : []);
    const others = standing.filter((one) => !folded.has(one));
    this.#context = {
      ...this.#context,
      session: { ...session, checkpointCount: session.checkpointCount + 1 },
      standing: [...others, checkpoint].sort((a, b) => endOf(b) - endOf(a)),
      turns: work.kind === 'archive' ? behind(turns, endOf(checkpoint)) : turns,
      tokens,
    };
    if (work.kind === 'condense') return;
    this.#carried = [];
    if (this.#waiting.length > 0) this.#waiting.shift();
    else this.#lastResort = undefined;
  }

  #uncovered(turns: readonly TurnMeta[]): readonly TurnMeta[] {
    const first = this.#context.turns[0]?.sequence ?? Infinity;
    return turns.filter((turn) => turn.sequence >= first);
  }

  async #readTurns(archived: readonly TurnMeta[]): Promise<SourceTurn[]> {
    return readSourceTurns(archived, this.#parts);
  }
}

/**
 * Turns as a summariser reads them, without those that the host hides from its model: a summary must not show them to
 * it after all. A long range is read in pieces.
 * @throws EngineError `store_corrupt`
 */
export async function readSourceTurns(
  archived: readonly TurnMeta[],
  { store }: Pick<EngineParts, 'store'>,
): Promise<SourceTurn[]> {
  const pacer = new Pacer();
  const turns: SourceTurn[] = [];
  const seen = archived.filter((turn) => !turn.excluded);
  // A range of nothing else takes no tokens: whatever is written of it is not smaller, and never comes to stand.
  const shown = seen.length === 0 ? archived : seen;
  for (let from = 0; from < shown.length; from += readAtOnce) {
    const part = shown.slice(from, from + readAtOnce);
    await pacer.pauseIfDue();
    const bodies = await store.readBodies(part.map((turn) => turn.contentHash));
    for (const turn of part) {
      const body = bodies.get(turn.contentHash);
      if (body === undefined) throw missing(turn);
      turns.push(sourceTurn(turn, readMessage(JSON.parse(body) as HostMessage, turn.format, 0)));
      if (pacer.isDue()) await pacer.pause();
    }
  }
  return turns;
}

/** Turns after a sequence. */
function behind(turns: readonly TurnMeta[], sequence: number): readonly TurnMeta[] {
  const first = turns.findIndex((turn) => turn.sequence > sequence);
  return first < 0 ? [] : turns.slice(first);
}

function missing(turn: TurnMeta): EngineError {
  return new EngineError(
    'store_corrupt',
    `The body of turn ${turn.sequence} is missing from the store; run "npm run strata -- doctor".`,
  );
}

/** Oldest first, as summarisers take them. */
export function overviewsFor(session: SessionContext['session'], checkpoints: readonly CompactCheckpoint[]) {
  return [...checkpoints]
    .sort((a, b) => endOf(a) - endOf(b))
    .map((one) => ({ uri: checkpointUri(session.userId, session.uid, one.checkpoint_id), overview: one.overview }));
}

function endOf({ source_turn_range: range }: CompactCheckpoint): number {
  return range.end_sequence;
}
