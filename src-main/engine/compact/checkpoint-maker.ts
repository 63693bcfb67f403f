import type { CompactCheckpoint, CompactTrigger, IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import { calibratedTokens } from '../assemble/calibrated-tokens.ts';
import { summariesTokens } from '../assemble/summary-message.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { contextTokens } from './plan-compaction.ts';
import { overviewsOf, type SessionContext } from './session-context.ts';
import type { Summary } from './summariser.ts';

/** Lists kept on a checkpoint are for people to read; what goes beyond is left out. */
const longestList = 2_000;

export interface CheckpointInput {
  readonly trigger: CompactTrigger;
  readonly policy: IdentifierPolicy;
  readonly focus: string;
  /** Milliseconds since the Unix epoch. */
  readonly started: number;
  readonly summary: Summary;
  /** Turns that it stands for, or the checkpoints. */
  readonly source: { readonly turns: readonly TurnMeta[] } | { readonly checkpoints: readonly CompactCheckpoint[] };
  /** What it has seen of the session, where that is not all; see `CompactCheckpoint`. */
  readonly asOf?: CompactCheckpoint['as_of'];
}

export interface MadeCheckpoint {
  readonly checkpoint: CompactCheckpoint;
  readonly tokens: number;
}

/** Writes down a compaction as a checkpoint; nothing is stored by it. */
export class CheckpointMaker {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;

  constructor(parts: EngineParts, counter: TokenCounter) {
    this.#parts = parts;
    this.#counter = counter;
  }

  /** @returns the checkpoint, and our tokens of the context with it */
  async make(context: SessionContext, input: CheckpointInput): Promise<MadeCheckpoint> {
    const { session, tokens, ratio } = context;
    const { summary, trigger, source } = input;
    const { clock } = this.#parts;
    const checkpointId = clock.newId('ckpt');
    const after = await this.#tokensAfter(context, input, checkpointId);
    const checkpoint: CompactCheckpoint = {
      checkpoint_id: checkpointId,
      session_id: session.sessionId,
      committed_at: new Date(clock.now()).toISOString(),
      archive_index: session.checkpointCount,
      source_turn_range: rangeOf(source),
      summary_uri: checkpointUri(session.userId, session.uid, checkpointId),
      extracted_memory_uris: [],
      epoch: session.epoch,
      trigger,
      tokens_before: calibratedTokens(tokens, ratio),
      tokens_after: calibratedTokens(Math.max(0, after), ratio),
      counter: ratio === 1 ? 'tokenizer' : 'calibrated',
      source_tokens: sourceTokens(source),
      summary_tokens: await this.#counter.text(summary.overview),
      identifier_policy: input.policy,
      ...summaryFields(summary),
      uncovered_sequences: uncovered(input),
      ...(input.focus === '' ? {} : { focus: input.focus.slice(0, 10_000) }),
      duration_ms: Math.max(0, clock.now() - input.started),
      level: 'turns' in source ? 0 : 1 + Math.max(...source.checkpoints.map((one) => one.level)),
      parent_checkpoint_ids: 'turns' in source ? [] : source.checkpoints.map((one) => one.checkpoint_id),
      as_of: input.asOf ?? { sequence: session.lastSequence, epoch_tokens: session.epochTokens },
    };
    return { checkpoint, tokens: Math.max(0, after) };
  }

  async #tokensAfter({ session, standing, tokens }: SessionContext, { summary, source }: CheckpointInput, id: string) {
    const uri = checkpointUri(session.userId, session.uid, id);
    const replaced = new Set('turns' in source ? [] : source.checkpoints.map((one) => one.checkpoint_id));
    const others = standing.filter((one) => !replaced.has(one.checkpoint_id));
    const summaries = [{ uri, text: summary.overview }, ...overviewsOf(session, others)];
    const archived = 'turns' in source ? contextTokens(source.turns) : 0;
    return (
      tokens -
      archived -
      (await summariesTokens(overviewsOf(session, standing), this.#counter)) +
      (await summariesTokens(summaries, this.#counter))
    );
  }
}

/** Both as the context takes it and by itself: a summary that is no smaller than its source has summarised nothing. */
export function isSmaller(checkpoint: CompactCheckpoint, source: CheckpointInput['source']): boolean {
  const replaced =
    'turns' in source ? checkpoint.source_tokens : source.checkpoints.reduce((sum, one) => sum + one.summary_tokens, 0);
  return (
    checkpoint.tokens_after < checkpoint.tokens_before &&
    checkpoint.summary_tokens < replaced &&
    checkpoint.overview.trim() !== ''
  );
}

function summaryFields(summary: Summary) {
  return {
    identifiers_kept: summary.identifiersKept.slice(0, longestList),
    identifiers_repaired: summary.identifiersRepaired.slice(0, longestList),
    identifiers_lost: summary.identifiersLost.slice(0, longestList),
    summariser: summary.summariser,
    attempts: summary.attempts,
    ...(summary.model === undefined ? {} : { model: summary.model }),
    ...(summary.promptVersion === undefined ? {} : { prompt_version: summary.promptVersion }),
    ...(summary.fallback === undefined ? {} : { fallback: summary.fallback }),
    ...(summary.inputTokens === undefined ? {} : { input_tokens: summary.inputTokens }),
    ...(summary.outputTokens === undefined ? {} : { output_tokens: summary.outputTokens }),
    abstract: summary.abstract,
    overview: summary.overview,
  };
}

/** What the summaries that are folded did not speak of, the one that is made of them cannot either. */
function uncovered({ source, summary }: CheckpointInput): number[] {
  const before = 'turns' in source ? [] : source.checkpoints.flatMap((one) => one.uncovered_sequences);
  return [...new Set([...before, ...summary.uncovered])].sort((a, b) => a - b).slice(0, longestList);
}

function rangeOf(source: CheckpointInput['source']): CompactCheckpoint['source_turn_range'] {
  if ('turns' in source) {
    return { start_sequence: source.turns[0]?.sequence ?? 0, end_sequence: source.turns.at(-1)?.sequence ?? 0 };
  }
  const ranges = source.checkpoints.map((one) => one.source_turn_range);
  return {
    start_sequence: Math.min(...ranges.map((range) => range.start_sequence)),
    end_sequence: Math.max(...ranges.map((range) => range.end_sequence)),
  };
}

function sourceTokens(source: CheckpointInput['source']): number {
  if ('turns' in source) return source.turns.reduce((sum, turn) => sum + turn.tokens, 0);
  return source.checkpoints.reduce((sum, one) => sum + one.source_tokens, 0);
}

/** What the engine knows of a session's sub-agents, for summaries (a forgotten one would be started twice). */
export async function subagentsOf(session: SessionRow, { store }: Pick<EngineParts, 'store'>) {
  if (session.sessionKey === '') return [];
  const children = await store.childSessions(session.userId, session.sessionKey);
  return children.map((child) => ({ sessionKey: child.sessionKey, state: child.ended?.reason ?? 'running' }));
}
