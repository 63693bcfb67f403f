import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { OldResults } from '../tool-results/old-results.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import { buildUnits, type Rejected, type Unit } from './build-units.ts';
import type { Candidate } from './candidate.ts';
import { checkpointStanding, type Standing } from './checkpoint-standing.ts';
import type { HostEntry, HostPlace } from './host-messages.ts';
import { Coverage } from './coverage.ts';
import { mergeHistory } from './merge-history.ts';
import { summaryCandidates } from './summary-candidates.ts';
import { turnRanges, type ShownTurn } from './turn-ranges.ts';

export interface Gathered {
  readonly system: readonly HostEntry[];
  readonly hostSummaries: readonly HostEntry[];
  /** Newest first, each with its candidate in `summaries`. */
  readonly checkpoints: readonly CompactCheckpoint[];
  readonly summaries: readonly Candidate[];
  readonly units: readonly Unit[];
  readonly hasOlder: boolean;
  readonly earliest: number;
  readonly unavailable: readonly Rejected[];
  /** Format in which stored turns outside the host's list were written, by item. */
  readonly formats: ReadonlyMap<string, MessageFormat>;
}

export interface GatherInput {
  readonly session: SessionRow;
  readonly host: readonly HostEntry[];
  /** Of the present epoch, newest first. */
  readonly checkpoints: readonly CompactCheckpoint[];
  readonly history: 'full' | 'window';
  /** See `isAnotherConversation`. */
  readonly startsOver: boolean;
  readonly format: MessageFormat;
  /** Tokens that could be used at most; older turns are read from the store up to that. */
  readonly budget: number;
  /** The host appends a user message itself, so that its list cannot end with an open tool call. */
  readonly promptFollows: boolean;
}

/**
 * The candidates of a call: the host's list, older turns of the log where the list is only a window, our summaries.
 * @param oldResults undefined: large results of older turns are sent as they are
 */
export async function gatherCandidates(
  input: GatherInput,
  store: SessionStore,
  tails: SessionTails,
  counter: TokenCounter,
  oldResults: OldResults | undefined,
): Promise<Gathered> {
  const { session, host } = input;
  const inPlace = (place: HostPlace): HostEntry[] =>
    host.filter((entry) => entry.place === place && (place === 'conversation' || !isUnusable(entry.candidate)));
  const conversation = inPlace('conversation');
  const standing = await checkpointStanding({ ...input, hostSummaries: inPlace('summary'), conversation }, store);
  const coverage = new Coverage(standing.hostCoversThrough, standing.used);
  const merged = await mergeHistory({ ...input, conversation, coverage }, store, tails, oldResults);
  const formats = new Map(merged.added.map((turn) => [`turn:${turn.sequence}`, turn.format]));
  const sent = (await oldResults?.condense(merged.conversation, input, formats)) ?? merged.conversation;
  const { units, rejected } = buildUnits(sent, !input.promptFollows);
  const summaries = await summaryCandidates(standing.used, session, counter);
  const ranges = rangesOf(input, standing, merged.added);
  return {
    system: inPlace('system'),
    hostSummaries: standing.hostSummaries,
    checkpoints: standing.used,
    summaries,
    units,
    hasOlder: ranges.some(({ reason }) => reason === 'over_budget'),
    earliest: input.history === 'full' ? behindLastGap(host, units) : 0,
    unavailable: [...rejected, ...ranges, ...(await notStanding(host, standing, session, counter))],
    formats,
  };
}

/**
 * A host that passes its whole list, and nothing of it is in the log's present epoch: it has started over without
 * telling anyone. Its own summary in the list would say that it goes on; and so does the question of the running turn,
 * whose time older hosts change between their list and what they hand over.
 */
export async function isAnotherConversation(
  { host, history, session }: Pick<GatherInput, 'host' | 'history' | 'session'>,
  tails: SessionTails,
): Promise<boolean> {
  if (history !== 'full' || session.lastSequence === session.epochStart) return false;
  if (host.some((entry) => entry.place === 'summary' || (entry.place === 'conversation' && entry.meta))) return false;
  const asked = host.findLast(({ candidate }) => candidate.role === 'user')?.candidate.preview;
  const newest = await tails.newest(session, session.epochStart, runningTurn);
  return asked === undefined || newest.findLast((turn) => turn.role === 'user')?.preview !== asked;
}

/** Messages of a running turn in which its question is looked for. */
const runningTurn = 32;

/** A host describes the first message of a long list and its newest; what lies between is not known. */
function behindLastGap(host: readonly HostEntry[], units: readonly Unit[]): number {
  const gap = host.findLastIndex(
    ({ candidate }, at) => at > 0 && (candidate.hostIndex ?? 0) > (host[at - 1]?.candidate.hostIndex ?? 0) + 1,
  );
  const index = host[gap]?.candidate.hostIndex;
  if (index === undefined) return 0;
  const first = units.findIndex((unit) => (unit.members[0]?.hostIndex ?? 0) >= index);
  return first === -1 ? 0 : first;
}

function isUnusable({ blank, excluded }: Candidate): boolean {
  return blank || excluded;
}

function rangesOf(
  { session, history, startsOver, host }: GatherInput,
  standing: Standing,
  added: readonly TurnMeta[],
): readonly Rejected[] {
  const shown = host.flatMap(({ meta, candidate }): ShownTurn[] =>
    meta ? [{ meta, hostIndex: candidate.hostIndex }] : [],
  );
  return turnRanges({
    session,
    history,
    startsOver,
    shown: [...shown, ...added.map((meta) => ({ meta, hostIndex: undefined }))],
    firstIndex: (host.findLast((entry) => entry.place !== 'conversation')?.candidate.hostIndex ?? -1) + 1,
    checkpoints: [
      ...standing.used.map((checkpoint) => ({ checkpoint, reason: 'covered_by_checkpoint' as const })),
      ...standing.coveredByHost.map((checkpoint) => ({ checkpoint, reason: 'covered_by_host_summary' as const })),
    ],
    hostCoversThrough: standing.hostCoversThrough,
  });
}

/** What would stand before the conversation, and does not, with the reason. */
async function notStanding(
  host: readonly HostEntry[],
  standing: Standing,
  session: SessionRow,
  counter: TokenCounter,
): Promise<Rejected[]> {
  const unusable = host.filter(({ place, candidate }) => place !== 'conversation' && isUnusable(candidate));
  return [
    ...unusable.map(({ candidate }): Rejected => ({
      candidate,
      reason: candidate.excluded ? 'excluded_from_context' : 'blank_content',
    })),
    ...standing.coveredByUs.map(({ candidate }): Rejected => ({ candidate, reason: 'covered_by_checkpoint' })),
    ...(await summaryCandidates(standing.coveredByHost, session, counter)).map((candidate): Rejected => ({
      candidate,
      reason: 'covered_by_host_summary',
    })),
  ];
}
