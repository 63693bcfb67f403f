import { describe, expect, it } from 'vitest';
import { commit } from '../assemble/testing/assemble-session.ts';
import { wrapped } from '../assemble/testing/wrapped-store.ts';
import { mainSession, userMessage } from '../testing/messages.ts';
import {
  checkpoints,
  compact,
  compactJobs,
  converse,
  idle,
  openTriggered,
  standing,
  store,
  summary,
  talk,
  talks,
} from './testing/compaction-session.ts';

const minute = 60_000;

describe('a compaction in the background', () => {
  it('comes after the turn that fills its share of the budget, and not before', async () => {
    const fixture = await openTriggered(
      { budget_share: 0.75 },
      { config: { assemble: { default_token_budget: 4_000 } } },
    );
    await converse(fixture, 1, 40);
    await idle(fixture);
    const { epoch_tokens: tokens } = await summary(fixture);
    expect(tokens).toBeLessThan(3_000);
    expect(await checkpoints(fixture)).toEqual([]);
    await commit(fixture, [userMessage('word '.repeat(3_000 - tokens), 900)]);
    await idle(fixture);
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({ trigger: 'budget', state: 'stands', summariser: 'extractive' });
    expect(await compactJobs(fixture)).toMatchObject([
      { state: 'succeeded', session_uid: (await summary(fixture)).session_uid },
    ]);
  });

  it('S66: comes at the share that the host names with its turn, in the place of the configured one', async () => {
    const fixture = await openTriggered(
      { budget_share: 0.75 },
      { config: { assemble: { default_token_budget: 8_000 } } },
    );
    await converse(fixture, 1, 20);
    const { epoch_tokens: tokens } = await summary(fixture);
    const words = (count: number, at: number) => [userMessage('word '.repeat(count), at)];
    await commit(fixture, words(4_000 - tokens, 900), { compact_threshold: 0.9 });
    await commit(fixture, words(2_400, 901), { compact_threshold: 0.9 });
    await idle(fixture);
    expect(await checkpoints(fixture)).toEqual([]);
    await commit(fixture, words(10, 902));
    await idle(fixture);
    expect(await checkpoints(fixture)).toMatchObject([{ trigger: 'budget' }]);
  });

  it('S66: does not come because of the budget where the host names 0', async () => {
    const fixture = await openTriggered(
      { budget_share: 0.5 },
      { config: { assemble: { default_token_budget: 2_000 } } },
    );
    for (let n = 1; n <= 20; n += 1) await commit(fixture, talk(n), { compact_threshold: 0 });
    await commit(fixture, [userMessage('word '.repeat(1_500), 900)], { compact_threshold: 0 });
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
  });

  it('goes by the budget of the newest call once there is one', async () => {
    const fixture = await openTriggered({ budget_share: 0.75 });
    await converse(fixture, 1, 30);
    await idle(fixture);
    expect(await checkpoints(fixture)).toEqual([]);
    await commit(fixture, talk(31), { token_budget: 2_000 });
    await idle(fixture);
    // In pieces that a model with such a window can read.
    expect(await checkpoints(fixture)).toMatchObject([{ trigger: 'budget' }, { trigger: 'budget' }]);
    expect(await compactJobs(fixture)).toHaveLength(1);
  });

  it('shrinks the context also where the trigger lies below the target', async () => {
    const fixture = await openTriggered(
      { budget_share: 0.1 },
      { config: { assemble: { default_token_budget: 20_000 } } },
    );
    await converse(fixture, 1, 40);
    await idle(fixture);
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint?.trigger).toBe('budget');
    expect(checkpoint?.tokens_after).toBeLessThan(0.7 * (checkpoint?.tokens_before ?? 0));
  });

  it('is not tried while there are only the newest turns, which stay raw', async () => {
    const fixture = await openTriggered({ turns: 2 });
    await converse(fixture, 1, 5);
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
    await converse(fixture, 6, 6);
    await idle(fixture);
    expect(await compactJobs(fixture)).toHaveLength(1);
  });

  it('comes also after the clock was set back', async () => {
    const fixture = await openTriggered({ turns: 4 }, { config: { compaction: { summariser: 'host' } } });
    fixture.clock.advance(30 * 24 * 60 * minute);
    await converse(fixture, 1, 7);
    const { session_uid: uid } = await summary(fixture);
    await fixture.send('maintain', { body: { ...mainSession, can_complete: true } });
    await idle(fixture);
    await converse(fixture, 8, 20);
    await idle(fixture);
    fixture.clock.set(fixture.clock.now() - 30 * 24 * 60 * minute);
    for (let number = 21; number <= 60; number += 1) {
      await commit(fixture, talk(number));
      fixture.clock.advance(minute);
      fixture.engine.jobs.wake();
      await idle(fixture);
    }
    const jobs = await compactJobs(fixture);
    expect(jobs.filter(({ state }) => state === 'queued').length).toBeLessThanOrEqual(1);
    expect((await standing(fixture)).at(-1)?.source_turn_range.end_sequence).toBeGreaterThan(60);
    expect((await summary(fixture)).session_uid).toBe(uid);
  });

  it('comes also where few turns are large', async () => {
    const fixture = await openTriggered(
      { budget_share: 0.75 },
      { config: { assemble: { default_token_budget: 8_000 } } },
    );
    for (let number = 1; number <= 11; number += 1) {
      await commit(fixture, [userMessage(`part ${number}: ${'some more words of it '.repeat(200)}`, number * 10)]);
      await idle(fixture);
    }
    expect(await checkpoints(fixture)).toMatchObject([{ trigger: 'budget' }]);
  });

  it('is not asked for by turns that somebody made raw again, since it would not touch them', async () => {
    const fixture = await openTriggered({ budget_share: 0.75 });
    await converse(fixture, 1, 60);
    await compact(fixture, { force: true, token_budget: 100_000 });
    await converse(fixture, 61, 90);
    await compact(fixture, { force: true, token_budget: 100_000 });
    const [oldest] = await standing(fixture);
    await fixture.send('dissolveCheckpoint', { params: { id: oldest?.checkpoint_id ?? '' }, body: {} });
    for (let number = 91; number <= 94; number += 1) {
      await commit(fixture, talk(number), { token_budget: 5_000 });
      await idle(fixture);
    }
    expect(await compactJobs(fixture)).toEqual([]);
  });

  it('counts from the compaction that saw most, not from one that was run again later', async () => {
    const fixture = await openTriggered({ turns: 12 });
    await converse(fixture, 1, 12);
    await idle(fixture);
    await converse(fixture, 13, 24);
    await idle(fixture);
    const [first] = await standing(fixture);
    await fixture.send('rerunCheckpoint', { params: { id: first?.checkpoint_id ?? '' }, body: {} });
    const before = (await compactJobs(fixture)).length;
    await converse(fixture, 25, 28);
    await idle(fixture);
    expect(await compactJobs(fixture)).toHaveLength(before);
  });

  it('comes after so many tokens since the last one', async () => {
    const fixture = await openTriggered({ tokens_added: 1_500 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    expect(await checkpoints(fixture)).toEqual([]);
    await converse(fixture, 21, 30);
    await idle(fixture);
    const [first] = await checkpoints(fixture);
    expect(first?.trigger).toBe('tokens_added');
    await converse(fixture, 31, 60);
    await idle(fixture);
    const [second] = await checkpoints(fixture);
    expect(second?.archive_index).toBe(1);
    const added = (second?.as_of?.epoch_tokens ?? 0) - (first?.as_of?.epoch_tokens ?? 0);
    expect(added).toBeGreaterThanOrEqual(1_500);
    expect(added).toBeLessThan(1_700);
  });

  it('comes after so many turns of the user, in which heartbeats do not count', async () => {
    const fixture = await openTriggered({ turns: 12 });
    for (let number = 1; number <= 30; number += 1) {
      await commit(fixture, [userMessage(`heartbeat ${number}`, number)], { is_heartbeat: true });
    }
    await converse(fixture, 51, 61);
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
    await converse(fixture, 62, 62);
    await idle(fixture);
    expect(await checkpoints(fixture)).toMatchObject([{ trigger: 'turns' }]);
  });

  it('comes with the first turn after so many minutes, and never without one', async () => {
    const fixture = await openTriggered({ interval_minutes: 30 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    fixture.clock.advance(30 * minute);
    fixture.engine.jobs.wake();
    await idle(fixture);
    expect(await checkpoints(fixture)).toEqual([]);
    await converse(fixture, 21, 21);
    await idle(fixture);
    expect(await checkpoints(fixture)).toMatchObject([{ trigger: 'interval' }]);
    fixture.clock.advance(29 * minute);
    await converse(fixture, 22, 40);
    await idle(fixture);
    expect(await checkpoints(fixture)).toHaveLength(1);
    fixture.clock.advance(minute);
    await converse(fixture, 41, 41);
    await idle(fixture);
    expect(await checkpoints(fixture)).toHaveLength(2);
  });

  it('never comes where every trigger is 0', async () => {
    const fixture = await openTriggered({});
    await converse(fixture, 1, 60);
    fixture.clock.advance(600 * minute);
    await converse(fixture, 61, 62);
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
  });

  it('archives all but the newest turns', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    expect((await checkpoints(fixture))[0]?.source_turn_range).toEqual({ start_sequence: 1, end_sequence: 32 });
  });
});

describe('hysteresis: after a compaction the next turn asks for none', () => {
  it.each([
    ['budget', { budget_share: 0.75 }],
    ['tokens_added', { tokens_added: 2_500 }],
    ['turns', { turns: 30 }],
    ['interval', { interval_minutes: 30 }],
  ] as const)('%s', async (trigger, triggers) => {
    const fixture = await openTriggered(triggers, { config: { assemble: { default_token_budget: 4_000 } } });
    let number = 0;
    while ((await checkpoints(fixture).catch(() => [])).length === 0) {
      number += 1;
      expect(number).toBeLessThan(90);
      await converse(fixture, number, number);
      if (number === 40) fixture.clock.advance(31 * minute);
      await idle(fixture);
    }
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint?.trigger).toBe(trigger);
    for (let next = 1; next <= 8; next += 1) {
      await converse(fixture, number + next, number + next);
      await idle(fixture);
    }
    expect(await compactJobs(fixture)).toHaveLength(1);
  });

  it('a compaction that somebody asked for counts as well', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 18);
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
    await converse(fixture, 19, 30);
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
  });
});

describe('turns that come at the same time as a compaction', () => {
  it('are stored at once and belong to the next archive', async () => {
    const held = Promise.withResolvers<void>();
    let isHeld = true;
    const fixture = await openTriggered(
      { turns: 20 },
      {
        wrapStore: wrapped((real) => ({
          readBodies: async (hashes: readonly string[]) => {
            if (isHeld) await held.promise;
            return real.readBodies(hashes);
          },
        })),
      },
    );
    await converse(fixture, 1, 20);
    await expect.poll(async () => (await summary(fixture)).state).toBe('compacting');
    await converse(fixture, 21, 45);
    expect((await summary(fixture)).turn_count).toBe(90);
    isHeld = false;
    held.resolve();
    await idle(fixture);
    expect((await standing(fixture)).map((one) => one.source_turn_range)).toEqual([
      { start_sequence: 1, end_sequence: 32 },
    ]);
    // They count for the next one, which the next turn asks for.
    await converse(fixture, 46, 46);
    await idle(fixture);
    const [, next] = await standing(fixture);
    expect(next?.source_turn_range).toEqual({ start_sequence: 33, end_sequence: 84 });
  });

  it('are all counted, however quickly they come', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 1);
    await Promise.all(Array.from({ length: 19 }, (_, index) => commit(fixture, talk(index + 2))));
    await idle(fixture);
    expect(await compactJobs(fixture)).toHaveLength(1);
  });

  it('a second compaction while the one in the background runs is that one', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 20);
    const [reply] = await Promise.all([compact(fixture, { force: true }), idle(fixture)]);
    const found = await checkpoints(fixture);
    expect(new Set(found.map(({ source_turn_range: range }) => range.start_sequence)).size).toBe(found.length);
    expect(reply.ok).toBe(true);
  });
});

describe('after a restart', () => {
  it('what was added before it still counts', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 19);
    await idle(fixture);
    await fixture.reopen();
    expect(await compactJobs(fixture)).toEqual([]);
    await converse(fixture, 20, 20);
    await idle(fixture);
    expect(await checkpoints(fixture)).toMatchObject([{ trigger: 'turns' }]);
  });

  it('the last compaction still counts', async () => {
    const fixture = await openTriggered({ turns: 20, interval_minutes: 30 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    await fixture.reopen();
    fixture.clock.advance(29 * minute);
    await converse(fixture, 21, 30);
    await idle(fixture);
    expect(await compactJobs(fixture)).toHaveLength(1);
  });

  it('a job that the last process left behind is done, once', async () => {
    const held = Promise.withResolvers<void>();
    let isHeld = true;
    const fixture = await openTriggered(
      { turns: 20 },
      {
        wrapStore: wrapped((real) => ({
          readBodies: async (hashes: readonly string[]) => {
            if (isHeld) await held.promise;
            return real.readBodies(hashes);
          },
        })),
      },
    );
    await converse(fixture, 1, 20);
    await expect.poll(async () => (await summary(fixture)).state).toBe('compacting');
    isHeld = false;
    await fixture.reopen();
    held.resolve();
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'succeeded' }]);
    expect(await standing(fixture)).toHaveLength(1);
  }, 20_000);
});

describe('a reset', () => {
  it('starts the count anew', async () => {
    const fixture = await openTriggered({ turns: 20 });
    await converse(fixture, 1, 15);
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    await converse(fixture, 51, 69);
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
    await converse(fixture, 70, 70);
    await idle(fixture);
    expect(await checkpoints(fixture)).toMatchObject([{ epoch: 1, source_turn_range: { start_sequence: 31 } }]);
  });
});

describe('what there is nothing to do about', () => {
  it('everything covered already: an answer, no checkpoint, no failure', async () => {
    const fixture = await openTriggered({});
    await store(fixture, talks(20));
    await compact(fixture, { force: true });
    for (let again = 0; again < 4; again += 1) {
      const reply = await compact(fixture, { trigger: 'host' });
      expect(reply).toMatchObject({ ok: true, compacted: false, reason: 'nothing_to_compact', checkpoint_ids: [] });
      expect(reply.tokens_after).toBe(reply.tokens_before);
    }
    expect(await checkpoints(fixture)).toHaveLength(1);
  });
});
