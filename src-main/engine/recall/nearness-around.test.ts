import { expect, it } from 'vitest';
import type { IndexHit } from '../ports/memory-index.ts';
import { nearnessAround } from './nearness-around.ts';
import { RowWords } from './row-words.ts';
import type { FoundRow } from './scored-row.ts';

const weights = { vector: 0, vectorAround: 1, vectorSession: 0 };

function row(sessionUid: string, sequence: number, cosine: number | undefined): FoundRow {
  const hit: IndexHit = {
    rowId: sequence,
    uri: '',
    source: 'turn',
    level: 2,
    kind: '',
    title: '',
    status: 'active',
    pinned: false,
    sessionUid,
    epoch: 0,
    sequence,
    role: 'user',
    speaker: '',
    at: 0,
    score: 0,
  };
  return { hit, text: '', words: new RowWords().of(''), nearness: 0, cosine, vector: undefined };
}

const keysOf = (turns: readonly FoundRow[]): string[] => turns.map(({ hit }) => hit.sessionUid ?? '');

it('a turn beside near ones is lifted, one behind a gap or of another session is not', () => {
  const turns = [row('a', 1, 0.9), row('a', 2, 0.3), row('a', 9, 0.3), row('b', 10, 0.3)];
  const [, beside = 0, behind = 0, other = 0] = nearnessAround(turns, keysOf(turns), weights);
  expect(beside).toBeGreaterThan(behind);
  expect(behind).toBe(other);
});

it('turns of a session that is near as a whole are lifted, one without a vector with them', () => {
  const turns = [row('a', 1, 0.8), row('a', 3, 0.8), row('a', 5, 0.8), row('a', 7, undefined), row('b', 1, 0.2)];
  const lifted = nearnessAround(turns, keysOf(turns), { ...weights, vectorAround: 0, vectorSession: 1 });
  expect(lifted[3]).toBeGreaterThan(0);
  expect(lifted[4]).toBeLessThan(0);
});

it('without vectors nothing is added', () => {
  expect(nearnessAround([row('a', 1, undefined)], ['a'], weights)).toEqual([0]);
});
