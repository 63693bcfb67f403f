import { expect, it } from 'vitest';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { TokenCounter } from '../tokens/token-counter.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { newContent } from './output-message.ts';
import { summariesOutput } from './summaries-output.ts';
import { summaryCandidates } from './summary-candidates.ts';

/** A count of characters, and of how often somebody asked. */
function counting(perCharacter = 1) {
  const asked: string[] = [];
  const count = (texts: readonly string[]) => {
    asked.push(...texts);
    return Promise.resolve(texts.map((text) => text.length * perCharacter));
  };
  return { asked, counter: new TokenCounter({ name: 'characters', count, close: () => Promise.resolve() }) };
}

function checkpoint(id: string, overview: string): CompactCheckpoint {
  const source_turn_range = { start_sequence: 1, end_sequence: 9 };
  const committed_at = '2026-11-30T00:00:00.000Z';
  // Only these fields are read here.
  return { checkpoint_id: id, overview, abstract: 'short', source_turn_range, committed_at } as CompactCheckpoint;
}

function session(uid: string): SessionRow {
  // Only these fields are read here.
  return { uid, userId: 'local' } as SessionRow;
}

it('makes a checkpoint a candidate once for all calls of its session', async () => {
  const { counter, asked } = counting();
  const one = checkpoint('ckpt_1', 'what happened');
  const [first] = await summaryCandidates([one], session('sess_1'), counter);
  const before = asked.length;
  const [second] = await summaryCandidates([one], session('sess_1'), counter);
  expect(second).toBe(first);
  expect(asked.length).toBe(before);
});

it('makes another candidate of it for another session and for another tokenizer', async () => {
  const one = checkpoint('ckpt_1', 'what happened');
  const [first] = await summaryCandidates([one], session('sess_1'), counting().counter);
  const [elsewhere] = await summaryCandidates([one], session('sess_2'), counting().counter);
  const [counted] = await summaryCandidates([one], session('sess_1'), counting(2).counter);
  expect(elsewhere?.uri).not.toBe(first?.uri);
  expect(counted?.tokens).toBe(2 * (first?.tokens ?? 0));
});

it('writes the message of the same summaries once, and what is stored of it', () => {
  const [older, newer] = [checkpoint('a', 'first'), checkpoint('b', 'then')];
  const chosen = () => [
    { checkpoint: older, uri: 'uri:a', text: older.abstract },
    { checkpoint: newer, uri: 'uri:b', text: newer.overview },
  ];
  const [first] = summariesOutput(chosen(), 'openclaw');
  const [second] = summariesOutput(chosen(), 'openclaw');
  expect(second).toBe(first);
  expect(first && newContent(first)[0]).toBe(second && newContent(second)[0]);
});

it('writes it anew for another form of an older summary, without it, for other bytes and for another format', () => {
  const [older, newer] = [checkpoint('a', 'first'), checkpoint('b', 'then')];
  const last = { checkpoint: newer, uri: 'uri:b', text: newer.overview };
  const body = (...args: Parameters<typeof summariesOutput>) => summariesOutput(...args)[0]?.body;
  const bodies = [
    body([{ checkpoint: older, uri: 'uri:a', text: older.overview }, last], 'openclaw'),
    body([{ checkpoint: older, uri: 'uri:a', text: older.abstract }, last], 'openclaw'),
    body([last], 'openclaw'),
    body([last], 'openai'),
    body([{ ...last, uri: 'uri:c' }], 'openai'),
  ];
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(body([last], 'openai')).toBe(bodies[3]);
});

it('writes nothing where no summary is sent', () => {
  expect(summariesOutput([], 'openclaw')).toEqual([]);
});
