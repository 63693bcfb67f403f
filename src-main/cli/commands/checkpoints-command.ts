import type { CheckpointRecord, IdentifierPolicy } from '../../../src-shared/model/checkpoint.ts';
import {
  checkpointRoute,
  dissolveRoute,
  rerunRoute,
  restoreRoute,
  type StandingChange,
} from '../../../src-shared/protocol/checkpoints.ts';
import { sessionCheckpointsRoute } from '../../../src-shared/protocol/sessions.ts';
import type { CliContext } from '../cli-context.ts';
import { findSession } from '../find-session.ts';
import { formatAge, formatCount } from '../format.ts';
import { printTable } from '../print-table.ts';

export interface RerunOptions {
  readonly preview?: boolean;
  readonly summariser?: 'extractive' | 'openai-compatible';
  readonly policy?: IdentifierPolicy;
  readonly instructions?: string;
}

/** Checkpoints of a session, newest first, with what became of them. */
export async function checkpointsCommand(
  context: CliContext,
  id: string,
  options: { readonly limit: number },
): Promise<void> {
  const session = await findSession(context, id);
  const query = { limit: options.limit };
  const page = await context.client.call(sessionCheckpointsRoute, { params: { id: session.session_uid }, query });
  if (context.json) return context.print(JSON.stringify(page));
  if (page.items.length === 0) return context.print('This session was not compacted yet.');
  context.print(
    printTable(
      [
        { title: 'CHECKPOINT', value: (row) => row.checkpoint_id },
        { title: 'STATE', value: stateOf },
        { title: 'LEVEL', value: (row) => row.level, align: 'right' },
        { title: 'TURNS', value: rangeOf, align: 'right' },
        { title: 'TRIGGER', value: (row) => row.trigger },
        { title: 'TOKENS', value: tokensOf, align: 'right' },
        { title: 'LOST', value: (row) => row.identifiers_lost.length, align: 'right' },
        { title: 'BY', value: writerOf },
        { title: 'MADE', value: (row) => `${formatAge(row.committed_at, context.now())} ago` },
      ],
      page.items,
    ),
  );
  if (page.total > page.items.length) {
    context.note(`${page.items.length} of ${formatCount(page.total)}; --limit shows more.`);
  }
}

/** One checkpoint with its summary. */
export async function showCheckpointCommand(context: CliContext, id: string): Promise<void> {
  const reply = await context.client.call(checkpointRoute, { params: { id } });
  if (context.json) return context.print(JSON.stringify(reply));
  context.print(describe(reply.checkpoint, headOf(reply.checkpoint, reply.session_uid)));
}

export async function dissolveCommand(context: CliContext, id: string, options: { preview?: boolean }): Promise<void> {
  const preview = options.preview === true;
  const change = await context.client.call(dissolveRoute, { params: { id }, body: { preview } });
  context.print(context.json ? JSON.stringify(change) : told(change, 'Dissolved', 'Dissolving it would do this'));
}

export async function restoreCommand(context: CliContext, id: string, options: { preview?: boolean }): Promise<void> {
  const preview = options.preview === true;
  const change = await context.client.call(restoreRoute, { params: { id }, body: { preview } });
  context.print(context.json ? JSON.stringify(change) : told(change, 'Restored', 'Restoring it would do this'));
}

export async function rerunCommand(context: CliContext, id: string, options: RerunOptions): Promise<void> {
  const body = {
    preview: options.preview === true,
    ...(options.summariser === undefined ? {} : { summariser: options.summariser }),
    ...(options.policy === undefined ? {} : { identifier_policy: options.policy }),
    ...(options.instructions === undefined ? {} : { focus: options.instructions }),
  };
  const reply = await context.client.call(rerunRoute, { params: { id }, body }, { timeoutMs: 180_000 });
  if (context.json) return context.print(JSON.stringify(reply));
  const { changed, checkpoint } = reply;
  const told = changed
    ? `Summarised anew; the earlier summary is kept: "npm run strata -- checkpoints restore ${id}" brings it back.`
    : 'Only a preview; nothing was changed.';
  // What was not kept has an id that nothing knows.
  const head = changed
    ? headOf(checkpoint)
    : [`Instead of ${id} · level ${checkpoint.level} · turns ${rangeOf(checkpoint)}`];
  context.print(`${told}\n\n${describe(checkpoint, head)}`);
}

function headOf(checkpoint: CheckpointRecord, sessionUid?: string): string[] {
  const { checkpoint_id: id, level, summary_uri: uri } = checkpoint;
  return [
    `Checkpoint ${id} · ${stateOf(checkpoint)} · level ${level} · turns ${rangeOf(checkpoint)}`,
    ...(sessionUid === undefined ? [] : [`Session: ${sessionUid}`]),
    ...(uri === undefined ? [] : [`URI: ${uri}`]),
  ];
}

function describe(checkpoint: CheckpointRecord, head: readonly string[]): string {
  const { identifiers_kept: kept, identifiers_repaired: repaired, identifiers_lost: lost } = checkpoint;
  const uncovered = checkpoint.uncovered_sequences;
  return [
    ...head,
    `Context: ${tokensOf(checkpoint)} tokens; the summary takes ${formatCount(checkpoint.summary_tokens)} for ${formatCount(checkpoint.source_tokens)}`,
    `Written by ${writerOf(checkpoint)} after ${checkpoint.trigger}, ${checkpoint.attempts} ${checkpoint.attempts === 1 ? 'attempt' : 'attempts'}`,
    ...(checkpoint.fallback === undefined
      ? []
      : [`Instead of ${checkpoint.fallback.from}: ${checkpoint.fallback.reason}`]),
    `Identifiers (${checkpoint.identifier_policy}): ${kept.length} kept, of which ${repaired.length} put back; ${lost.length} lost`,
    ...(lost.length === 0 ? [] : [`Lost: ${listed(lost, 20)}`]),
    `Turns that it does not speak of: ${uncovered.length === 0 ? 'none' : listed(uncovered, 40)}`,
    '',
    checkpoint.overview,
  ].join('\n');
}

function listed(values: readonly (string | number)[], most: number): string {
  return `${values.slice(0, most).join(', ')}${values.length > most ? `, … (${formatCount(values.length)})` : ''}`;
}

function told(change: StandingChange, done: string, preview: string): string {
  const tokens = `${formatCount(change.tokens_before)} → ${formatCount(change.tokens_after)} tokens of ${formatCount(change.token_budget)}`;
  return [
    `${change.changed ? `${done}.` : `${preview}:`} The context: ${tokens}.`,
    ...(change.raw_turns === 0 ? [] : [`Raw again: ${formatCount(change.raw_turns)} turns.`]),
    ...(change.standing_again.length === 0 ? [] : [`Stands again: ${change.standing_again.join(', ')}.`]),
    ...(change.standing_no_longer.length === 0 ? [] : [`Stands no longer: ${change.standing_no_longer.join(', ')}.`]),
    'Nothing is deleted.',
  ].join('\n');
}

function stateOf({ state, ended_by: by }: CheckpointRecord): string {
  return by === undefined ? state : `${state} by ${by}`;
}

function rangeOf({ source_turn_range: range }: CheckpointRecord): string {
  return `${range.start_sequence}–${range.end_sequence}`;
}

function tokensOf({ tokens_before: before, tokens_after: after }: CheckpointRecord): string {
  return `${formatCount(before)} → ${formatCount(after)}`;
}

function writerOf({ summariser, model }: CheckpointRecord): string {
  return model === undefined ? summariser : `${summariser} (${model})`;
}
