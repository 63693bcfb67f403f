import { describe, expect, it } from 'vitest';
import { messageKeyText } from './message-key.ts';

const user = { role: 'user', content: 'hello', timestamp: 1 };

describe('messageKeyText', () => {
  it('is the same for a text as a string and as a list with one text part', () => {
    expect(messageKeyText(user)).toBe(messageKeyText({ ...user, content: [{ type: 'text', text: 'hello' }] }));
  });

  it('leaves out what the host rewrites: usage, run ids, sender marks, result details', () => {
    const bare = { role: 'toolResult', toolCallId: 'call1', content: [{ type: 'text', text: 'x' }], timestamp: 1 };
    const rewritten = { ...bare, details: {}, usage: { input: 1 }, __openclaw: { runId: 'r' }, diagnostics: [] };
    expect(messageKeyText(rewritten)).toBe(messageKeyText(bare));
  });

  it('is the same whether ids of tool calls keep their punctuation or not', () => {
    const call = (id: string) => ({
      role: 'assistant',
      content: [{ type: 'toolCall', id, name: 'read', arguments: {} }],
    });
    const result = (toolCallId: string) => ({ role: 'toolResult', toolCallId, content: [] });
    expect(messageKeyText(call('call_4'))).toBe(messageKeyText(call('call4')));
    expect(messageKeyText(result('call_4'))).toBe(messageKeyText(result('call4')));
  });

  it('differs for another text, time, role or signature', () => {
    const texts = [
      user,
      { ...user, content: 'hello ' },
      { ...user, timestamp: 2 },
      { ...user, role: 'custom' },
      { role: 'user', content: [{ type: 'text', text: 'hello', textSignature: 's' }], timestamp: 1 },
    ].map(messageKeyText);
    expect(new Set(texts).size).toBe(texts.length);
  });

  it('takes messages with content of any shape', () => {
    for (const content of [
      undefined,
      null,
      5,
      {},
      [null],
      ['a'],
      [{ type: 'toolCall' }],
      [{ type: 'toolCall', id: 7 }],
    ]) {
      expect(typeof messageKeyText({ role: 'x', content })).toBe('string');
    }
  });
});
