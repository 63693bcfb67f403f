import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assistantMessage, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';
import { readOpenAiMessage } from './read-openai-message.ts';
import { readOpenClawMessage } from './read-openclaw-message.ts';
import { stripForeignThinking } from './strip-foreign-thinking.ts';
import { trimMessage } from './trim-message.ts';
import { writeMessage } from './write-message.ts';

const toOpenAi = (message: HostMessage): HostMessage => writeMessage(readOpenClawMessage(message), 'openai');
const toOpenClaw = (message: HostMessage): HostMessage => writeMessage(readOpenAiMessage(message), 'openclaw');

describe('writeMessage', () => {
  it('writes a conversation of OpenClaw as chat completions', () => {
    const messages = [
      userMessage('Look.', 0),
      toolCallMessage('call_1', 1),
      toolResultMessage('call_1', 'found', 2),
      assistantMessage('Done.', 3),
    ];
    expect(messages.map(toOpenAi)).toEqual([
      { role: 'user', content: 'Look.' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"README.md"}' } }],
      },
      { role: 'tool', tool_call_id: 'call_1', content: 'found' },
      { role: 'assistant', content: 'Done.' },
    ]);
  });

  it('writes chat completions as messages of OpenClaw with every field that its type asks for', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }];
    expect(toOpenClaw({ role: 'assistant', content: 'I look.', tool_calls })).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'toolCall', id: 'c', name: 'f', arguments: { a: 1 } },
      ],
      stopReason: 'toolUse',
      usage: { totalTokens: 0 },
      timestamp: 0,
    });
    expect(toOpenClaw({ role: 'tool', tool_call_id: 'c', content: '42' })).toMatchObject({
      role: 'toolResult',
      toolCallId: 'c',
      content: [{ type: 'text', text: '42' }],
      isError: false,
    });
    expect(toOpenClaw({ role: 'user', content: 'x', timestamp: 5 })).toEqual({
      role: 'user',
      content: 'x',
      timestamp: 5,
    });
  });

  it('wraps arguments that are no object, which OpenClaw could not read', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"broken' } }];
    expect(toOpenClaw({ role: 'assistant', tool_calls })).toMatchObject({
      content: [{ type: 'toolCall', arguments: { arguments: '{"broken' } }],
    });
  });

  it('never makes an empty text of a message that was none', () => {
    const image = { role: 'user', content: [{ type: 'image', data: 'AAAA', mimeType: 'image/png' }], timestamp: 1 };
    expect(toOpenAi(image)['content']).toBe('[image]');
    const injected = '<strata-context>x</strata-context>';
    expect(toOpenAi(userMessage(injected, 0))['content']).toBe(injected);
  });

  it('keeps pairs together over both formats', () => {
    const back = (message: HostMessage) => readOpenClawMessage(toOpenClaw(toOpenAi(message)));
    expect(back(toolCallMessage('call_1', 0)).toolCalls).toEqual(
      readOpenClawMessage(toolCallMessage('call_1', 0)).toolCalls,
    );
    expect(back(toolResultMessage('call_1', 'x', 0)).toolResult?.callId).toBe('call_1');
  });
});

describe('trimMessage', () => {
  it('cuts a long text in its middle and says how much is left out and where the whole is', () => {
    const message = toolResultMessage('c', `${'a'.repeat(5_000)}${'z'.repeat(5_000)}`, 0);
    const text = JSON.stringify(trimMessage(message, 0.1, 'strata://session/u/s/turn/1')['content']);
    expect(text).toMatch(/^\[\{"type":"text","text":"a{700}\\n\[… 9000 characters left out; the whole is at strata:/);
    expect(text).toMatch(/z{300}"\}\]$/);
  });

  it('leaves short texts, other parts and contents without texts alone', () => {
    const image = { type: 'image', data: 'A'.repeat(2_000) };
    const message = { role: 'user', content: [{ type: 'text', text: 'short' }, image], timestamp: 1 };
    expect(trimMessage(message, 0.01, undefined)).toEqual(message);
    expect(trimMessage({ role: 'user', content: 5 }, 0.1, undefined)).toEqual({ role: 'user', content: 5 });
  });

  it('never makes a text longer, and never tears a character apart', () => {
    const texts = fc.string({ unit: 'grapheme', minLength: 300, maxLength: 700 });
    fc.assert(
      fc.property(texts, fc.double({ min: 0, max: 1, noNaN: true }), (text, share) => {
        const trimmed = String(trimMessage({ role: 'user', content: text }, share, undefined)['content']);
        expect(trimmed.length).toBeLessThanOrEqual(text.length);
        expect(trimmed.isWellFormed()).toBe(text.isWellFormed());
      }),
    );
  });
});

describe('stripForeignThinking', () => {
  const thought = {
    ...assistantMessage('', 0),
    content: [
      { type: 'thinking', thinking: 'hm', thinkingSignature: 's' },
      { type: 'text', text: 'So.' },
    ],
  };

  it('S30: keeps reasoning for the model that reasoned, with or without its provider’s name', () => {
    for (const model of ['fake-model', 'fakeai/fake-model', undefined]) {
      expect(stripForeignThinking(thought, model)).toBe(thought);
    }
  });

  it('S30: takes reasoning out for another model, and nothing else', () => {
    expect(stripForeignThinking(thought, 'other-model')).toEqual({
      ...thought,
      content: [{ type: 'text', text: 'So.' }],
    });
  });

  it('leaves messages without reasoning as they are', () => {
    const plain = assistantMessage('So.', 0);
    expect(stripForeignThinking(plain, 'other-model')).toBe(plain);
    expect(stripForeignThinking(userMessage('x', 0), 'other-model')).toEqual(userMessage('x', 0));
  });
});
