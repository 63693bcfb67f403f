import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { CompactReply } from '../../src-shared/protocol/compact.ts';
import { splitReason } from './checkpoint-words.ts';
import { formatCount, formatDelta, formatNoun } from './format-number.ts';
import { formatAgo, formatUntil } from './format-time.ts';

export interface Outcome {
  readonly tone: 'quiet' | 'warn';
  readonly sentence: string;
}

/** What came of a compaction that was asked for, as a sentence with its remedy where one is needed. */
export function compactionOutcome(reply: CompactReply): Outcome {
  if (!reply.ok) return { tone: 'warn', sentence: `The compaction failed: ${reasonWords(reply.reason)}. ${stands}` };
  const { tokens_before: before, tokens_after: after } = reply;
  if (!reply.compacted) return { tone: 'quiet', sentence: `Nothing was compacted: ${reasonWords(reply.reason)}.` };
  const made = formatNoun(Math.max(1, reply.checkpoint_ids.length), 'checkpoint');
  const figures = `≈ ${formatCount(before)} → ${formatCount(after)} tokens (${formatDelta(after - before)})`;
  const sentence = `${made} made, ${figures}.`;
  if (reply.reason === undefined) return { tone: 'quiet', sentence };
  return { tone: 'warn', sentence: `${sentence} Then it stopped: ${reasonWords(reply.reason)}.` };
}

const stands = 'All turns and the checkpoints so far stand. Try again, or look at the jobs and the log.';

/** A reason's code in words; what follows the code is kept. Codes that are not known are shown as they are. */
export function reasonWords(reason: string | undefined): string {
  if (reason === undefined) return 'no reason was given';
  const { code, rest } = splitReason(reason);
  const words = reasons[code];
  if (words === undefined) return reason.replace(/^([a-z]+)_/, '$1 ').replace(/\.$/, '');
  return rest === '' ? words : `${words} (${rest.replace(/\.$/, '')})`;
}

const reasons: Readonly<Record<string, string>> = {
  nothing_to_compact: 'no turns are old enough, the newest ones always stay word for word',
  already_compacted: 'nothing came since the last compaction',
  already_running: 'a compaction of this session runs already',
  already_reserved: 'the host’s model is being asked already',
  summary_not_smaller: 'a summary would be no smaller than the turns it stands for',
  strategy_does_not_compact: 'the strategy of this session keeps every turn',
  session_was_reset: 'the session was reset meanwhile',
  unknown_session: 'the session is not known any more',
  summary_refused: 'the summary was refused',
  deadline_exceeded: 'it took too long',
  disk_full: 'the disk is full',
  model_unavailable: 'the model could not be reached',
  model_timeout: 'the model took too long',
  model_bad_answer: 'the model’s answer could not be used',
  spend_limit: 'the spend limit was reached',
  aborted: 'it was stopped',
  internal: 'an internal fault',
};

/** What background compaction did last and when it tries again; undefined when it did nothing since the start. */
export function compactionStateSentences(
  { compaction, state }: Pick<SessionSummary, 'compaction' | 'state'>,
  now: number,
): readonly string[] {
  if (compaction === undefined) {
    return state === 'compacting' ? [] : ['No background compaction since the daemon was started.'];
  }
  const { last_trigger: trigger, last_reason: reason, last_attempt_at: at, next_attempt_at: next } = compaction;
  const when = at === undefined ? '' : ` ${formatAgo(at, now)}`;
  const came = reason === undefined ? 'compacted' : `no result: ${reasonWords(reason)}`;
  const sentences = [
    `Last background compaction${when}${trigger === undefined ? '' : `, trigger ${trigger}`}: ${came}.`,
  ];
  if (next !== undefined) {
    sentences.push(
      Date.parse(next) > now
        ? `Not tried again for another ${formatUntil(next, now)}.`
        : 'Due again with the next turn.',
    );
  }
  return sentences;
}
