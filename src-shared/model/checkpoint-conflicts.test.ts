import { describe, expect, it } from 'vitest';
import { alreadyCovered, wrongState } from './checkpoint-conflicts.ts';

const one = { checkpoint_id: 'ckpt_1', source_turn_range: { start_sequence: 3, end_sequence: 9 } };

describe('what a conflict about a checkpoint says', () => {
  it.each([
    [undefined, 'restored', 'stands and cannot be restored. Only one that is dissolved or replaced can.'],
    [{ state: 'dissolved', by: undefined }, 'dissolved', 'is dissolved and cannot be dissolved. Restore it first.'],
    [
      { state: 'replaced', by: 'ckpt_2' },
      'run again',
      'is replaced by ckpt_2 and cannot be run again. Restore it first.',
    ],
    [
      { state: 'folded', by: 'ckpt_2' },
      'restored',
      'is folded by ckpt_2 and cannot be restored. Dissolve ckpt_2 first.',
    ],
  ] as const)('%o wished %s', (end, wish, message) => {
    expect(wrongState(one, end, wish)).toMatchObject({
      code: 'checkpoint_conflict',
      message: `The checkpoint ckpt_1 ${message}`,
      details: { checkpoint_id: 'ckpt_1', state: end?.state ?? 'stands', ended_by: end?.by },
    });
  });

  it('names what stands for a part of the range', () => {
    expect(alreadyCovered(one, [{ checkpoint_id: 'a' }, { checkpoint_id: 'b' }])).toMatchObject({
      message: 'Turns 3 to 9 are covered by a, b already; dissolve that first, or leave it.',
      details: { checkpoint_ids: ['a', 'b'] },
    });
  });
});
