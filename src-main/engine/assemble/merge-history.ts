import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import { userTimestamp } from '../tokens/message-cost.ts';
import type { OldResults } from '../tool-results/old-results.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import type { Candidate } from './candidate.ts';
import type { Coverage } from './coverage.ts';
import { pairId, storedCandidate, type HostEntry } from './host-messages.ts';
import { pairResults } from './pair-results.ts';

export interface MergedHistory {
  /** Oldest first, each with its position. */
  readonly conversation: readonly Candidate[];
  /** Stored turns of it that the host's list lacks. */
  readonly added: readonly TurnMeta[];
}

export interface MergeInput {
  readonly session: SessionRow;
  /** The host's whole list, and the part of it that is said in the conversation. */
  readonly host: readonly HostEntry[];
  readonly conversation: readonly HostEntry[];
  readonly history: 'full' | 'window';
  readonly format: MessageFormat;
  /** Turns that are summarised by somebody. */
  readonly coverage: Coverage;
  /** Tokens that could be used at most; older turns are read from the store up to that. */
  readonly budget: number;
}

/**
 * The conversation as it is known: the host's list, and around it older turns of the log where the list is only a
 * window. A whole list is left as it is, but for results of its own tool calls that only the log still has.
 */
export async function mergeHistory(
  input: MergeInput,
  store: SessionStore,
  tails: SessionTails,
  oldResults: OldResults | undefined,
): Promise<MergedHistory> {
  const { conversation, history, session } = input;
  const inHost = new Set(input.host.flatMap((entry) => (entry.meta ? [entry.meta.sequence] : [])));
  const wanted =
    history === 'window' ? await readTail(input, tails, oldResults) : await lostResults(input, inHost, store);
  const newest = conversation.at(-1)?.meta?.sequence ?? Infinity;
  // What the log has behind the host's newest message is not what the host goes on from.
  const added = wanted.filter((turn) => !inHost.has(turn.sequence) && (history === 'full' || turn.sequence < newest));
  const merged = inTheirPlaces(input, added);
  return {
    conversation: positioned(
      merged.filter(({ sequence }) => sequence === undefined || !input.coverage.covers(sequence)),
      session,
    ),
    added,
  };
}

/** Newest stored turns until they fill the budget, oldest first. The first guess is the session's average. */
async function readTail(
  { session, budget, coverage }: MergeInput,
  tails: SessionTails,
  oldResults: OldResults | undefined,
): Promise<readonly TurnMeta[]> {
  const turnCount = session.lastSequence - session.epochStart;
  if (turnCount === 0) return [];
  const average = Math.max(1, session.epochTokens / turnCount);
  let limit = Math.ceil(Math.min(turnCount, (1.1 * budget) / average)) + 64;
  for (;;) {
    const read = await tails.newest(session, coverage.after, limit);
    const turns = read.filter((turn) => !coverage.covers(turn.sequence));
    const least = (turn: TurnMeta): number => oldResults?.leastTokens(turn, session) ?? turn.tokens;
    const tokens = turns.reduce((sum, turn) => sum + (turn.excluded ? 0 : least(turn)), 0);
    // A tool loop can be longer than the budget; the user message that it answers belongs to it.
    const hasUser = turns.some((turn) => turn.role === 'user' && !turn.excluded && turn.preview !== '');
    if (read.length < limit || (tokens > budget && (hasUser || limit > longestLoop))) return turns;
    limit *= 2;
  }
}

/** Turns in which the user message of a tool loop is looked for. */
const longestLoop = 4_000;

/** How far behind a call its result is looked for. */
const lookedBehind = 500;

/** Results that the log has for calls of the host's list that have none in it: never are they made up. */
async function lostResults(
  { conversation, session }: MergeInput,
  inHost: ReadonlySet<number>,
  store: SessionStore,
): Promise<readonly TurnMeta[]> {
  const candidates = conversation.map((entry) => entry.candidate);
  const { answers } = pairResults(candidates);
  const open = [...answers].flatMap(([index, results]) => {
    const candidate = candidates[index];
    return candidate?.sequence !== undefined && results.length < candidate.toolCallIds.length ? [candidate] : [];
  });
  if (open.length === 0) return [];
  const first = Math.min(...open.map(({ sequence = 0 }) => sequence)) + 1;
  const last = Math.max(...open.map(({ sequence = 0 }) => sequence)) + lookedBehind;
  const behind = await store.turnsInRange(session.uid, first, Math.min(last, session.lastSequence), 4 * lookedBehind);
  const ids = new Set(open.flatMap((candidate) => candidate.toolCallIds));
  return behind.filter(
    (turn) =>
      turn.toolResultFor !== undefined &&
      ids.has(pairId(turn.toolResultFor)) &&
      !inHost.has(turn.sequence) &&
      turn.epoch === session.epoch,
  );
}

/** The host's list in its order, and added turns at the places where they were said. */
function inTheirPlaces({ conversation, session, format }: MergeInput, added: readonly TurnMeta[]): Candidate[] {
  const merged: Candidate[] = [];
  let next = 0;
  const takeBefore = (sequence: number): void => {
    for (let turn = added[next]; turn && turn.sequence < sequence; turn = added[++next]) {
      merged.push(restated(turn, session, format));
    }
  };
  const firstKnown = conversation.find((entry) => entry.meta)?.meta?.sequence;
  const lastKnown = conversation.findLastIndex((entry) => entry.meta !== undefined);
  conversation.forEach((entry, index) => {
    if (entry.meta) takeBefore(entry.meta.sequence);
    // A list is one piece: what it does not share with the log stands behind all that is older than the piece.
    else if (index === 0 && firstKnown !== undefined) takeBefore(firstKnown);
    // Behind the newest known message only what is not stored yet can follow: first the log's own newest turns.
    else if (index > lastKnown) takeBefore(Infinity);
    merged.push(entry.candidate);
  });
  takeBefore(Infinity);
  return merged;
}

function restated(turn: TurnMeta, session: SessionRow, format: MessageFormat): Candidate {
  const candidate = storedCandidate(turn, session);
  if (turn.format === format) return candidate;
  const stamp = format === 'openclaw' && turn.role === 'user' ? userTimestamp : 0;
  return { ...candidate, tokens: candidate.tokens + stamp, restated: true };
}

/** Messages that are not in the log stand behind what they follow, or before what follows them. */
function positioned(conversation: readonly Candidate[], session: SessionRow): Candidate[] {
  const firstStored = conversation.findIndex((candidate) => candidate.position !== undefined);
  const leading = conversation.slice(0, Math.max(0, firstStored)).reduce((sum, { tokens }) => sum + tokens, 0);
  const stored = conversation[firstStored]?.position;
  let end = stored === undefined ? session.epochTokens : Math.max(0, stored - leading);
  return conversation.map((candidate) => {
    const position = candidate.position ?? end;
    end = position + candidate.tokens;
    return candidate.position === undefined ? { ...candidate, position } : candidate;
  });
}
