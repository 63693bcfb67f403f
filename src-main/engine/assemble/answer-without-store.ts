import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';
import { isMessageRef, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';

/**
 * The host's own messages, unchanged, when nothing better is to be had: all that came, since a list without the
 * beginning or a tool result would be worse than one the provider may find too long.
 */
export function answerWithoutStore(request: AssembleRequest, callId: string, degraded: Degraded): AssembleReply {
  const estimated = request.messages.reduce(
    (sum, message) => sum + (isMessageRef(message) ? 0 : estimateCharacters(JSON.stringify(message))),
    0,
  );
  const bodies = request.messages.flatMap((message): HostMessage[] => (isMessageRef(message) ? [] : [message]));
  return {
    call_id: callId,
    ...(request.reply === 'plan'
      ? { plan: request.messages.map((_, index) => ({ host: request.indexes?.[index] ?? index })) }
      : { messages: bodies }),
    estimated_tokens: estimated,
    counter: 'characters',
    degraded,
  };
}
