import type { HostMessage, MessageFormat } from '../../../../src-shared/protocol/host-message.ts';
import { asRecord, isRecord, jsonOf, textOf } from '../read-fields.ts';
import type { WireBlock, WireMessage } from './wire-block.ts';

/** How OpenClaw renders a summary of its own or ours (host contract, §6). */
const summaryFrame = 'The conversation history before this point was compacted into the following summary:';

/** A message of either host format in pieces; reasoning is left out, since providers take back only their own. */
export function readWireBlocks(message: HostMessage, format: MessageFormat): Pick<WireMessage, 'role' | 'blocks'> {
  return format === 'openai' ? readOpenAi(message) : readOpenClaw(message);
}

function readOpenClaw(message: HostMessage): Pick<WireMessage, 'role' | 'blocks'> {
  const role = textOf(message['role']);
  if (role === 'compactionSummary' || role === 'branchSummary') {
    return user([{ type: 'text', text: `${summaryFrame}\n\n<summary>\n${textOf(message['summary'])}\n</summary>` }]);
  }
  if (role === 'bashExecution') {
    return user([{ type: 'text', text: `$ ${textOf(message['command'])}\n${textOf(message['output'])}` }]);
  }
  const blocks = contentBlocks(message['content']);
  if (role === 'toolResult') {
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const images = blocks.filter(({ type }) => type === 'image' || type === 'image_url');
    const result: WireBlock = {
      type: 'result',
      callId: textOf(message['toolCallId']),
      name: textOf(message['toolName']),
      text,
      isError: message['isError'] === true,
    };
    return { role: 'tool', blocks: [result, ...images] };
  }
  return { role: role === 'assistant' || role === 'system' ? role : 'user', blocks };
}

function readOpenAi(message: HostMessage): Pick<WireMessage, 'role' | 'blocks'> {
  const role = textOf(message['role']);
  const blocks = contentBlocks(message['content']);
  if (role === 'tool' || role === 'function') {
    const text = blocks.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
    const callId = textOf(message['tool_call_id']) || textOf(message['name']);
    return { role: 'tool', blocks: [{ type: 'result', callId, name: textOf(message['name']), text, isError: false }] };
  }
  const calls = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as readonly unknown[]) : [];
  const callBlocks = calls.map((given): WireBlock => {
    const call = asRecord(given);
    const fn = asRecord(call['function']);
    return { type: 'call', id: textOf(call['id']), name: textOf(fn['name']), args: parsed(fn['arguments']) };
  });
  if (role === 'assistant') return { role, blocks: [...blocks, ...callBlocks] };
  return { role: role === 'system' || role === 'developer' ? 'system' : 'user', blocks };
}

function user(blocks: readonly WireBlock[]): Pick<WireMessage, 'role' | 'blocks'> {
  return { role: 'user', blocks };
}

function contentBlocks(content: unknown): readonly WireBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly unknown[]).flatMap(blockOf) : [];
}

function blockOf(given: unknown): readonly WireBlock[] {
  if (!isRecord(given)) return [];
  switch (given['type']) {
    case 'text':
    case 'input_text':
    case 'output_text':
      return textOf(given['text']) === '' ? [] : [{ type: 'text', text: textOf(given['text']) }];
    case 'toolCall':
      return [{ type: 'call', id: textOf(given['id']), name: textOf(given['name']), args: given['arguments'] }];
    case 'image':
      return [{ type: 'image', mediaType: textOf(given['mimeType']) || 'image/png', data: textOf(given['data']) }];
    case 'image_url': {
      const url = textOf(asRecord(given['image_url'])['url']) || textOf(given['image_url']);
      return [imageOf(url)];
    }
    case 'thinking':
    case 'redacted_thinking':
      return [];
    default:
      return [{ type: 'text', text: jsonOf(given) }];
  }
}

/** `data:image/png;base64,…` is an image by itself; anything else is an address. */
function imageOf(url: string): WireBlock {
  const head = url.slice(0, 100);
  const found = /^data:([\w./+-]{1,60});base64,/.exec(head);
  const [prefix, mediaType] = [found?.[0], found?.[1]];
  if (prefix === undefined || mediaType === undefined) return { type: 'image_url', url };
  return { type: 'image', mediaType, data: url.slice(prefix.length) };
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? {};
  try {
    return JSON.parse(value) as unknown;
  } catch {
    // What a model wrote that is no JSON is passed on as it wrote it.
    return value;
  }
}
