import type {
  CheckpointRecord,
  CheckpointState,
  CompactCheckpoint,
  CompactTrigger,
} from '../../src-shared/model/checkpoint.ts';
import { formatCount, formatNoun } from './format-number.ts';

/** The word for what became of a checkpoint; the same in lists, filters and sentences. */
export function checkpointStateWord(state: CheckpointState): string {
  switch (state) {
    case 'stands':
      return 'Stands';
    case 'folded':
      return 'Folded';
    case 'replaced':
      return 'Replaced';
    case 'dissolved':
      return 'Dissolved';
  }
}

/** What the state means for the context, without the name of what stands there now. */
export function checkpointStateMeaning(state: CheckpointState): string {
  switch (state) {
    case 'stands':
      return 'Its summary is sent in the place of its turns';
    case 'folded':
      return 'The summary of a checkpoint of a higher level is sent in its place';
    case 'replaced':
      return 'It was run again: the newer summary is sent in its place';
    case 'dissolved':
      return 'It was taken back: what it was made of is sent again';
  }
}

/** What a trigger means; its name is the same here, on the command line and in config.yaml. */
export function triggerMeaning(trigger: CompactTrigger): string {
  return triggers[trigger];
}

const triggers: { readonly [T in CompactTrigger]: string } = {
  manual: 'A person asked for it',
  overflow: 'The provider refused a prompt as too long',
  budget: 'The context reached its share of the budget (compaction.triggers.budget_share)',
  tokens_added: 'So many tokens came since the last one (compaction.triggers.tokens_added)',
  turns: 'So many turns of the user came since the last one (compaction.triggers.turns)',
  interval: 'So much time passed since the last one (compaction.triggers.interval_minutes)',
  host: 'The host asked for it',
};

/** Why another summariser than the configured one wrote it, as a sentence. */
export function fallbackSentence({ from, reason }: NonNullable<CompactCheckpoint['fallback']>): string {
  const { code, rest } = splitReason(reason);
  const why = fallbackReasons[code];
  // What happened says no more than the code does here.
  const told = rest === '' || code === 'no_host' ? '' : ` (${rest.replace(/\.$/, '')})`;
  return `Not written by “${from}”, as configured: ${why === undefined ? reason.replace(/\.$/, '') : `${why}${told}`}`;
}

const fallbackReasons: Readonly<Record<string, string>> = {
  no_host: 'nobody was there to ask the host’s model',
  deadline: 'it was not ready in time',
  model_unavailable: 'the model could not be reached',
  model_timeout: 'the model took too long',
  model_rate_limited: 'the endpoint asked to slow down',
  model_refused: 'the endpoint refused the request',
  model_bad_answer: 'its answer could not be used',
  spend_limit: 'the spend limit was reached',
};

/** Reasons are a code, or a code and what happened: `model_timeout: no answer within 60 s`. */
export function splitReason(reason: string): { readonly code: string; readonly rest: string } {
  const match = /^([a-z][a-z0-9_]*)(?::\s*(.*))?$/s.exec(reason);
  return match === null ? { code: '', rest: reason } : { code: match[1] ?? '', rest: match[2] ?? '' };
}

/** `turns 1–412`. */
export function rangeWords({ source_turn_range: range }: Pick<CompactCheckpoint, 'source_turn_range'>): string {
  return `turns ${formatCount(range.start_sequence)}–${formatCount(range.end_sequence)}`;
}

/** What it was made of: `412 turns`, `4 checkpoints`. */
export function sourceWords(
  checkpoint: Pick<CompactCheckpoint, 'source_turn_range' | 'parent_checkpoint_ids'>,
): string {
  const { source_turn_range: range, parent_checkpoint_ids: parents } = checkpoint;
  if (parents.length > 0) return formatNoun(parents.length, 'checkpoint');
  return formatNoun(Math.max(0, range.end_sequence - range.start_sequence + 1), 'turn');
}

/** `checkpoint 7`: numbered as in traces and on the command line. */
export function checkpointName({ archive_index: index }: Pick<CheckpointRecord, 'archive_index'>): string {
  return `checkpoint ${formatCount(index)}`;
}
