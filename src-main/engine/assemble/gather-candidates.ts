import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { checkpointUri } from '../../../src-shared/model/uri.ts';
import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Candidate } from './candidate.ts';
import { storedCandidate, type HostEntry } from './host-messages.ts';

export interface Gathered {
  readonly system: readonly HostEntry[];
  readonly hostSummaries: readonly HostEntry[];
  readonly checkpoints: readonly CompactCheckpoint[];
  readonly summaries: readonly Candidate[];
  readonly raw: readonly Candidate[];
  readonly olderTokens: number;
  readonly older: Candidate | undefined;
  readonly covered: readonly Candidate[];
  /** Format in which stored turns outside the host's list were written, by item. */
  readonly formats: ReadonlyMap<string, MessageFormat>;
}

export interface GatherInput {
  readonly session: SessionRow;
  readonly host: readonly HostEntry[];
  readonly history: 'full' | 'window';
  /** Tokens that could be used at most; older turns are read from the store up to that. */
  readonly budget: number;
}

/** The candidates of a call: the host's list, older turns of the log where the list is only a window, our summaries. */
export async function gatherCandidates(
  input: GatherInput,
  store: SessionStore,
  tails: SessionTails,
  counter: TokenCounter,
): Promise<Gathered> {
  const { session, host } = input;
  const system = host.filter((entry) => entry.isSystem);
  const hostSummaries = host.filter((entry) => entry.isHostSummary);
  const conversation = host.filter((entry) => !entry.isSystem && !entry.isHostSummary);
  const checkpoints = await validCheckpoints(input, conversation, store);
  const coveredThrough = Math.max(session.epochStart, ...checkpoints.map((one) => one.source_turn_range.end_sequence));
  const stored = input.history === 'window' ? await readTail(input, coveredThrough, tails) : [];
  const merged = mergeHistory(conversation, stored, session);
  const raw = merged.filter((candidate) => !isCovered(candidate, coveredThrough));
  const olderTokens = await tokensBefore(merged, conversation, stored, coveredThrough, session, store);
  return {
    system,
    hostSummaries,
    checkpoints,
    summaries: await summaryCandidates(checkpoints, session, counter),
    raw,
    olderTokens,
    older: olderRange(raw, olderTokens, coveredThrough, session),
    covered: checkpoints.map((checkpoint) => coveredRange(checkpoint, session)),
    formats: new Map(stored.map((turn) => [`turn:${turn.sequence}`, turn.format])),
  };
}

/**
 * Checkpoints of the present epoch. When the host passes its whole list and nothing of it is in the log's present
 * epoch, the host has dropped the conversation that they summarise (a reset that nobody told us of).
 */
async function validCheckpoints(input: GatherInput, conversation: readonly HostEntry[], store: SessionStore) {
  const { session, history } = input;
  const dropped =
    history === 'full' && session.lastSequence > session.epochStart && !conversation.some((entry) => entry.meta);
  return dropped || session.checkpointCount === 0 ? [] : store.checkpointsOfEpoch(session.uid, session.epoch);
}

function isCovered(candidate: Candidate, coveredThrough: number): boolean {
  return candidate.sequence !== undefined && candidate.sequence <= coveredThrough;
}

/** Newest stored turns until they fill the budget, oldest first. The first guess is the session's average. */
async function readTail(input: GatherInput, after: number, tails: SessionTails): Promise<readonly TurnMeta[]> {
  const { session, budget } = input;
  const turnCount = session.lastSequence - session.epochStart;
  if (turnCount === 0) return [];
  const average = Math.max(1, session.epochTokens / turnCount);
  let limit = Math.ceil(Math.min(turnCount, (1.1 * budget) / average)) + 64;
  for (;;) {
    const turns = await tails.newest(session, after, limit);
    const tokens = turns.reduce((sum, turn) => sum + turn.tokens, 0);
    if (turns.length < limit || tokens > budget) return turns;
    limit *= 2;
  }
}

/** The host's list, with stored turns that it lacks at the places where they were said. */
function mergeHistory(
  conversation: readonly HostEntry[],
  stored: readonly TurnMeta[],
  session: SessionRow,
): Candidate[] {
  const inHost = new Set(conversation.flatMap((entry) => (entry.meta ? [entry.meta.sequence] : [])));
  const missing = stored.filter((turn) => !inHost.has(turn.sequence));
  const merged: Candidate[] = [];
  let next = 0;
  const takeBefore = (sequence: number): void => {
    for (let turn = missing[next]; turn && turn.sequence < sequence; turn = missing[++next]) {
      merged.push(storedCandidate(turn, session));
    }
  };
  const lastKnown = conversation.findLastIndex((entry) => entry.meta !== undefined);
  conversation.forEach((entry, index) => {
    if (entry.meta) takeBefore(entry.meta.sequence);
    // Behind the newest known message only what is not stored yet can follow: first the log's own newest turns.
    else if (index > lastKnown) takeBefore(Infinity);
    merged.push(entry.candidate);
  });
  takeBefore(Infinity);
  return merged;
}

/** Uncovered tokens of the log before the first turn that was looked at. */
async function tokensBefore(
  merged: readonly Candidate[],
  conversation: readonly HostEntry[],
  stored: readonly TurnMeta[],
  coveredThrough: number,
  session: SessionRow,
  store: SessionStore,
): Promise<number> {
  const sequences = merged.flatMap((candidate) => (candidate.sequence === undefined ? [] : [candidate.sequence]));
  const first = Math.min(...sequences.filter((sequence) => sequence > coveredThrough));
  if (!Number.isFinite(first)) return 0;
  const meta =
    stored.find((turn) => turn.sequence === first) ??
    conversation.find((entry) => entry.meta?.sequence === first)?.meta;
  if (!meta) return 0;
  const [boundary] =
    coveredThrough > session.epochStart ? await store.turnsInRange(session.uid, coveredThrough, coveredThrough, 1) : [];
  return Math.max(0, meta.tokensCumulative - meta.tokens - (boundary?.tokensCumulative ?? 0));
}

function olderRange(
  raw: readonly Candidate[],
  tokens: number,
  after: number,
  session: SessionRow,
): Candidate | undefined {
  const first = raw.find((candidate) => candidate.sequence !== undefined)?.sequence;
  if (first === undefined || tokens === 0 || first - 1 <= after) return undefined;
  return rangeCandidate(after + 1, first - 1, tokens, 'older than every turn that could fit', session);
}

function coveredRange(checkpoint: CompactCheckpoint, session: SessionRow): Candidate {
  const { start_sequence: start, end_sequence: end } = checkpoint.source_turn_range;
  return rangeCandidate(
    start,
    end,
    checkpoint.source_tokens,
    `archived in checkpoint ${checkpoint.archive_index + 1}`,
    session,
  );
}

function rangeCandidate(start: number, end: number, tokens: number, preview: string, session: SessionRow): Candidate {
  return {
    item: `turns:${start}-${end}`,
    kind: 'raw_turn',
    source: 'store',
    role: 'mixed',
    count: end - start + 1,
    tokens,
    preview,
    sequence: start,
    endSequence: end,
    key: `${session.uid}:${start}-${end}`,
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: false,
  };
}

async function summaryCandidates(
  checkpoints: readonly CompactCheckpoint[],
  session: SessionRow,
  counter: TokenCounter,
) {
  return Promise.all(
    checkpoints.map(async (checkpoint, index): Promise<Candidate> => {
      const text = index === 0 ? checkpoint.overview : checkpoint.abstract;
      return {
        item: `checkpoint:${checkpoint.checkpoint_id}`,
        kind: 'summary',
        source: 'engine',
        role: 'user',
        count: 1,
        tokens: await counter.text(text),
        ...(index === 0 ? { shortTokens: await counter.text(checkpoint.abstract) } : {}),
        preview: text.replace(/\s+/gu, ' ').slice(0, 160).toWellFormed(),
        uri: checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id),
        sequence: checkpoint.source_turn_range.start_sequence,
        endSequence: checkpoint.source_turn_range.end_sequence,
        key: sha256(text),
        toolCallIds: [],
        excluded: false,
        blank: text.trim() === '',
        live: false,
      };
    }),
  );
}
