import { describe, expect, it } from 'vitest';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { assemble } from '../assemble/testing/assemble-session.ts';
import type { EngineFixture } from '../testing/engine-fixture.ts';
import { mainSession } from '../testing/messages.ts';
import {
  checkpoints,
  compact,
  converse,
  idle,
  openTriggered,
  standing,
  store,
  summary,
  talks,
} from './testing/compaction-session.ts';

type Change = 'dissolveCheckpoint' | 'restoreCheckpoint';

/** What a change says beforehand and what it says when it happens are the same, and a preview changes nothing. */
async function change(fixture: EngineFixture, name: Change, id: string) {
  const before = await checkpoints(fixture);
  const preview = await fixture.send(name, { params: { id }, body: { preview: true } });
  expect(preview.changed).toBe(false);
  expect(await checkpoints(fixture)).toEqual(before);
  const done = await fixture.send(name, { params: { id }, body: {} });
  expect(done).toEqual({ ...preview, changed: true });
  return done;
}

/** By our own counter: what a change would start from, or where nothing stands a compaction. */
async function contextTokens(fixture: EngineFixture): Promise<number> {
  const [one] = await standing(fixture);
  if (!one) return (await compact(fixture, { trigger: 'host', token_budget: 1_000_000 })).tokens_before;
  const preview = await fixture.send('dissolveCheckpoint', { params: { id: idOf(one) }, body: { preview: true } });
  return preview.tokens_before;
}

async function compacted(times = 1, condense_count = 0): Promise<EngineFixture> {
  const fixture = await openTriggered({}, { config: { compaction: { condense_count } } });
  for (let round = 0; round < times; round += 1) {
    await store(fixture, talks(12, round * 12 + 1));
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
  }
  return fixture;
}

function idOf(checkpoint: CheckpointRecord | undefined): string {
  return checkpoint?.checkpoint_id ?? '';
}

describe('a dissolved checkpoint', () => {
  it('gives its turns back, as its preview says, and is still there to be read', async () => {
    const fixture = await compacted();
    const [made] = await checkpoints(fixture);
    const before = await contextTokens(fixture);
    const reply = await change(fixture, 'dissolveCheckpoint', idOf(made));
    expect(reply).toMatchObject({
      tokens_before: before,
      raw_turns: made?.source_turn_range.end_sequence,
      standing_no_longer: [idOf(made)],
      standing_again: [],
    });
    expect(await contextTokens(fixture)).toBe(reply.tokens_after);
    const call = await assemble(fixture, { messages: talks(12) });
    expect(call.messages).toEqual(talks(12));
    expect(await checkpoints(fixture)).toMatchObject([{ state: 'dissolved', overview: made?.overview }]);
  });

  it('stands again when it is restored, with the very same figures', async () => {
    const fixture = await compacted();
    const [made] = await checkpoints(fixture);
    const dissolved = await change(fixture, 'dissolveCheckpoint', idOf(made));
    const restored = await change(fixture, 'restoreCheckpoint', idOf(made));
    expect([restored.tokens_before, restored.tokens_after]).toEqual([dissolved.tokens_after, dissolved.tokens_before]);
    expect(await standing(fixture)).toEqual([made]);
    expect(await contextTokens(fixture)).toBe(restored.tokens_after);
  });

  it('of a higher level lets what it was made of stand again, and takes it back when restored', async () => {
    const fixture = await compacted(5, 3);
    const higher = (await standing(fixture)).find(({ level }) => level === 1);
    const dissolved = await change(fixture, 'dissolveCheckpoint', idOf(higher));
    expect(dissolved.raw_turns).toBe(0);
    expect(dissolved.standing_again.toSorted()).toEqual(higher?.parent_checkpoint_ids.toSorted());
    expect(await contextTokens(fixture)).toBe(dissolved.tokens_after);
    const restored = await change(fixture, 'restoreCheckpoint', idOf(higher));
    expect(restored.standing_no_longer.toSorted()).toEqual(higher?.parent_checkpoint_ids.toSorted());
    expect(await contextTokens(fixture)).toBe(restored.tokens_after);
  });

  it('in the middle leaves its turns raw between two summaries', async () => {
    const fixture = await compacted(3);
    const [, middle] = await standing(fixture);
    const reply = await change(fixture, 'dissolveCheckpoint', idOf(middle));
    expect(await contextTokens(fixture)).toBe(reply.tokens_after);
    const call = await assemble(fixture, { messages: talks(36), token_budget: 100_000 });
    const { start_sequence: start, end_sequence: end } = middle?.source_turn_range ?? {
      start_sequence: 0,
      end_sequence: 0,
    };
    for (const message of talks(36).slice(start - 1, end)) expect(call.messages).toContainEqual(message);
  });

  it('is archived anew by the next compaction when it was the newest', async () => {
    const fixture = await compacted(2);
    const newest = (await standing(fixture)).at(-1);
    await change(fixture, 'dissolveCheckpoint', idOf(newest));
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
    const [, again] = await standing(fixture);
    expect(again?.source_turn_range).toEqual(newest?.source_turn_range);
    expect(again?.checkpoint_id).not.toBe(idOf(newest));
  });

  it('is not archived again by the very next turn', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    await change(fixture, 'dissolveCheckpoint', idOf((await standing(fixture))[0]));
    await converse(fixture, 21, 25);
    await idle(fixture);
    expect(await standing(fixture)).toEqual([]);
  });
});

describe('what cannot be', () => {
  const attempt = (fixture: EngineFixture, name: Change, id: string, preview: boolean) =>
    fixture.send(name, { params: { id }, body: { preview } });

  it.each([true, false])('is refused alike, as a preview or not (%s)', async (preview) => {
    const fixture = await compacted(5, 3);
    const folded = (await checkpoints(fixture)).find(({ state }) => state === 'folded');
    const [stands] = await standing(fixture);
    const conflict = { code: 'checkpoint_conflict' };
    await expect(attempt(fixture, 'dissolveCheckpoint', idOf(folded), preview)).rejects.toMatchObject(conflict);
    await expect(attempt(fixture, 'restoreCheckpoint', idOf(folded), preview)).rejects.toMatchObject(conflict);
    await expect(attempt(fixture, 'restoreCheckpoint', idOf(stands), preview)).rejects.toMatchObject(conflict);
    await expect(attempt(fixture, 'dissolveCheckpoint', 'ckpt_none', preview)).rejects.toMatchObject({
      code: 'unknown_checkpoint',
    });
  });

  it.each([true, false])(
    'a restore into a range that another one stands for meanwhile (preview %s)',
    async (preview) => {
      const fixture = await compacted();
      const [first] = await checkpoints(fixture);
      await attempt(fixture, 'dissolveCheckpoint', idOf(first), false);
      await store(fixture, talks(12, 13));
      expect((await compact(fixture, { force: true })).compacted).toBe(true);
      const before = await checkpoints(fixture);
      await expect(attempt(fixture, 'restoreCheckpoint', idOf(first), preview)).rejects.toMatchObject({
        code: 'checkpoint_conflict',
      });
      expect(await checkpoints(fixture)).toEqual(before);
    },
  );
});

describe('a checkpoint of before a reset', () => {
  it('can be dissolved and restored without touching the present context', async () => {
    const fixture = await compacted();
    const [old] = await checkpoints(fixture);
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    await store(fixture, talks(5, 50));
    const before = await contextTokens(fixture);
    const dissolved = await change(fixture, 'dissolveCheckpoint', idOf(old));
    expect([dissolved.tokens_before, dissolved.tokens_after]).toEqual([before, before]);
    await change(fixture, 'restoreCheckpoint', idOf(old));
    expect(await contextTokens(fixture)).toBe(before);
    expect((await compact(fixture, { force: true, token_budget: 200 })).ok).toBe(true);
  });
});

describe('a checkpoint that is run again', () => {
  const rerun = (fixture: EngineFixture, id: string, body: object) =>
    fixture.send('rerunCheckpoint', { params: { id }, body });

  it('takes the place of the earlier one, which can be restored', async () => {
    const fixture = await compacted();
    const [first] = await checkpoints(fixture);
    const wanted = { identifier_policy: 'none', focus: 'part 3', summariser: 'extractive' };
    const preview = await rerun(fixture, idOf(first), { ...wanted, preview: true });
    expect(preview.changed).toBe(false);
    expect(await standing(fixture)).toEqual([first]);
    const { changed, checkpoint } = await rerun(fixture, idOf(first), wanted);
    expect(changed).toBe(true);
    // Ids and their lengths aside it is what the preview showed.
    expect(checkpoint.overview).toBe(preview.checkpoint.overview);
    expect(checkpoint).toMatchObject({
      identifier_policy: 'none',
      focus: 'part 3',
      trigger: 'manual',
      state: 'stands',
    });
    expect(checkpoint.source_turn_range).toEqual(first?.source_turn_range);
    expect(checkpoint.tokens_after).toBe(await contextTokens(fixture));
    expect((await checkpoints(fixture)).map(({ state, ended_by: by }) => [state, by])).toEqual([
      ['stands', undefined],
      ['replaced', checkpoint.checkpoint_id],
    ]);
    const restored = await change(fixture, 'restoreCheckpoint', idOf(first));
    expect(restored).toMatchObject({ raw_turns: 0, standing_no_longer: [checkpoint.checkpoint_id] });
    expect(await contextTokens(fixture)).toBe(restored.tokens_after);
  });

  it('of a higher level is made of the same checkpoints again', async () => {
    const fixture = await compacted(5, 3);
    const higher = (await standing(fixture)).find(({ level }) => level === 1);
    const { checkpoint } = await rerun(fixture, idOf(higher), { identifier_policy: 'relaxed' });
    expect(checkpoint).toMatchObject({ level: 1, parent_checkpoint_ids: higher?.parent_checkpoint_ids });
    expect((await standing(fixture)).map(idOf)).toContain(checkpoint.checkpoint_id);
    expect(await contextTokens(fixture)).toBe(checkpoint.tokens_after);
    const dissolved = await change(fixture, 'dissolveCheckpoint', checkpoint.checkpoint_id);
    expect(await contextTokens(fixture)).toBe(dissolved.tokens_after);
  });

  it('stays in its epoch when that is over', async () => {
    const fixture = await compacted();
    const [old] = await checkpoints(fixture);
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    await store(fixture, talks(5, 50));
    const before = await contextTokens(fixture);
    const { checkpoint } = await rerun(fixture, idOf(old), { identifier_policy: 'none' });
    expect(checkpoint).toMatchObject({ epoch: 0, source_turn_range: old?.source_turn_range });
    expect((await compact(fixture, { trigger: 'host', token_budget: 1_000_000 })).tokens_before).toBe(before);
    expect((await assemble(fixture, { messages: talks(5, 50) })).messages).toEqual(talks(5, 50));
  });

  it('does not count as a compaction of what came since', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    await converse(fixture, 21, 39);
    await idle(fixture);
    const [first] = await standing(fixture);
    await rerun(fixture, idOf(first), { identifier_policy: 'none' });
    await converse(fixture, 40, 40);
    await idle(fixture);
    expect(await standing(fixture)).toHaveLength(2);
  });

  it('needs the summariser it names', async () => {
    const fixture = await compacted();
    const [first] = await checkpoints(fixture);
    await expect(rerun(fixture, idOf(first), { summariser: 'openai-compatible' })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(await standing(fixture)).toEqual([first]);
    expect((await summary(fixture)).state).toBe('idle');
  });
});
