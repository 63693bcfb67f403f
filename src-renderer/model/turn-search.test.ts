import { describe, expect, it } from 'vitest';
import type { TurnPart, TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import { excerptAround, turnSays } from './turn-search.ts';

const record = (...parts: TurnPart[]) => ({ turn: { parts } }) as unknown as TurnRecord;
const text = (value: string): TurnPart => ({ type: 'text', text: value });

describe('a search in turns', () => {
  it('looks into every part, whatever the case', () => {
    const turn = record(text('See 引擎/Start.ts'), {
      type: 'tool_result',
      tool_name: 'exec',
      result: { path: 'src/Import.ts' },
    });
    expect(['引擎/start', 'SRC/import.ts'].map((what) => turnSays(turn, what))).toEqual([true, true]);
    expect(turnSays(turn, 'src/export')).toBe(false);
  });

  it('shows what stands around the first place, as one line', () => {
    const turn = record(text(`${'before '.repeat(20)}\nthe lease-7 was\nlost`));
    expect(excerptAround(turn, 'LEASE-7', 10, 12)).toBe('…fore the lease-7 was lost');
    expect(excerptAround(turn, 'nowhere')).toBeUndefined();
    expect(excerptAround(turn, '')).toBeUndefined();
  });
});
