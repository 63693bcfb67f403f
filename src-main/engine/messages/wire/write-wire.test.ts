import { describe, expect, it } from 'vitest';
import { assistantMessage, toolCallMessage, toolResultMessage, userMessage } from '../../testing/messages.ts';
import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { readWireBlocks } from './read-wire-blocks.ts';
import type { WireMessage } from './wire-block.ts';
import { writeWire } from './write-wire.ts';

const list: readonly HostMessage[] = [
  { role: 'compactionSummary', summary: 'They read files.', timestamp: 1 },
  userMessage('Read it', 1),
  toolCallMessage('call_1', 2),
  toolResultMessage('call_1', 'the text', 3),
  assistantMessage('Done', 4),
];

const wired: readonly WireMessage[] = [
  { role: 'system', blocks: [{ type: 'text', text: 'Be brief.' }], item: 'system-addition', position: undefined },
  ...list.map((message, position) => ({
    ...readWireBlocks(message, 'openclaw'),
    item: `item:${position}`,
    position,
  })),
];

/** What a JSON pointer leads to. */
function at(value: unknown, pointer: string): unknown {
  return pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((found, name) => (found as Record<string, unknown>)[name], value);
}

describe.each(['openai', 'anthropic', 'gemini'] as const)('messages as %s has them', (format) => {
  const { request, parts, left_out } = writeWire(wired, format);

  it('have every item in some part, and every part leads to something', () => {
    expect(new Set(parts.map(({ item }) => item))).toEqual(new Set(wired.map(({ item }) => item)));
    for (const { pointer } of parts) expect(at(request, pointer)).toBeDefined();
    expect(new Set(parts.map(({ pointer }) => pointer)).size).toBe(parts.length);
    expect(left_out).toEqual([]);
  });

  it('say the same words', () => {
    const text = JSON.stringify(request);
    for (const words of ['Be brief.', 'They read files.', 'Read it', 'README.md', 'the text', 'Done']) {
      expect(text).toContain(words);
    }
  });
});

describe('the rules of a provider', () => {
  it('openai: results are messages of their own, arguments are text', () => {
    const { messages } = writeWire(wired, 'openai').request as { messages: Record<string, unknown>[] };
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'user', 'assistant', 'tool', 'assistant']);
    expect(messages[3]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"README.md"}' } }],
    });
    expect(messages[4]).toEqual({ role: 'tool', tool_call_id: 'call_1', content: 'the text' });
  });

  it('anthropic: roles alternate, results are the user’s, system stands beside', () => {
    const request = writeWire(wired, 'anthropic').request as {
      system: unknown;
      messages: { role: string; content: { type: string }[] }[];
    };
    expect(request.system).toEqual([{ type: 'text', text: 'Be brief.' }]);
    expect(request.messages.map(({ role, content }) => [role, ...content.map(({ type }) => type)])).toEqual([
      ['user', 'text', 'text'],
      ['assistant', 'tool_use'],
      ['user', 'tool_result'],
      ['assistant', 'text'],
    ]);
  });

  it('gemini: the assistant is the model, results go by the name of the function', () => {
    const request = writeWire(wired, 'gemini').request as { contents: { role: string; parts: unknown[] }[] };
    expect(request.contents.map(({ role }) => role)).toEqual(['user', 'model', 'user', 'model']);
    expect(request.contents[2]?.parts).toEqual([
      { functionResponse: { name: 'read', response: { output: 'the text' } } },
    ]);
  });
});
