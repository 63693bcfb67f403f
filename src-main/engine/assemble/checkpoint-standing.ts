import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { readTimestamp } from '../messages/read-fields.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import type { HostEntry } from './host-messages.ts';

/** Which summaries stand for the conversation's beginning: ours and the host's never say the same twice. */
export interface Standing {
  /** Newest first. */
  readonly used: readonly CompactCheckpoint[];
  /** Checkpoints whose turns the host's own summary covers as well; newest first. */
  readonly coveredByHost: readonly CompactCheckpoint[];
  readonly hostSummaries: readonly HostEntry[];
  /** The host's summaries of what our checkpoints cover as well. */
  readonly coveredByUs: readonly HostEntry[];
  /** Turns up to this sequence are summarised by the host, and not in its list any more. */
  readonly hostCoversThrough: number;
}

interface Input {
  readonly session: SessionRow;
  readonly hostSummaries: readonly HostEntry[];
  readonly conversation: readonly HostEntry[];
  /** Of the present epoch, newest first. */
  readonly checkpoints: readonly CompactCheckpoint[];
}

/** Turns behind a checkpoint's last known one that are looked at; a host hides one or two there, not hundreds. */
const looked = 200;

/**
 * - A checkpoint stands while the conversation goes on behind it. Where the host's list ends before, the host took the
 *   rest back, and what was summarised of that must not be sent.
 * - The host's own compaction summarises what stands before the messages it kept. A checkpoint that ends before them is
 *   covered by it; one that reaches further was made later and covers what the host's summary covers.
 */
export async function checkpointStanding(input: Input, store: SessionStore): Promise<Standing> {
  const valid: CompactCheckpoint[] = [];
  for (const checkpoint of input.checkpoints) {
    if (valid.length > 0 || !(await isTakenBack(checkpoint, input, store))) valid.push(checkpoint);
  }
  const { session, hostSummaries, conversation } = input;
  const hostSummary = hostSummaries.at(-1);
  if (!hostSummary) {
    return { used: valid, coveredByHost: [], hostSummaries, coveredByUs: [], hostCoversThrough: session.epochStart };
  }
  const kept = conversation.find((entry) => entry.meta)?.meta?.sequence ?? session.lastSequence + 1;
  const through = Math.max(session.epochStart, kept - 1);
  const isCovered = (checkpoint: CompactCheckpoint): boolean =>
    followsDirectly(hostSummary, conversation[0])
      ? checkpoint.source_turn_range.end_sequence <= through
      : Date.parse(checkpoint.committed_at) <= (readTimestamp(hostSummary.message?.['timestamp']) ?? Infinity);
  const used = valid.filter((checkpoint) => !isCovered(checkpoint));
  const coversHost = used.length > 0 && through > session.epochStart;
  return {
    used,
    coveredByHost: valid.filter(isCovered),
    hostSummaries: coversHost ? [] : hostSummaries,
    coveredByUs: coversHost ? hostSummaries : [],
    hostCoversThrough: through,
  };
}

/** False where the plugin described a part of the host's list only, and what the host kept first is not known. */
function followsDirectly(summary: HostEntry, next: HostEntry | undefined): boolean {
  return next === undefined || next.candidate.hostIndex === (summary.candidate.hostIndex ?? 0) + 1;
}

async function isTakenBack(
  { source_turn_range: { end_sequence: end } }: CompactCheckpoint,
  { session, conversation }: Input,
  store: SessionStore,
): Promise<boolean> {
  const known = conversation.findLast((entry) => entry.meta)?.meta?.sequence;
  if (known === undefined || known > end) return false;
  // The host's newest message is always sent as it is, not as a part of a summary.
  if (conversation.at(-1)?.meta) return true;
  // Turns that hosts hide (excluded rows, failed answers) may be missing; what the user said may not.
  const behind = await store.turnsInRange(session.uid, known + 1, end, looked);
  return behind.some((turn) => turn.role === 'user' && !turn.excluded);
}
