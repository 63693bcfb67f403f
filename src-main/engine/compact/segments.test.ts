import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TurnMeta } from '../ports/session-store.ts';
import { findCuts } from './find-cuts.ts';
import { segmentsOf as segmentsAt } from './segments.ts';

function turn(sequence: number, part: Partial<TurnMeta> = {}): TurnMeta {
  // What a cut goes by; the rest plays no part here.
  return { sequence, role: 'assistant', tokens: 10, toolCallIds: [], excluded: false, ...part } as TurnMeta;
}

const user = (sequence: number): TurnMeta => turn(sequence, { role: 'user' });
const call = (sequence: number, id: string): TurnMeta => turn(sequence, { toolCallIds: [id] });
const result = (sequence: number, id: string): TurnMeta => turn(sequence, { role: 'tool', toolResultFor: id });

function row(count: number, make: (sequence: number) => TurnMeta): TurnMeta[] {
  return Array.from({ length: count }, (_, index) => make(index + 1));
}

const segmentsOf = async (turns: readonly TurnMeta[], tokens: number) =>
  segmentsAt(turns, await findCuts(turns), tokens);

describe('segments', () => {
  it('are one where everything fits', async () => {
    const turns = row(50, turn);
    expect(await segmentsOf(turns, 500)).toEqual([turns]);
  });

  it('are of about the same size, with none much larger than asked for', async () => {
    const sizes = (await segmentsOf(row(105, turn), 500)).map((one) => one.length);
    expect(sizes).toEqual([35, 35, 35]);
  });

  it('begin with what the user said where that is near', async () => {
    const turns = row(100, (sequence) => (sequence % 7 === 1 ? user(sequence) : turn(sequence)));
    const segments = await segmentsOf(turns, 340);
    expect(segments.length).toBe(3);
    for (const segment of segments) expect(segment[0]?.role).toBe('user');
  });

  it('hold 2,000 turns at most, however small these are', async () => {
    const segments = await segmentsOf(
      row(9_000, (sequence) => turn(sequence, { tokens: 1 })),
      60_000,
    );
    expect(Math.max(...segments.map((one) => one.length))).toBeLessThanOrEqual(2_000);
  });

  it('come to an end where turns take no tokens', async () => {
    const turns = row(5, (sequence) => turn(sequence, { tokens: 0 }));
    expect((await segmentsOf(turns, 500)).flat()).toEqual(turns);
  });

  it('part no call from its result, not even where the two stand further apart than a cut is looked for', async () => {
    const turns = [
      ...row(10, turn),
      call(11, 'a'),
      ...row(900, (n) => turn(n + 11)),
      result(912, 'a'),
      ...row(20, (n) => turn(n + 912)),
    ];
    const segments = await segmentsOf(turns, 2_000);
    const { anywhere } = await findCuts(turns);
    for (const segment of segments) expect(anywhere[(segment[0]?.sequence ?? 0) - 1]).toBe(true);
    expect(segments.flat()).toEqual(turns);
  });

  it('whatever the turns are: together they are the range, none is empty, and no pair is parted', async () => {
    const kind = fc.constantFrom('user', 'plain', 'pair', 'wide') satisfies fc.Arbitrary<string>;
    const given = fc.array(fc.record({ kind, tokens: fc.integer({ min: 0, max: 400 }) }), {
      minLength: 1,
      maxLength: 60,
    });
    await fc.assert(
      fc.asyncProperty(given, fc.integer({ min: 1, max: 2_000 }), async (steps, size) => {
        const turns: TurnMeta[] = [];
        for (const { kind: one, tokens } of steps) {
          const next = turns.length + 1;
          if (one === 'user') turns.push({ ...user(next), tokens });
          else if (one === 'plain') turns.push(turn(next, { tokens }));
          else {
            const between = one === 'wide' ? row(5, (n) => ({ ...user(next + n), tokens })) : [];
            turns.push(
              { ...call(next, `c${next}`), tokens },
              ...between,
              result(next + between.length + 1, `c${next}`),
            );
          }
        }
        const segments = await segmentsOf(turns, size);
        const { anywhere } = await findCuts(turns);
        expect(segments.flat()).toEqual(turns);
        for (const segment of segments) {
          expect(segment.length).toBeGreaterThan(0);
          expect(anywhere[(segment[0]?.sequence ?? 0) - 1]).toBe(true);
        }
      }),
      { numRuns: 300 },
    );
  });
});
