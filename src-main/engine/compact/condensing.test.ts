import { describe, expect, it } from 'vitest';
import { assemble, commit, said } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { checkpoints, compact, openTriggered, standing, store, talk, talks } from './testing/compaction-session.ts';

/** Compacts again and again, each time with what was said since. */
async function compactTimes(fixture: EngineFixture, times: number, from = 0): Promise<void> {
  for (let round = from; round < from + times; round += 1) {
    await store(fixture, talks(12, round * 12 + 1));
    const reply = await compact(fixture, { force: true, token_budget: 100_000 });
    expect(reply.compacted).toBe(true);
    expect(reply.tokens_after).toBeLessThan(reply.tokens_before);
  }
}

describe('checkpoints that add up', () => {
  it('are folded into one of a higher level, which keeps them as its parents', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    await compactTimes(fixture, 5);
    const all = await checkpoints(fixture);
    const higher = all.filter(({ level }) => level === 1);
    expect(higher).toHaveLength(1);
    const parents = all.filter(({ ended_by: by }) => by === higher[0]?.checkpoint_id);
    expect(parents.map(({ state }) => state)).toEqual(['folded', 'folded', 'folded']);
    expect(higher[0]?.parent_checkpoint_ids.toSorted()).toEqual(parents.map((one) => one.checkpoint_id).sort());
    const ranges = parents.map((one) => one.source_turn_range);
    expect(higher[0]?.source_turn_range).toEqual({
      start_sequence: Math.min(...ranges.map((range) => range.start_sequence)),
      end_sequence: Math.max(...ranges.map((range) => range.end_sequence)),
    });
    expect(higher[0]?.source_tokens).toBe(parents.reduce((sum, one) => sum + one.source_tokens, 0));
    expect(higher[0]?.summary_tokens).toBeLessThan(parents.reduce((sum, one) => sum + one.summary_tokens, 0));
  });

  it('stay logarithmic in number, however long it goes on, and cover everything in order', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    let most = 0;
    for (let round = 0; round < 100; round += 1) {
      await store(fixture, talks(8, round * 8 + 1));
      expect((await compact(fixture, { force: true, token_budget: 100_000 })).ok).toBe(true);
      if (round % 9 !== 0) continue;
      const now = await standing(fixture);
      most = Math.max(most, now.length);
      let end = 0;
      for (const { source_turn_range: range } of now) {
        expect(range.start_sequence).toBe(end + 1);
        end = range.end_sequence;
      }
    }
    // Two kept apart, and two of each of the levels of log3(100).
    expect(most).toBeLessThanOrEqual(2 + 2 * 5);
    expect(Math.max(...(await standing(fixture)).map(({ level }) => level))).toBeGreaterThanOrEqual(3);
  }, 120_000);

  it('are given back by the one that took the place of what they were folded into', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    await compactTimes(fixture, 5);
    const higher = (await standing(fixture)).find(({ level }) => level === 1);
    const id = higher?.checkpoint_id ?? '';
    const parents = higher?.parent_checkpoint_ids ?? [];
    const rerun = await fixture.send('rerunCheckpoint', { params: { id }, body: { focus: 'loops' } });
    const successor = rerun.checkpoint.checkpoint_id;
    const preview = await fixture.send('dissolveCheckpoint', { params: { id: successor }, body: { preview: true } });
    expect(preview).toMatchObject({ raw_turns: 0 });
    expect(preview.standing_again.toSorted()).toEqual(parents.toSorted());
    await fixture.send('restoreCheckpoint', { params: { id }, body: {} });
    await fixture.send('dissolveCheckpoint', { params: { id }, body: {} });
    const now = (await standing(fixture)).map((one) => one.checkpoint_id);
    for (const parent of parents) expect(now).toContain(parent);
    await fixture.send('restoreCheckpoint', { params: { id: successor }, body: {} });
    await fixture.send('dissolveCheckpoint', { params: { id: successor }, body: {} });
    expect((await standing(fixture)).map((one) => one.checkpoint_id)).toEqual(now);
  });

  it('are not folded again once somebody dissolved the one that they were folded into', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    await compactTimes(fixture, 5);
    const higher = (await standing(fixture)).find(({ level }) => level === 1);
    await fixture.send('dissolveCheckpoint', { params: { id: higher?.checkpoint_id ?? '' }, body: {} });
    const parents = higher?.parent_checkpoint_ids ?? [];
    await compactTimes(fixture, 4, 5);
    const now = await standing(fixture);
    for (const id of parents) expect(now.map((one) => one.checkpoint_id)).toContain(id);
    expect(now.some(({ level }) => level === 1)).toBe(true);
  });

  it('are left as they are where condensing is off', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 0 } } });
    await compactTimes(fixture, 6);
    expect((await checkpoints(fixture)).map(({ level, state }) => `${level} ${state}`)).toEqual(
      Array.from({ length: 6 }, () => '0 stands'),
    );
  });

  it('of before a reset are never folded with those of after it', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    await compactTimes(fixture, 4);
    await fixture.send('sessionEnd', {
      body: { session_id: 'session-1', session_key: 'agent:main:main', reason: 'reset' },
    });
    await compactTimes(fixture, 4, 10);
    const all = await checkpoints(fixture);
    const byId = new Map(all.map((one) => [one.checkpoint_id, one]));
    for (const { epoch, parent_checkpoint_ids: parents } of all) {
      for (const parent of parents) expect(byId.get(parent)?.epoch).toBe(epoch);
    }
  });
});

describe('what stands', () => {
  it('is what the model sees, oldest first, and nothing else of what was archived', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    await compactTimes(fixture, 6);
    const call = await assemble(fixture, { messages: talks(72), token_budget: 100_000 });
    const text = said(call.messages[0]);
    const now = await standing(fixture);
    const positions = now.map((one) => text.indexOf(`/checkpoint/${one.checkpoint_id}"`));
    expect(positions.every((position) => position >= 0)).toBe(true);
    expect(positions).toEqual([...positions].sort((a, b) => a - b));
    for (const { checkpoint_id: id, state } of await checkpoints(fixture)) {
      expect(text.includes(`/checkpoint/${id}"`)).toBe(state === 'stands');
    }
  });

  it('survives export and import with what became of the others', async () => {
    const from = await openTriggered({}, { config: { compaction: { condense_count: 3 } } });
    await compactTimes(from, 5);
    const [newest] = await standing(from).then((all) => all.slice(-1));
    await from.send('dissolveCheckpoint', { params: { id: newest?.checkpoint_id ?? '' }, body: {} });
    const { items } = await from.send('sessions', {});
    const jsonl = await from.send('exportSession', { params: { id: items[0]?.session_uid ?? '' } });
    const to = await openEngineFixture();
    await to.send('importSession', { body: { jsonl: String(jsonl) } });
    const state = async (fixture: EngineFixture) =>
      (await checkpoints(fixture)).map((one) => [one.checkpoint_id, one.state, one.ended_by, one.source_turn_range]);
    expect(await state(to)).toEqual(await state(from));
    expect((await state(to)).map(([, one]) => one)).toContain('dissolved');
    // The ids of this engine are counted from 1 as well.
    for (let id = 0; id < 20; id += 1) to.clock.newId('ckpt');
    await commit(to, talk(200));
    expect(await compact(to, { force: true })).toMatchObject({ ok: true, compacted: true });
  });

  it('S49: an overflow also gets room from what somebody made raw again', async () => {
    const fixture = await openTriggered({}, { config: { compaction: { condense_count: 0 } } });
    await compactTimes(fixture, 4);
    const [first, , third] = await standing(fixture);
    for (const one of [first, third]) {
      await fixture.send('dissolveCheckpoint', { params: { id: one?.checkpoint_id ?? '' }, body: {} });
    }
    const before = await standing(fixture);
    expect(before).toHaveLength(2);
    const reply = await compact(fixture, { trigger: 'overflow', force: true, token_budget: 2_000 });
    expect(reply.compacted).toBe(true);
    const now = await standing(fixture);
    let end = 0;
    for (const { source_turn_range: range } of now) {
      expect(range.start_sequence).toBe(end + 1);
      end = range.end_sequence;
    }
    expect(reply.tokens_after).toBeLessThan(reply.tokens_before);
  });
});
