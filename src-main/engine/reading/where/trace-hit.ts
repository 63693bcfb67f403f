import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import { checkpointUri, turnUri } from '../../../../src-shared/model/uri.ts';
import type { WhereHit, WhereStep } from '../../../../src-shared/protocol/where.ts';
import type { IndexHit } from '../../ports/memory-index.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { SessionRow, StoredCheckpoint, TurnMeta } from '../../ports/session-store.ts';
import { fateIn, windowSteps, type WindowStep } from './window-fate.ts';
import type { WhereWords } from './where-words.ts';

/** A turn that says what is looked for. */
export interface SaidTurn {
  readonly session: SessionRow;
  readonly meta: TurnMeta;
  readonly text: string;
  /** Words looked for that it has. */
  readonly words: readonly string[];
}

/** What became of the turns of a session. */
export interface SessionPast {
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly operations: readonly MemoryOperation[];
  /** Newest first. */
  readonly calls: readonly AssembleTrace[];
}

type CheckpointStep = Extract<WhereStep, { readonly stage: 'checkpoint' }>;
type PageStep = Extract<WhereStep, { readonly stage: 'page' }>;

/** The way of one turn through summaries, memory and windows. */
export async function traceHit(
  turn: SaidTurn,
  past: SessionPast,
  pagesWithWords: readonly IndexHit[],
  words: WhereWords,
  pages: Pick<MemoryPages, 'find'>,
): Promise<WhereHit> {
  const { session, meta, text } = turn;
  const uri = turnUri(session.userId, session.uid, meta.sequence);
  const at = new Date(meta.timestamp).toISOString();
  const checkpoints = checkpointSteps(turn, past, words);
  const pageSteps = await pageStepsOf(uri, past, pagesWithWords, pages);
  const windows = windowsOf(turn, uri, past, checkpoints, pageSteps);
  const log: WhereStep = { stage: 'log', state: 'kept', uri, at, message: `Turn ${meta.sequence} of the log says it.` };
  const steps: WhereStep[] = [log, ...checkpoints, ...pageSteps, ...windows];
  const seen = windows.find(({ state }) => state === 'kept' || state === 'trimmed');
  const lostAt = lostStep(steps, windows[0]);
  return {
    ...{ uri, source: 'turn', session_uid: session.uid, sequence: meta.sequence, role: meta.role, at, steps },
    snippet: words.snippet(text),
    ...(lostAt === undefined ? {} : { lost_at: lostAt }),
    ...(seen && seen.as !== 'nothing'
      ? { last_seen: { call_id: seen.call_id, at: seen.at, item: seen.item ?? '', as: seen.as } }
      : {}),
    verdict: verdictOf(steps, windows, lostAt),
  };
}

/** Every checkpoint over the turn, oldest first: the chain from turns to summaries of summaries. */
function checkpointSteps(
  { session, meta, text, words: said }: SaidTurn,
  { checkpoints }: SessionPast,
  words: WhereWords,
): CheckpointStep[] {
  return checkpoints
    .filter(({ checkpoint: { epoch, source_turn_range: range } }) => {
      return epoch === meta.epoch && range.start_sequence <= meta.sequence && meta.sequence <= range.end_sequence;
    })
    .toReversed()
    .map(({ checkpoint, end }): CheckpointStep => {
      const has = new Set(words.in(checkpoint.overview));
      const kept = said.filter((word) => has.has(word));
      const lost = said.filter((word) => !has.has(word));
      const state = lost.length === 0 ? 'kept' : kept.length === 0 ? 'lost' : 'partly';
      const inTurn = (names: readonly string[]): string[] => names.filter((name) => text.includes(name)).slice(0, 50);
      return {
        stage: 'checkpoint',
        state,
        uri: checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id),
        checkpoint_id: checkpoint.checkpoint_id,
        at: checkpoint.committed_at,
        checkpoint_state: end?.state ?? 'stands',
        words_kept: kept,
        words_lost: lost,
        identifiers_kept: inTurn(checkpoint.identifiers_kept),
        identifiers_lost: inTurn(checkpoint.identifiers_lost),
        message: checkpointSentence(state, checkpoint.archive_index, kept.length, said.length),
      };
    });
}

function checkpointSentence(state: CheckpointStep['state'], index: number, kept: number, all: number): string {
  if (state === 'kept') return `Checkpoint ${index} says it in its overview.`;
  if (state === 'lost') return `Checkpoint ${index} stands for the turn and says nothing of it.`;
  return `Checkpoint ${index} has ${kept} of the ${all} words.`;
}

/** Pages that were written from the turn, then others that have the words. */
async function pageStepsOf(
  uri: string,
  { operations }: SessionPast,
  withWords: readonly IndexHit[],
  pages: Pick<MemoryPages, 'find'>,
): Promise<PageStep[]> {
  const made = operations.flatMap((one) => (one.uri !== undefined && one.sources.includes(uri) ? [one.uri] : []));
  const bySource = [...new Set(made)];
  const byWords = withWords.map((hit) => hit.uri).filter((other) => !bySource.includes(other));
  const step = async (page: string, by: PageStep['by']): Promise<PageStep> => {
    const found = await pages.find(page);
    const title = found?.title ?? page;
    const state = !found ? 'gone' : found.status === 'active' ? 'kept' : 'inactive';
    const verb = by === 'source' ? 'was written from it' : 'says it';
    const more =
      state === 'kept' ? '' : state === 'gone' ? ' and is not there any more' : ` and is ${found?.status ?? ''}`;
    return { stage: 'page', state, uri: page, title, by, message: `The page “${title}” ${verb}${more}.` };
  };
  return Promise.all([...bySource.map((page) => step(page, 'source')), ...byWords.map((page) => step(page, 'words'))]);
}

function windowsOf(
  { meta }: SaidTurn,
  uri: string,
  { calls }: SessionPast,
  checkpoints: readonly CheckpointStep[],
  pageSteps: readonly PageStep[],
): WindowStep[] {
  const looked = {
    sequence: meta.sequence,
    uris: new Set([uri, ...pageSteps.map((step) => step.uri)]),
    saidBy: new Set(checkpoints.filter(({ state }) => state === 'kept').map((step) => step.checkpoint_id)),
  };
  return windowSteps(
    calls
      // Before it was said it could not be sent.
      .filter(({ inputs, created_at: at }) =>
        inputs ? inputs.session.last_sequence >= meta.sequence : Date.parse(at) >= meta.timestamp,
      )
      .map((trace) => ({ callId: trace.call_id, at: trace.created_at, fate: fateIn(trace, looked) })),
  );
}

/** Of what the newest call lacks: the summary that says nothing of it, else the window that left it out. */
function lostStep(steps: readonly WhereStep[], newest: WindowStep | undefined): number | undefined {
  if (newest?.state === 'kept' || newest?.state === 'trimmed') return undefined;
  const summary = steps.findIndex(
    (step) => step.stage === 'checkpoint' && step.checkpoint_state !== 'dissolved' && step.state !== 'kept',
  );
  if (summary !== -1) return summary;
  return newest ? steps.indexOf(newest) : undefined;
}

function verdictOf(steps: readonly WhereStep[], windows: readonly WindowStep[], lostAt: number | undefined): string {
  const [newest] = windows;
  if (!newest)
    return lostAt === undefined ? 'It is in the log; no call on record came after it.' : (steps[lostAt]?.message ?? '');
  if (newest.state === 'kept') return 'The newest call was sent it.';
  if (newest.state === 'trimmed') return 'The newest call was sent a shorter form of it.';
  const reason = lostAt === undefined ? newest.message : (steps[lostAt]?.message ?? newest.message);
  const seen = windows.find(({ state }) => state === 'kept' || state === 'trimmed');
  return `The newest call was not sent it. ${reason}${seen ? ` The last that was is of ${seen.at}.` : ''}`;
}
