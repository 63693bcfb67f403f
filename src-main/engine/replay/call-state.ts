import { z } from 'zod';
import { configSchema } from '../../../src-shared/model/config.ts';
import type { InputMessage } from '../../../src-shared/model/call-inputs.ts';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { recallResultSchema } from '../../../src-shared/model/recall.ts';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import { recallOptionsSchema, type AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { HostMessage, MessageOrRef } from '../../../src-shared/protocol/host-message.ts';
import type { ReplayNote } from '../../../src-shared/protocol/replay.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { CallSettings } from './record-inputs.ts';
import type { RecordedMemoryOfCall } from './recorded-memory.ts';
import type { ReplaySource } from './replay-source.ts';

/** Everything that a call is run again from. */
export interface CallState {
  readonly session: SessionRow;
  readonly request: AssembleRequest;
  readonly checkpoints: readonly CompactCheckpoint[];
  readonly settings: CallSettings;
  readonly memory: RecordedMemoryOfCall;
  /** What is not on record, or not there any more. */
  readonly notes: readonly ReplayNote[];
}

const standingPartsSchema = z.array(
  z.object({
    kind: z.enum(['profile', 'memory_index', 'layer']),
    name: z.string(),
    text: z.string(),
    uris: z.array(z.string()),
  }),
);

/** Turns that are read at once to find the host's messages again. */
const readAtOnce = 5_000;

/**
 * A recorded call as it was: its request made again from what was recognised of the host's list, and the session as it
 * was then. What is not on record is of today, or missing, with a note.
 */
export async function readCallState(
  trace: AssembleTrace,
  inputs: NonNullable<AssembleTrace['inputs']>,
  source: ReplaySource,
  today: CallSettings,
): Promise<CallState> {
  const notes: ReplayNote[] = [];
  const texts = await source.readBodies(
    [inputs.settings, inputs.request.prompt, standingHash(inputs), inputs.recall?.result].filter(
      (hash) => hash !== undefined,
    ),
  );
  /** The parsed content of a record, by its hash. */
  const read = <T>(hash: string | undefined, schema: z.ZodType<T>, lost: ReplayNote): T | undefined => {
    if (hash === undefined) return undefined;
    const text = texts.get(hash);
    const parsed = text === undefined ? undefined : schema.safeParse(JSON.parse(text));
    if (parsed?.success) return parsed.data;
    notes.push(lost);
    return undefined;
  };
  const settings = read(inputs.settings, settingsSchema, note('settings_of_today', 'The settings of then are gone.'));
  const prompt = read(
    inputs.request.prompt,
    z.string(),
    note('prompt_not_recorded', 'The text of the prompt is gone.'),
  );
  const parts = read(
    standingHash(inputs),
    standingPartsSchema,
    note('standing_of_today', 'Standing memory of then is gone; that of today is taken.'),
  );
  const result = read(
    inputs.recall?.result,
    recallResultSchema,
    note('recall_texts_gone', 'What recall found then is gone.'),
  );
  const session = sessionOf(trace, inputs);
  const { messages, indexes } = await messagesOf(inputs.messages, session, source, notes);
  const { prompt: _, recall, ...request } = inputs.request;
  const options = recallOptionsSchema.safeParse(recall);
  return {
    session,
    request: {
      session_id: trace.session_id,
      ...{ session_key: trace.session_key, agent_id: trace.agent_id, user_id: inputs.session.user_id },
      ...{ format: trace.format, history: trace.history, reply: trace.reply },
      ...request,
      ...(prompt === undefined ? {} : { prompt }),
      ...(options.success && recall !== undefined ? { recall: options.data } : {}),
      ...{ messages, indexes },
    },
    checkpoints: await checkpointsOf(inputs.checkpoints, source, notes),
    settings: settings ?? today,
    memory: {
      standing: standingOf(inputs, parts),
      recall: inputs.recall && { of: inputs.recall, result },
    },
    notes,
  };
}

const { assemble, recall, tool_results } = configSchema.shape;
const settingsSchema: z.ZodType<CallSettings> = z.object({ assemble, recall, tool_results });

type Inputs = NonNullable<AssembleTrace['inputs']>;

function standingHash({ standing }: Inputs): string | undefined {
  return standing && 'parts' in standing ? standing.parts : undefined;
}

function standingOf(
  { standing }: Inputs,
  parts: z.infer<typeof standingPartsSchema> | undefined,
): RecordedMemoryOfCall['standing'] {
  // None was asked for: then there is none of today either.
  if (!standing) return { parts: [], asOf: 0, changesWaiting: false, isLeftToHost: false };
  if ('failed' in standing) return standing;
  if (!parts) return undefined;
  const { as_of: asOf, changes_waiting: changesWaiting, is_left_to_host: isLeftToHost } = standing;
  return { parts, asOf, changesWaiting, isLeftToHost };
}

export function sessionOf(trace: AssembleTrace, { session }: Inputs): SessionRow {
  return {
    ...{ uid: trace.session_uid, userId: session.user_id, agentId: trace.agent_id },
    ...{ sessionKey: trace.session_key, sessionId: trace.session_id, epoch: trace.epoch },
    createdAt: session.created_at,
    lastActiveAt: session.last_active_at,
    lastSequence: session.last_sequence,
    epochStart: session.epoch_start,
    epochTokens: session.epoch_tokens,
    checkpointCount: session.checkpoint_count,
    callCount: 0,
    lastCallId: undefined,
    lastBudget: session.last_budget,
    lastModel: session.last_model,
    cursor: undefined,
    parentSessionKey: session.parent_session_key,
    ended: undefined,
  };
}

/** Stored turns as references by their keys, others with their bodies: as a host passes them. */
async function messagesOf(
  recorded: readonly InputMessage[],
  session: SessionRow,
  source: ReplaySource,
  notes: ReplayNote[],
): Promise<{ readonly messages: MessageOrRef[]; readonly indexes: number[] }> {
  const hashes = recorded.flatMap((entry) => (typeof entry[1] === 'string' && entry[1] !== '' ? [entry[1]] : []));
  const bodies = await source.readBodies(hashes);
  const keys = await keysOf(recorded, session, source);
  const messages: MessageOrRef[] = [];
  const indexes: number[] = [];
  let gone = 0;
  const add = (index: number, message: MessageOrRef | undefined): void => {
    if (!message) return void (gone += 1);
    messages.push(message);
    indexes.push(index);
  };
  for (const [index, what, count] of recorded) {
    if (typeof what === 'string') {
      const body = bodies.get(what);
      // It was a message of the host when it was stored.
      add(index, body === undefined ? undefined : (JSON.parse(body) as HostMessage));
      continue;
    }
    for (let at = 0; at < (count ?? 1); at += 1) {
      const ref = keys.get(what + at);
      add(index + at, ref === undefined ? undefined : { ref });
    }
  }
  if (gone > 0) notes.push(note('body_gone', `${gone} messages of the host’s list are not stored any more.`));
  return { messages, indexes };
}

async function keysOf(
  recorded: readonly InputMessage[],
  session: SessionRow,
  source: ReplaySource,
): Promise<ReadonlyMap<number, string>> {
  const keys = new Map<number, string>();
  for (const [, sequence, count] of recorded) {
    if (typeof sequence === 'string') continue;
    const end = sequence + (count ?? 1) - 1;
    for (let start = sequence; start <= end; start += readAtOnce) {
      const last = Math.min(end, start + readAtOnce - 1);
      for (const turn of await source.turnsInRange(session.uid, start, last, readAtOnce)) {
        keys.set(turn.sequence, turn.messageKey);
      }
    }
  }
  return keys;
}

async function checkpointsOf(
  ids: readonly string[],
  source: ReplaySource,
  notes: ReplayNote[],
): Promise<readonly CompactCheckpoint[]> {
  const found = await Promise.all(ids.map((id) => source.findCheckpoint(id)));
  const checkpoints = found.flatMap((stored) => (stored ? [stored.checkpoint] : []));
  if (checkpoints.length < ids.length) notes.push(note('body_gone', 'A checkpoint of then is not in the store.'));
  return checkpoints;
}

function note(code: ReplayNote['code'], message: string): ReplayNote {
  return { code, message };
}
