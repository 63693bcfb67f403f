import { expect, it, describe } from 'vitest';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { sampleCheckpoint } from '../../store/testing/samples.ts';
import type { CheckpointEnd, StoredCheckpoint } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { exchange } from '../testing/messages.ts';
import { exportedCheckpoints } from './exported-checkpoints.ts';

type Made = Omit<StoredCheckpoint, 'end'> & { readonly end?: Partial<CheckpointEnd> };

const range = (start: number, end: number) => ({ source_turn_range: { start_sequence: start, end_sequence: end } });

function made(number: number, over: Partial<CompactCheckpoint> = {}, end?: Partial<CheckpointEnd>): Made {
  const checkpoint = sampleCheckpoint(number, { overview: `Summary ${number}.`, ...over });
  return { checkpoint, ...(end === undefined ? {} : { end: { at: 1_000, ...end } }) };
}

/** Turns 1 to 8 in epoch 0 and 9 to 12 in epoch 1. */
async function turnLines(userId = 'default'): Promise<string[]> {
  const original = await openEngineFixture({ config: { user_id: userId } });
  const log = logSteps(original);
  for (const number of [1, 2, 3, 4]) await log.ingest(exchange(number));
  await log.end('reset');
  for (const number of [5, 6]) await log.ingest(exchange(number));
  const jsonl = await original.send('exportSession', { params: { id: 'session-1' } });
  return String(jsonl).trimEnd().split('\n');
}

async function transcript(checkpoints: readonly Made[]): Promise<string> {
  return withCheckpoints(await turnLines(), checkpoints);
}

function withCheckpoints(lines: readonly string[], checkpoints: readonly Made[]): string {
  const more = checkpoints.map((one) => JSON.stringify({ type: 'checkpoint', ...one }));
  return [...lines, ...more].join('\n');
}

const take = (fixture: EngineFixture, jsonl: string) => fixture.send('importSession', { body: { jsonl } });
const dissolve = (fixture: EngineFixture, id: string, preview = false) =>
  fixture.send('dissolveCheckpoint', { params: { id }, body: { preview } });

async function standing({ store }: EngineFixture, sessionId = 'session-1', epoch = 0): Promise<string[]> {
  const [session] = await store.lookUpSessions(sessionId);
  const all = await store.standingCheckpoints(session?.uid ?? '', epoch);
  return all.map((one) => one.checkpoint_id);
}

const parents = { level: 1, parent_checkpoint_ids: ['ckpt_1', 'ckpt_2'], ...range(1, 4) };
const by3 = { state: 'folded', by: 'ckpt_3' } as const;
const folded = [made(3, parents), made(2, {}, by3), made(1, {}, by3)];

/** First line of the checkpoints: a header and twelve turns before. */
const first = 14;

describe('checkpoints of a transcript', () => {
  it('are taken in when they can have come about, and taken back as they were made', async () => {
    const fixture = await openEngineFixture();
    await take(fixture, await transcript(folded));
    expect(await standing(fixture)).toEqual(['ckpt_3']);
    const preview = await dissolve(fixture, 'ckpt_3', true);
    expect(await dissolve(fixture, 'ckpt_3')).toEqual({ ...preview, changed: true });
    expect(preview).toMatchObject({ raw_turns: 0, standing_again: ['ckpt_1', 'ckpt_2'] });
    expect(await standing(fixture)).toEqual(['ckpt_2', 'ckpt_1']);
  });

  it('of version 1 are taken in without the fields that were added since', async () => {
    const [header = '', ...lines] = await turnLines();
    const { attempts: _, level: _l, identifiers_repaired: _r, uncovered_sequences: _u, ...old } = made(1).checkpoint;
    const line = JSON.stringify({ type: 'checkpoint', checkpoint: old });
    const fixture = await openEngineFixture();
    await take(fixture, [header.replace('"version":2', '"version":1'), ...lines, line].join('\n'));
    expect(await standing(fixture)).toEqual(['ckpt_1']);
  });

  it.each<[string, number, Made[]]>([
    ['of another epoch than its turns', first, [made(1, { epoch: 1 })]],
    ['over the end of an epoch', first, [made(1, range(7, 10))]],
    ['beyond the last turn', first, [made(1, range(1, 13))]],
    ['without turns', first, [made(1, range(4, 3))]],
    ['before the first turn', first, [made(1, range(0, 2))]],
    ['that has seen turns after its epoch', first, [made(1, { as_of: { sequence: 9, epoch_tokens: 10 } })]],
    ['that has seen more tokens than there are', first, [made(1, { as_of: { sequence: 8, epoch_tokens: 1e15 } })]],
    ['made at no time', first, [made(1, { committed_at: 'yesterday' })]],
    ['ended at a time that no date has', first, [made(1, {}, { state: 'dissolved', at: 9e15 })]],
    ['with a model name of a million characters', first, [made(1, { model: 'm'.repeat(1_000_000) })]],
    ['with an overview of ten million characters', first, [made(1, { overview: 'o'.repeat(10_000_000) })]],
    ['of less than no tokens', first, [made(1, { input_tokens: -5 })]],
    ['of parts of tokens', first, [made(1, { output_tokens: 1.5 })]],
    ['of more tokens than can be counted', first, [made(1, { source_tokens: 1e300 })]],
    ['of a higher level made of nothing', first, [made(1, { level: 1 })]],
    ['of level 0 made of another', first, [made(3, { ...parents, level: 0 }), made(2), made(1)]],
    ['of level 2 made of level 0', first, [made(3, { ...parents, level: 2 }), ...folded.slice(1)]],
    ['made of what is not there', first, [made(3, parents), made(2, {}, by3)]],
    ['made of itself', first, [made(3, { level: 1, parent_checkpoint_ids: ['ckpt_3'] })]],
    [
      'made of one twice',
      first,
      [made(3, { ...parents, parent_checkpoint_ids: ['ckpt_1', 'ckpt_1'] }), made(1, {}, by3)],
    ],
    ['made of what lies outside its turns', first, [made(3, { ...parents, ...range(1, 3) }), ...folded.slice(1)]],
    ['made of two that overlap', first, [made(3, parents), made(2, range(2, 4), by3), made(1, {}, by3)]],
    ['twice', first + 1, [made(1), made(1)]],
    ['folded into one that is not made of it', first + 1, [made(3, range(1, 4)), made(2, {}, by3)]],
    ['folded into one of another epoch', first + 1, [made(3, { ...range(9, 10), epoch: 1 }), made(2, {}, by3)]],
    ['replaced by one of other turns', first + 1, [made(3), made(2, {}, { state: 'replaced', by: 'ckpt_3' })]],
    ['dissolved by another', first + 1, [made(3), made(2, {}, { state: 'dissolved', by: 'ckpt_3' })]],
    ['folded into one that is nowhere', first, [made(2, {}, by3)]],
    ['over one that stands', first + 1, [made(2), made(1, range(1, 3))]],
    [
      'replaced in a circle',
      first,
      [
        made(2, range(1, 2), { state: 'replaced', by: 'ckpt_1' }),
        made(1, range(1, 2), { state: 'replaced', by: 'ckpt_2' }),
      ],
    ],
  ])('%s are refused by line, and nothing changes', async (_, line, checkpoints) => {
    const fixture = await openEngineFixture();
    const refusal = { code: 'import_invalid', details: { line } };
    await expect(take(fixture, await transcript(checkpoints))).rejects.toMatchObject(refusal);
    expect((await fixture.send('sessions', {})).items).toEqual([]);
  });

  it('cannot be made to wait for the checkpoint of somebody else', async () => {
    const fixture = await openEngineFixture();
    await fixture.store.openSession({ userId: 'victim', agentId: 'a', sessionKey: '', sessionId: 'v' }, 1, 'sess_v');
    await fixture.store.addCheckpoint(sampleCheckpoint(9, range(1, 2)), 'sess_v');
    const planted = await transcript([made(1), made(2, range(1, 2), { state: 'replaced', by: 'ckpt_9' })]);
    await expect(take(fixture, planted)).rejects.toMatchObject({
      code: 'import_invalid',
      details: { line: first + 1 },
    });
    // With the victim's id in the transcript as well.
    const copy = made(9, { level: 1, parent_checkpoint_ids: ['ckpt_1'], ...range(1, 2) });
    await take(fixture, await transcript([copy, made(1, {}, { state: 'folded', by: 'ckpt_9' })]));
    await dissolve(fixture, 'ckpt_9');
    expect(await standing(fixture)).toEqual([]);
  });

  it('are never made of what another session has: run again they would tell it', async () => {
    const fixture = await openEngineFixture();
    await fixture.store.openSession({ userId: 'victim', agentId: 'a', sessionKey: '', sessionId: 'v' }, 1, 'sess_v');
    await fixture.store.addCheckpoint(sampleCheckpoint(1, { overview: 'A secret.' }), 'sess_v');
    await take(fixture, await transcript(folded));
    expect(await fixture.store.findCheckpoint('ckpt_3')).toBeUndefined();
    expect(await standing(fixture)).toEqual([]);
  });

  it('that others stand for here are refused before any turn is written', async () => {
    const lines = await turnLines();
    const fixture = await openEngineFixture();
    const header = lines[0]?.replace('"epoch":1', '"epoch":0') ?? '';
    await take(fixture, withCheckpoints([header, ...lines.slice(1, 5)], [made(1, range(1, 3))]));
    const before = await logSteps(fixture).records();
    expect(before).toHaveLength(4);
    await expect(take(fixture, withCheckpoints(lines, [made(2)]))).rejects.toMatchObject({
      code: 'checkpoint_conflict',
      details: { checkpoint_ids: ['ckpt_1'] },
    });
    expect(await logSteps(fixture).records()).toEqual(before);
  });

  it('may be ended by one that is stored here already', async () => {
    const lines = await turnLines();
    const fixture = await openEngineFixture();
    await take(fixture, withCheckpoints(lines, [made(3, range(1, 2))]));
    await take(fixture, withCheckpoints(lines, [made(1, {}, { state: 'replaced', by: 'ckpt_3' })]));
    expect((await fixture.store.findCheckpoint('ckpt_1'))?.end?.by).toBe('ckpt_3');
  });
});

describe('what is exported', () => {
  it('can be taken in again whatever numbers and names an earlier version stored', async () => {
    const fixture = await openEngineFixture();
    await logSteps(fixture).commit('a', exchange(1));
    const bad = { input_tokens: -5, output_tokens: 1.5, model: 'm'.repeat(1_000_000) };
    await fixture.store.addCheckpoint(made(1, bad).checkpoint, 'sess_1');
    const jsonl = await fixture.send('exportSession', { params: { id: 'session-1' } });
    const copy = await openEngineFixture();
    await take(copy, jsonl);
    expect(await copy.send('exportSession', { params: { id: 'session-1' } })).toBe(jsonl);
    const { items } = await copy.send('sessionCheckpoints', { params: { id: 'session-1' } });
    expect(items.map((one) => [one.model?.length, one.input_tokens])).toEqual([[500, undefined]]);
  });

  const session = { lastSequence: 4 };
  const stored = ({ checkpoint, end }: Made): StoredCheckpoint => ({
    checkpoint,
    end: end && { at: 0, state: 'folded', by: undefined, ...end },
  });
  const ends = (all: readonly Made[]) =>
    exportedCheckpoints(all.map(stored), session).map(({ checkpoint, end }) => [checkpoint.checkpoint_id, end?.by]);

  it('is as it was before what was made since: what is folded since stands', () => {
    const since = { level: 1, parent_checkpoint_ids: ['ckpt_2', 'ckpt_4'], ...range(3, 8) };
    const by5 = { state: 'folded', by: 'ckpt_5' } as const;
    const all = [made(5, since), made(4, {}, by5), made(2, {}, by5), made(1)];
    expect(exportedCheckpoints(all.map(stored), session)).toEqual([made(2), made(1)].map(stored));
  });

  it('leaves out what saw later turns, and what is made of that', () => {
    const later = made(2, { as_of: { sequence: 6, epoch_tokens: 1 } }, by3);
    expect(ends([made(3, parents), later, made(1, {}, by3)])).toEqual([['ckpt_1', undefined]]);
  });

  it('names no successor that an earlier version took in wrongly', () => {
    expect(ends([made(3, range(1, 4)), made(1, {}, by3), made(2, {}, { state: 'folded', by: 'elsewhere' })])).toEqual([
      ['ckpt_3', undefined],
      ['ckpt_1', undefined],
      ['ckpt_2', undefined],
    ]);
  });
});
