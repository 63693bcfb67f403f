import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assistantMessage, startTime, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';
import { previewText } from './preview-text.ts';
import { readMessage } from './read-message.ts';
import { readOpenClawMessage } from './read-openclaw-message.ts';

describe('readOpenClawMessage', () => {
  it('reads what a user said, as a text or as parts', () => {
    const expected = { role: 'user', timestamp: startTime, parts: [{ type: 'text', text: 'hello' }], blank: false };
    expect(readOpenClawMessage(userMessage('hello', 0))).toMatchObject(expected);
    const asParts = { ...userMessage('', 0), content: [{ type: 'text', text: 'hello' }] };
    expect(readOpenClawMessage(asParts)).toMatchObject(expected);
  });

  it('reads thinking, text and tool calls of an answer, all of which are counted', () => {
    const content = [
      { type: 'thinking', thinking: 'hm', thinkingSignature: 'sig' },
      { type: 'text', text: 'I look.' },
      { type: 'toolCall', id: 'call_1', name: 'read', arguments: { path: 'a.ts' } },
    ];
    const view = readOpenClawMessage({ ...assistantMessage('', 0), content });
    expect(view.countable).toEqual(['hm', 'I look.', 'read', '{"path":"a.ts"}']);
    expect(view.toolCalls).toEqual([{ id: 'call_1', name: 'read', arguments: { path: 'a.ts' } }]);
    expect(view.parts.map((part) => part.type)).toEqual(['meta', 'text', 'tool_call']);
    expect(view.model).toBe('fake-model');
  });

  it('S40: counts the serialised arguments of a tool call', () => {
    const view = readOpenClawMessage(toolCallMessage('c', 0, { text: 'x'.repeat(5_000) }));
    expect(view.countable.join('')).toContain('x'.repeat(5_000));
  });

  it('reads a tool result, its texts joined, and is never blank', () => {
    const view = readOpenClawMessage(toolResultMessage('call_1', 'found', 0));
    expect(view).toMatchObject({
      role: 'tool',
      toolResult: { callId: 'call_1', name: 'read', isError: false },
      parts: [{ type: 'tool_result', tool_name: 'read', result: 'found' }],
    });
    expect(readOpenClawMessage({ ...toolResultMessage('c', '', 0), content: [] }).blank).toBe(false);
  });

  it('keeps parts of a tool result that are no text as JSON', () => {
    const content = ['plain', { type: 'json', value: 1 }, null, { type: 'image', data: 'AAAA', mimeType: 'image/png' }];
    const view = readOpenClawMessage({ ...toolResultMessage('c', '', 0), content, isError: true });
    expect(view.parts.at(-1)).toEqual({
      type: 'tool_result',
      tool_name: 'read',
      result: 'plain\n{"type":"json","value":1}',
    });
    expect(view).toMatchObject({ images: 1, toolResult: { isError: true } });
  });

  it('notes an image by kind and size, not by its base64', () => {
    const content = [{ type: 'image', data: 'A'.repeat(9_000), mimeType: 'image/png' }];
    const view = readOpenClawMessage({ role: 'user', content, timestamp: 1 });
    expect(view).toMatchObject({ images: 1, blank: false, countable: [] });
    expect(view.parts).toEqual([
      { type: 'meta', key: 'image', value: { mime_type: 'image/png', base64_characters: 9_000 } },
    ]);
  });

  it.each(['compactionSummary', 'branchSummary'])('knows the host’s own summary: %s', (role) => {
    const view = readOpenClawMessage({ role, summary: 'We moved.', tokensBefore: 9, timestamp: startTime });
    expect(view).toMatchObject({ role: 'user', kind: 'host_summary', countable: ['We moved.'], blank: false });
  });

  it('reads a command that the user ran, and what the host keeps out of the context', () => {
    const bash = { role: 'bashExecution', command: 'ls', output: 'a.ts', exitCode: 0, timestamp: 1 };
    expect(readOpenClawMessage(bash)).toMatchObject({ countable: ['$ ls\na.ts'], excluded: false });
    expect(readOpenClawMessage({ ...bash, excludeFromContext: true }).excluded).toBe(true);
  });

  it('S60: captures what the user wrote without what was injected, and counts all of it', () => {
    const text = '<relevant-memories>tea</relevant-memories>\nWhat do I drink?';
    const view = readOpenClawMessage(userMessage(text, 0));
    expect(view.parts).toEqual([
      { type: 'text', text: 'What do I drink?' },
      { type: 'meta', key: 'injected_blocks', value: ['<relevant-memories>tea</relevant-memories>\n'] },
    ]);
    expect(view.countable).toEqual([text]);
  });

  it.each(['moderator', 'constructor', '__proto__', 'toString'])('keeps an unknown role as system: %s', (role) => {
    const view = readOpenClawMessage({ role, content: 'x', timestamp: 1 });
    expect(view).toMatchObject({ role: 'system', kind: 'message' });
    expect(view.parts[0]).toEqual({ type: 'meta', key: 'host_role', value: role });
  });

  it('keeps and counts parts of a kind that it does not know', () => {
    const part = { type: 'video', data: 'x' };
    const view = readOpenClawMessage({ role: 'user', content: [part, 7], timestamp: 1 });
    expect(view.parts).toEqual([
      { type: 'meta', key: 'unknown_part', value: part },
      { type: 'meta', key: 'unknown_part', value: 7 },
    ]);
    expect(view).toMatchObject({ countable: [JSON.stringify(part), '7'], blank: false });
  });

  it.each([undefined, null, '', ' \n', [], [null], [{ type: 'text' }], [{ type: 'thinking', thinking: 'hm' }]])(
    'is blank with the content %j',
    (content) => {
      expect(readOpenClawMessage({ role: 'assistant', content, timestamp: 1 }).blank).toBe(true);
    },
  );

  it.each([0, -1, 1e15, Infinity, NaN, '', 'soon', null, {}, 253_402_300_800_000])(
    'takes %j for no time',
    (timestamp) => {
      expect(readOpenClawMessage({ ...userMessage('x', 0), timestamp }).timestamp).toBeUndefined();
    },
  );

  it('reads times with fractions and as ISO texts', () => {
    expect(readOpenClawMessage({ ...userMessage('x', 0), timestamp: 1.9 }).timestamp).toBe(1);
    const iso = { ...userMessage('x', 0), timestamp: '2026-11-02T09:00:00.000Z' };
    expect(readOpenClawMessage(iso).timestamp).toBe(startTime);
  });
});

describe('readMessage', () => {
  it.each([undefined, null, '', 5, {}])('refuses the role %j and names the position', (role) => {
    expect(() => readMessage({ role, content: 'x' }, 'openclaw', 3)).toThrow(
      expect.objectContaining({ code: 'invalid_request', details: { index: 3 } }),
    );
  });

  it('refuses what is nested too deeply to be written as JSON again', () => {
    let nested: unknown = 'x';
    for (let depth = 0; depth < 100_000; depth += 1) nested = [nested];
    expect(() => readMessage({ role: 'user', content: nested }, 'openai', 0)).toThrow(
      expect.objectContaining({ code: 'invalid_request' }),
    );
  });

  const field = fc.constantFrom(
    ...['content', 'type', 'text', 'thinking', 'name', 'arguments', 'data', 'toolCallId', 'toolName', 'summary'],
    ...['tool_calls', 'function', 'tool_call_id', 'timestamp', 'function_call', 'refusal', 'id', '__proto__', 'output'],
  );
  const word = fc.constantFrom('text', 'toolCall', 'thinking', 'image', 'image_url', 'input_audio', 'x', '', '\ud800');
  const { json } = fc.letrec<{ json: unknown }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 4 },
      word,
      fc.constantFrom(null, true, 0, -1, 1e308),
      fc.array(tie('json'), { maxLength: 4 }),
      fc.dictionary(field, tie('json'), { maxKeys: 5 }),
    ),
  }));
  const role = fc.constantFrom('user', 'assistant', 'toolResult', 'tool', 'function', 'system', 'custom', 'valueOf');

  it.each(['openclaw', 'openai'] as const)('reads every %s object that has a role', (format) => {
    fc.assert(
      fc.property(fc.dictionary(field, json, { maxKeys: 8 }), role, (fields, who) => {
        const message = JSON.parse(JSON.stringify({ ...fields, role: who })) as Record<string, unknown>;
        const view = readMessage(message, format, 0);
        expect(['user', 'assistant', 'system', 'tool']).toContain(view.role);
        expect(view.countable.every((text) => typeof text === 'string')).toBe(true);
        // What assemble takes for blank is what a provider would refuse as such.
        expect(previewText(view) === '').toBe(view.blank);
        expect(JSON.parse(JSON.stringify(view.parts))).toBeInstanceOf(Array);
      }),
      { numRuns: 500 },
    );
  });
});
