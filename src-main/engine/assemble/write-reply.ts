import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import { withJsonText } from '../prepared-json.ts';
import type { OutputMessage } from './compose-output.ts';

/** The answer of a call. Lists are written as text, and made into objects only for who asks for them. */
export function writeReply(
  request: AssembleRequest,
  trace: AssembleTrace,
  output: readonly OutputMessage[],
): AssembleReply {
  const head = {
    call_id: trace.call_id,
    estimated_tokens: trace.estimated_tokens,
    counter: trace.counter,
    ...(trace.system_prompt_addition === undefined ? {} : { system_prompt_addition: trace.system_prompt_addition }),
  };
  const list = request.reply === 'plan' ? 'plan' : 'messages';
  const entries = (): string => `[${output.map((entry) => entryText(entry, request.reply)).join(',')}]`;
  const reply = Object.defineProperty({ ...head }, list, {
    enumerable: true,
    get: () => JSON.parse(entries()) as unknown,
  });
  return withJsonText(reply, () => `${JSON.stringify(head).slice(0, -1)},"${list}":${entries()}}`);
}

function entryText(entry: OutputMessage, reply: AssembleRequest['reply']): string {
  if (reply === 'plan' && entry.host !== undefined) return `{"host":${entry.host}}`;
  const body = entry.body ?? 'null';
  if (reply === 'messages') return body;
  return entry.replaces === undefined ? `{"inline":${body}}` : `{"inline":${body},"replaces":${entry.replaces}}`;
}
