import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { checkpointUri, turnUri } from '../../../../src-shared/model/uri.ts';
import { readMessage } from '../../messages/read-message.ts';
import type { IndexedTurn, RowOwner } from '../../ports/memory-index.ts';
import type { SessionRow, StoredCheckpoint, TurnMeta } from '../../ports/session-store.ts';
import { localAccount } from '../scope-of.ts';

/** Tool results are long and say little of what was talked about (characters). */
const longestResult = 2_000;
/** Longer turns are pasted material (characters). */
const longestTurn = 100_000;

/**
 * A stored turn as the index takes it: what the user and the model said, and the beginning of what a tool answered.
 * Undefined where there is nothing to find: heartbeats, what the host keeps out of the context, what engines put in.
 * @throws EngineError `invalid_request` when the body is no message
 */
export function indexedTurn(session: SessionRow, turn: TurnMeta, body: string): IndexedTurn | undefined {
  if (turn.excluded || turn.heartbeat || turn.role === 'system') return undefined;
  // Checked when it was stored.
  const message = JSON.parse(body) as HostMessage;
  const view = readMessage(message, turn.format, 0);
  if (view.kind === 'host_summary' || view.excluded) return undefined;
  const texts = view.parts.flatMap((part): string[] => {
    if (part.type === 'text') return [part.text];
    return part.type === 'tool_result' ? [textOf(part.result).slice(0, longestResult)] : [];
  });
  const text = texts.join('\n').slice(0, longestTurn);
  if (text.trim() === '') return undefined;
  return {
    uri: turnUri(session.userId, session.uid, turn.sequence),
    source: 'turn',
    owner: ownerOf(session),
    sessionUid: session.uid,
    epoch: turn.epoch,
    sequence: turn.sequence,
    role: turn.role,
    speaker: turn.role === 'tool' ? '' : speakerOf(message),
    at: turn.timestamp,
    text,
  };
}

/** A summary is found also when it stands no longer, where superseded rows are asked for. */
export function indexedCheckpoint(session: SessionRow, { checkpoint, end }: StoredCheckpoint): IndexedTurn {
  return {
    uri: checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id),
    source: 'checkpoint',
    owner: ownerOf(session),
    sessionUid: session.uid,
    epoch: checkpoint.epoch,
    sequence: checkpoint.source_turn_range.end_sequence,
    role: 'assistant',
    speaker: '',
    at: Date.parse(checkpoint.committed_at),
    text: checkpoint.overview,
    abstract: checkpoint.abstract,
    status: end === undefined ? 'active' : 'superseded',
  };
}

function ownerOf(session: SessionRow): RowOwner {
  return {
    accountId: localAccount,
    userId: session.userId,
    agentId: session.agentId,
    sessionUid: session.uid,
    visibility: 'private',
    labels: [],
  };
}

/** `name` in OpenAI's format; OpenClaw's channels put the sender beside the message. */
function speakerOf(message: HostMessage): string {
  for (const key of ['name', 'senderName', 'sender']) {
    const value = message[key];
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200);
  }
  return '';
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
