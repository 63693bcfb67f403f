import { describe, expect, it } from 'vitest';
import { assistant, user } from '../testing/messages.ts';
import { applyPlan } from './apply-plan.ts';

const messages = [user('a'), assistant('b'), user('c')];
const all = [0, 1, 2];

describe('applyPlan', () => {
  const call = (...ids: string[]) => ({
    role: 'assistant',
    content: ids.map((id) => ({ type: 'toolCall', id, name: 'read', arguments: {} })),
  });
  const result = (toolCallId: string) => ({ role: 'toolResult', toolCallId, content: [{ type: 'text', text: 'x' }] });

  it('gives back the very same objects of the host, and ours between them', () => {
    const inline = user('summary');
    const list = applyPlan([{ inline }, { host: 1 }, { host: 2 }], messages, all);
    expect(list?.[0]).toBe(inline);
    expect(list?.[1]).toBe(messages[1]);
    expect(list?.[2]).toBe(messages[2]);
  });

  it('H09: refuses positions that are out of range, repeated, out of order or were never described', () => {
    expect(applyPlan([{ host: 3 }], messages, all)).toBeUndefined();
    expect(applyPlan([{ host: 1 }, { host: 1 }], messages, all)).toBeUndefined();
    expect(applyPlan([{ host: 2 }, { host: 0 }], messages, all)).toBeUndefined();
    expect(applyPlan([{ host: 1 }], messages, [0, 2])).toBeUndefined();
  });

  it('takes a shortened copy of a message of the host in its place, the newest too, and each once', () => {
    const copy = user('c, in short');
    expect(applyPlan([{ host: 0 }, { host: 1 }, { inline: copy, replaces: 2 }], messages, all)?.[2]).toBe(copy);
    expect(applyPlan([{ host: 2 }, { inline: copy, replaces: 2 }], messages, all)).toBeUndefined();
    expect(applyPlan([{ inline: copy, replaces: 3 }], messages, all)).toBeUndefined();
  });

  it('S24: takes a result that was moved to its call, over what was said between them', () => {
    const steered = [user('a'), call('1'), user('wait'), result('1'), user('go on')];
    const plan = [0, 1, 3, 2, 4].map((host) => ({ host }));
    expect(applyPlan(plan, steered, [...steered.keys()])).toEqual(plan.map(({ host }) => steered[host]));
  });

  it('refuses an empty plan for a list that is not empty', () => {
    expect(applyPlan([], messages, all)).toBeUndefined();
    expect(applyPlan([], [user('')], [0])).toBeUndefined();
  });

  it('refuses a plan without the newest message of the host', () => {
    expect(applyPlan([{ host: 0 }, { host: 1 }], messages, all)).toBeUndefined();
    expect(applyPlan([{ host: 0 }, { inline: user('c') }], messages, all)).toBeUndefined();
  });

  it.each([
    ['is blank', [user('a'), user(' ')]],
    ['holds only thoughts', [user('a'), { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }]],
    ['is kept from the context', [user('a'), { ...user('b'), excludeFromContext: true }]],
    ['is a summary', [user('a'), { role: 'compactionSummary', summary: 's' }]],
    ['calls a tool without an answer', [user('a'), call('1')]],
    ['answers no call', [user('a'), result('1')]],
    ['leaves a call unanswered', [user('a'), call('1', '2'), result('1')]],
  ])('takes a plan without the newest message when that one %s', (_, list) => {
    expect(applyPlan([{ host: 0 }], list, [...list.keys()])).toEqual([list[0]]);
  });

  it('insists on the newest message when it says something without text, or completes its calls', () => {
    const image = { role: 'user', content: [{ type: 'image', mimeType: 'image/png', data: 'A' }] };
    const run = { role: 'bashExecution', command: 'ls', output: '' };
    for (const list of [
      [user('a'), image],
      [user('a'), run],
      [user('a'), call('call_1', '2'), result('call1'), result('2')],
    ]) {
      expect(applyPlan([{ host: 0 }], list, [...list.keys()])).toBeUndefined();
    }
  });

  it('takes a plan without a newest message that was not described', () => {
    expect(applyPlan([{ host: 0 }, { host: 1 }], messages, [0, 1])).toEqual(messages.slice(0, 2));
  });

  it('takes an empty plan for an empty list', () => {
    expect(applyPlan([], [], [])).toEqual([]);
  });
});
