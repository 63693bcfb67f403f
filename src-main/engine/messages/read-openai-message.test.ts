import { describe, expect, it } from 'vitest';
import { readOpenAiMessage } from './read-openai-message.ts';

const call = (args: unknown) => ({ id: 'call_1', type: 'function', function: { name: 'read', arguments: args } });

describe('readOpenAiMessage', () => {
  it.each([
    ['user', 'user'],
    ['assistant', 'assistant'],
    ['developer', 'system'],
    ['system', 'system'],
    ['tool', 'tool'],
  ])('reads the role %s as %s', (hostRole, role) => {
    expect(readOpenAiMessage({ role: hostRole, content: 'x' })).toMatchObject({ role, countable: ['x'], blank: false });
  });

  it.each(['constructor', 'hasOwnProperty', 'moderator'])('keeps the unknown role %s as system', (role) => {
    const view = readOpenAiMessage({ role, content: 'x' });
    expect(view.role).toBe('system');
    expect(view.parts[0]).toEqual({ type: 'meta', key: 'host_role', value: role });
  });

  it('S40: reads tool calls, whose arguments are counted as they are sent', () => {
    const view = readOpenAiMessage({ role: 'assistant', content: null, tool_calls: [call('{"path":"a.ts"}')] });
    expect(view.toolCalls).toEqual([{ id: 'call_1', name: 'read', arguments: { path: 'a.ts' } }]);
    expect(view).toMatchObject({ countable: ['read', '{"path":"a.ts"}'], blank: false });
  });

  it('keeps arguments that are no JSON as the model wrote them', () => {
    const view = readOpenAiMessage({ role: 'assistant', tool_calls: [call('{"path":')] });
    expect(view.toolCalls[0]?.arguments).toBe('{"path":');
    expect(view.countable).toContain('{"path":');
  });

  it('reads custom tool calls by their input', () => {
    const custom = { id: 'call_2', type: 'custom', custom: { name: 'shell', input: 'ls -l' } };
    expect(readOpenAiMessage({ role: 'assistant', tool_calls: [custom, null] }).toolCalls).toEqual([
      { id: 'call_2', name: 'shell', arguments: 'ls -l' },
      { id: '', name: '', arguments: {} },
    ]);
  });

  it('reads a tool result with the id of its call', () => {
    const view = readOpenAiMessage({
      role: 'tool',
      tool_call_id: 'call_1',
      content: [{ type: 'text', text: 'found' }],
    });
    expect(view.toolResult).toEqual({ callId: 'call_1', name: '', isError: false });
    expect(view.parts).toEqual([{ type: 'tool_result', tool_name: '', result: 'found' }]);
  });

  it('pairs the older function calls, which have no ids, by the name of the function', () => {
    const asked = readOpenAiMessage({
      role: 'assistant',
      content: null,
      function_call: { name: 'f', arguments: '{}' },
    });
    const answered = readOpenAiMessage({ role: 'function', name: 'f', content: '42' });
    expect(asked.blank).toBe(false);
    expect(asked.toolCalls[0]?.id).toBe(answered.toolResult?.callId);
  });

  it('reads a refusal as what was said', () => {
    expect(readOpenAiMessage({ role: 'assistant', content: null, refusal: 'No.' })).toMatchObject({
      parts: [{ type: 'text', text: 'No.' }],
      blank: false,
    });
    expect(readOpenAiMessage({ role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] }).blank).toBe(false);
  });

  it('notes images and files by size, not by their base64, and web images by address', () => {
    const data = `data:image/png;base64,${'A'.repeat(9_000)}`;
    const content = [
      { type: 'image_url', image_url: { url: data } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
      { type: 'input_audio', input_audio: { data: 'A'.repeat(9_000), format: 'wav' } },
    ];
    const view = readOpenAiMessage({ role: 'user', content });
    expect(view).toMatchObject({ images: 3, blank: false, countable: [] });
    expect(JSON.stringify(view.parts).length).toBeLessThan(500);
    expect(view.parts[1]).toEqual({ type: 'meta', key: 'image', value: { url: 'https://example.com/a.png' } });
  });

  it('keeps and counts parts and contents of a shape that it does not know', () => {
    expect(readOpenAiMessage({ role: 'user', content: [{ type: 'hologram' }, 'plain', null] })).toMatchObject({
      countable: ['plain', '{"type":"hologram"}'],
      blank: false,
    });
    expect(readOpenAiMessage({ role: 'user', content: { text: 'x' } }).countable).toEqual(['{"text":"x"}']);
  });

  it.each([undefined, null, '', '\n', [], [{ type: 'text', text: '' }]])('is blank with the content %j', (content) => {
    expect(readOpenAiMessage({ role: 'assistant', content, tool_calls: [] }).blank).toBe(true);
  });

  it('honours a timestamp where a client sends one', () => {
    expect(readOpenAiMessage({ role: 'user', content: 'x' }).timestamp).toBeUndefined();
    expect(readOpenAiMessage({ role: 'user', content: 'x', timestamp: 5_000 }).timestamp).toBe(5_000);
  });

  it('S60: captures without injected blocks, and keeps them in tool results', () => {
    const block = '<strata-context>x</strata-context>';
    expect(readOpenAiMessage({ role: 'user', content: block }).parts).toEqual([
      { type: 'meta', key: 'injected_blocks', value: [block] },
    ]);
    expect(readOpenAiMessage({ role: 'tool', tool_call_id: 'c', content: block }).parts[0]).toMatchObject({
      result: block,
    });
  });
});
