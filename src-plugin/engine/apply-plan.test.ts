import { describe, expect, it } from 'vitest';
import { assistant, user } from '../testing/messages.ts';
import { applyPlan } from './apply-plan.ts';

const messages = [user('a'), assistant('b'), user('c')];
const all = [0, 1, 2];

describe('applyPlan', () => {
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

  it('takes an empty plan for an empty list', () => {
    expect(applyPlan([], [], [])).toEqual([]);
  });
});
