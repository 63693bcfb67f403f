import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';
import { isMessageRef, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';

/**
 * The host's own messages, unchanged, when nothing better is to be had: all that came, since a list without the
 * beginning or a tool result would be worse than one the provider may find too long.
 * @throws EngineError `deadline_exceeded` or `store_failed` when messages are wanted whose bodies only the store has: a
 * list with gaps would be answered as if it were whole.
 */
export function answerWithoutStore(request: AssembleRequest, callId: string, degraded: Degraded): AssembleReply {
  const bodies = request.messages.flatMap((message): HostMessage[] => (isMessageRef(message) ? [] : [message]));
  if (request.reply === 'messages' && bodies.length < request.messages.length) {
    throw new EngineError(
      degraded.code === 'deadline' ? 'deadline_exceeded' : 'store_failed',
      `${degraded.message} Messages that were only referenced could not be read: use the host's own list.`,
    );
  }
  return {
    call_id: callId,
    ...(request.reply === 'plan'
      ? { plan: request.messages.map((_, index) => ({ host: request.indexes?.[index] ?? index })) }
      : { messages: bodies }),
    estimated_tokens: bodies.reduce((sum, message) => sum + estimateCharacters(JSON.stringify(message)), 0),
    counter: 'characters',
    degraded,
  };
}
