import type { AssembleReply, AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import { joinBytes, type ByteSource } from '../join-bytes.ts';
import { withJsonBytes } from '../prepared-json.ts';
import type { OutputMessage } from './output-message.ts';

/** Bodies as UTF-8, by the hash of their text. */
export interface BodyBytes {
  bytesOf(hash: string, text: string): Uint8Array;
}

/** The answer of a call. Lists are written as bytes, and made into objects only for who asks for them. */
export function writeReply(
  request: AssembleRequest,
  trace: AssembleTrace,
  output: readonly OutputMessage[],
  bodies: BodyBytes,
): AssembleReply {
  const head = {
    call_id: trace.call_id,
    estimated_tokens: trace.estimated_tokens,
    counter: trace.counter,
    ...(trace.system_prompt_addition === undefined ? {} : { system_prompt_addition: trace.system_prompt_addition }),
  };
  const list = request.reply === 'plan' ? 'plan' : 'messages';
  const bytes = (): Uint8Array<ArrayBuffer> =>
    joinBytes([`${JSON.stringify(head).slice(0, -1)},"${list}":[`, ...listParts(output, request.reply, bodies), ']}']);
  const reply = Object.defineProperty({ ...head }, list, {
    enumerable: true,
    get: () => (JSON.parse(new TextDecoder().decode(bytes())) as Record<string, unknown>)[list],
  });
  return withJsonBytes(reply, bytes);
}

const betweenInline = new TextEncoder().encode('},{"inline":');
const comma = new TextEncoder().encode(',');

function listParts(output: readonly OutputMessage[], reply: AssembleRequest['reply'], bodies: BodyBytes): ByteSource[] {
  const parts: ByteSource[] = [];
  const isPlan = reply === 'plan';
  // Texts between two bodies are joined first: most entries of a plan only point at the host's messages.
  let between = '';
  const addBetween = (): void => {
    // Between two bodies of ours stands mostly the same.
    parts.push(between === '},{"inline":' ? betweenInline : between === ',' ? comma : between);
  };
  output.forEach((entry, index) => {
    if (index > 0) between += ',';
    if (isPlan && entry.host !== undefined) {
      between += `{"host":${entry.host}}`;
      return;
    }
    if (isPlan) between += '{"inline":';
    addBetween();
    parts.push(bodyBytes(entry, bodies));
    between = isPlan ? (entry.replaces === undefined ? '}' : `,"replaces":${entry.replaces}}`) : '';
  });
  parts.push(between);
  return parts;
}

function bodyBytes({ body, contentHash }: OutputMessage, bodies: BodyBytes): ByteSource {
  return body === undefined ? 'null' : bodies.bytesOf(contentHash, body);
}
