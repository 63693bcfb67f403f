import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { CallInputs, InputMessage } from '../../../src-shared/model/call-inputs.ts';
import type { ReplayNote } from '../../../src-shared/protocol/replay.ts';
import { sha256 } from '../hash.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';

/**
 * What can be told of the inputs of a call that was recorded before inputs were, from its trace and the log; what cannot
 * be told is noted, and is of today.
 */
export async function inferInputs(
  trace: AssembleTrace,
  present: SessionRow,
  store: Pick<SessionStore, 'pageTurns' | 'turnsInRange'>,
  tokenizer: string,
): Promise<{ readonly inputs: CallInputs; readonly notes: readonly ReplayNote[] }> {
  const notes: ReplayNote[] = [
    {
      code: 'inputs_not_recorded',
      message: 'This call was recorded by a version that did not keep what a call is made from.',
    },
    { code: 'settings_of_today', message: 'The settings of then are not on record; those of today are taken.' },
  ];
  const epochStart = await startOf(trace, present, store);
  const lastSequence = epochStart + trace.stored_turn_count;
  const [newest] =
    lastSequence > epochStart ? await store.turnsInRange(present.uid, lastSequence, lastSequence, 1) : [];
  const messages = messagesOf(trace, notes);
  if (trace.prompt_preview !== undefined && trace.prompt_preview.length >= previewCharacters) {
    notes.push({ code: 'prompt_not_recorded', message: 'Of the prompt only the beginning is on record.' });
  }
  const checkpoints = trace.items.flatMap(({ item, kind }) =>
    kind === 'summary' && item.startsWith(checkpointItem) ? [item.slice(checkpointItem.length)] : [],
  );
  if (checkpoints.length > 0) {
    notes.push({ code: 'checkpoints_from_trace', message: 'The checkpoints of then are those that the trace names.' });
  }
  const inputs: CallInputs = {
    version: 1,
    session: {
      user_id: present.userId,
      created_at: present.createdAt,
      last_active_at: Date.parse(trace.created_at),
      last_sequence: lastSequence,
      epoch_start: epochStart,
      epoch_tokens: newest?.tokensCumulative ?? 0,
      checkpoint_count: checkpoints.length,
      ...(trace.budget_source === 'last_seen' ? { last_budget: trace.token_budget } : {}),
      ...(present.lastModel === undefined ? {} : { last_model: present.lastModel }),
    },
    request: {
      ...(trace.budget_source === 'last_seen' ? {} : { token_budget: trace.token_budget }),
      ...(trace.model === undefined ? {} : { model: trace.model }),
      host_count: trace.host_message_count,
    },
    messages,
    checkpoints,
    settings: sha256('settings of a call that has none on record'),
    tokenizer,
  };
  return { inputs, notes };
}

const previewCharacters = 200;
const checkpointItem = 'checkpoint:';

async function startOf(
  { epoch }: AssembleTrace,
  present: SessionRow,
  store: Pick<SessionStore, 'pageTurns'>,
): Promise<number> {
  if (present.epoch === epoch) return present.epochStart;
  const { items } = await store.pageTurns(present.uid, { cursor: undefined, limit: 1 }, { order: 'asc', epoch });
  return (items[0]?.sequence ?? 1) - 1;
}

/** Messages that the trace shows one by one; long runs of older ones were joined, without their places in the list. */
function messagesOf(trace: AssembleTrace, notes: ReplayNote[]): InputMessage[] {
  const shown = trace.items
    .filter((item) => item.host_index !== undefined && item.count === 1)
    .sort((one, other) => (one.host_index ?? 0) - (other.host_index ?? 0));
  const messages = shown.map((item): InputMessage =>
    item.sequence === undefined
      ? [item.host_index ?? 0, item.content_hash ?? '']
      : [item.host_index ?? 0, item.sequence, 1],
  );
  if (messages.length < trace.host_message_count) {
    const message = `Of the ${trace.host_message_count} messages of the host’s list ${messages.length} are on record one by one.`;
    notes.push({ code: 'turns_of_host_unknown', message });
  }
  return messages;
}
