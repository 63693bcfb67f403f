import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { wrapped } from '../assemble/testing/wrapped-store.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { assistantMessage, mainSession, toolResultMessage, userMessage } from '../testing/messages.ts';
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
  talks,
} from './testing/compaction-session.ts';

const minute = 60_000;

/** A store whose next checkpoints are refused while `failures` is above zero; `after` of them are taken first. */
function refusing() {
  const state = { after: Infinity, failures: 0 };
  const wrapStore = wrapped((real: SessionStore) => ({
    addCheckpoint: async (...given: Parameters<SessionStore['addCheckpoint']>) => {
      state.after -= 1;
      if (state.after < 0 && state.failures > 0) {
        state.failures -= 1;
        throw new EngineError('disk_full', 'The disk is full.');
      }
      return real.addCheckpoint(...given);
    },
  }));
  return { state, wrapStore };
}

/** One call of many tools whose results are still coming in: there is no place where it may be cut. */
const manyCalls = {
  ...assistantMessage('', 1),
  content: Array.from({ length: 40 }, (_, at) => ({ type: 'toolCall', id: `c${at}`, name: 'run', arguments: {} })),
};
const steered = (number: number) => [
  userMessage(`go on with ${number}`, number * 10),
  toolResultMessage(`c${number}`, `result ${number}`, number * 10 + 1),
];
const uncuttable = (count: number) => [manyCalls, ...Array.from({ length: count }, (_, at) => steered(at + 1)).flat()];

describe('S57: attempts in vain', () => {
  it('are paused, each time for longer, and the session says until when and why', async () => {
    const fixture = await openTriggered({ turns: 2 });
    const attempts: number[] = [];
    await store(fixture, uncuttable(1));
    let number = 1;
    const tick = async (): Promise<void> => {
      number += 1;
      await commit(fixture, steered(number));
      await idle(fixture);
    };
    while (number < 6) await tick();
    const before = (await summary(fixture)).compaction;
    expect(before).toMatchObject({ last_trigger: 'turns', last_reason: 'nothing_to_compact' });
    expect(Date.parse(before?.next_attempt_at ?? '') - fixture.clock.now()).toBe(minute);
    for (let pause = 0; pause < 3; pause += 1) {
      await tick();
      expect(await compactJobs(fixture)).toHaveLength(attempts.length + 1);
      fixture.clock.set(Date.parse((await summary(fixture)).compaction?.next_attempt_at ?? ''));
      attempts.push(fixture.clock.now());
      await tick();
      expect(await compactJobs(fixture)).toHaveLength(attempts.length + 1);
    }
    const next = Date.parse((await summary(fixture)).compaction?.next_attempt_at ?? '');
    const pauses = [...attempts, next].map((at, index, all) => (at - (all[index - 1] ?? at)) / minute);
    expect(pauses.slice(1)).toEqual([2, 4, 8]);
    expect(await checkpoints(fixture)).toEqual([]);
  });

  it('last an hour apart at most', async () => {
    const fixture = await openTriggered({ turns: 1 });
    await store(fixture, uncuttable(4));
    let longest = 0;
    for (let number = 1; number <= 12; number += 1) {
      await commit(fixture, steered(4 + number));
      await idle(fixture);
      const next = Date.parse((await summary(fixture)).compaction?.next_attempt_at ?? '');
      if (!Number.isNaN(next)) longest = Math.max(longest, next - fixture.clock.now());
      fixture.clock.advance(61 * minute);
    }
    expect(longest).toBe(60 * minute);
  });

  it('end with a compaction that frees something', async () => {
    const fixture = await openTriggered({ turns: 2 });
    await store(fixture, uncuttable(6));
    await idle(fixture);
    expect((await summary(fixture)).compaction?.next_attempt_at).toBeDefined();
    await converse(fixture, 10, 30);
    fixture.clock.advance(minute);
    await converse(fixture, 31, 31);
    await idle(fixture);
    const { compaction } = await summary(fixture);
    expect(await checkpoints(fixture)).toHaveLength(1);
    expect(compaction?.next_attempt_at).toBeUndefined();
    expect(compaction?.last_reason).toBeUndefined();
  });

  it('are over when somebody compacts by hand', async () => {
    const fixture = await openTriggered({ turns: 2 });
    await store(fixture, uncuttable(6));
    await idle(fixture);
    expect((await summary(fixture)).compaction?.next_attempt_at).toBeDefined();
    await converse(fixture, 10, 30);
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
    expect((await summary(fixture)).compaction?.next_attempt_at).toBeUndefined();
  });
});

describe('S54: a store that fails between the segments of one compaction', () => {
  const pieces = { config: { compaction: { segment_tokens: 1_000 } } };

  it('leaves what was archived, says so, and the next try goes on from there', async () => {
    const { state, wrapStore } = refusing();
    const fixture = await openTriggered({}, { ...pieces, wrapStore });
    await store(fixture, talks(100));
    Object.assign(state, { after: 2, failures: 1 });
    const reply = await compact(fixture, { force: true });
    expect(reply).toMatchObject({ ok: true, compacted: true, reason: 'disk_full: The disk is full.' });
    expect(reply.checkpoint_ids).toHaveLength(2);
    const done = await standing(fixture);
    expect(done.map((one) => one.checkpoint_id)).toEqual(reply.checkpoint_ids);
    expect(reply.tokens_after).toBe(done.at(-1)?.tokens_after);
    const again = await compact(fixture, { force: true });
    expect(again).toMatchObject({ ok: true, compacted: true });
    expect(again.reason).toBeUndefined();
    expect(again.tokens_before).toBe(reply.tokens_after);
    const all = (await checkpoints(fixture)).filter(({ level }) => level === 0).reverse();
    all.forEach(({ source_turn_range: range }, index) => {
      expect(range.start_sequence).toBe((all[index - 1]?.source_turn_range.end_sequence ?? 0) + 1);
    });
    expect(all.at(-1)?.source_turn_range.end_sequence).toBe(192);
  });

  it('at the first of them: nothing is claimed', async () => {
    const { state, wrapStore } = refusing();
    const fixture = await openTriggered({}, { ...pieces, wrapStore });
    await store(fixture, talks(60));
    Object.assign(state, { after: 0, failures: 1 });
    const reply = await compact(fixture, { force: true });
    expect(reply).toMatchObject({ ok: false, compacted: false, reason: 'disk_full: The disk is full.' });
    expect(reply.tokens_after).toBe(reply.tokens_before);
    expect(await checkpoints(fixture)).toEqual([]);
  });

  it('in the background: the job is tried again, and the session tells the reason meanwhile', async () => {
    const { state, wrapStore } = refusing();
    const fixture = await openTriggered({ turns: 20 }, { wrapStore });
    Object.assign(state, { after: 0, failures: 1 });
    await converse(fixture, 1, 20);
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'queued', attempts: 1 }]);
    expect((await summary(fixture)).compaction?.last_reason).toContain('The disk is full.');
    await converse(fixture, 21, 22);
    await idle(fixture);
    expect(await compactJobs(fixture)).toHaveLength(1);
    fixture.clock.advance(10 * minute);
    fixture.engine.jobs.wake();
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'succeeded', attempts: 2 }]);
    expect(await standing(fixture)).toHaveLength(1);
  });

  it('for good: the job is dead for all to see, and later turns ask for a new one', async () => {
    const { state, wrapStore } = refusing();
    const fixture = await openTriggered({ turns: 20 }, { wrapStore });
    Object.assign(state, { after: 0, failures: 1_000 });
    await converse(fixture, 1, 20);
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await idle(fixture);
      fixture.clock.advance(60 * minute);
      fixture.engine.jobs.wake();
    }
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'dead', attempts: 5 }]);
    const { alarms } = await fixture.send('health', {});
    expect(alarms.map(({ code }) => code)).toContain('jobs_dead');
    state.failures = 0;
    await converse(fixture, 21, 21);
    await idle(fixture);
    expect((await compactJobs(fixture)).map((job) => job.state).sort()).toEqual(['dead', 'succeeded']);
    expect(await standing(fixture)).toHaveLength(1);
  });
});

describe('the end of the process in the middle of a compaction', () => {
  it('leaves turns and summaries as they were, and the next process does the job', async () => {
    let isHeld = true;
    const held = Promise.withResolvers<void>();
    const fixture = await openTriggered(
      { turns: 100 },
      {
        config: { compaction: { segment_tokens: 1_000 } },
        wrapStore: wrapped((real) => ({
          addCheckpoint: async (...given: Parameters<SessionStore['addCheckpoint']>) => {
            await real.addCheckpoint(...given);
            if (isHeld) await held.promise;
          },
        })),
      },
    );
    await converse(fixture, 1, 100);
    await expect.poll(async () => (await checkpoints(fixture)).length).toBe(1);
    isHeld = false;
    await fixture.reopen();
    held.resolve();
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'succeeded' }]);
    const all = (await checkpoints(fixture)).filter(({ level }) => level === 0).reverse();
    all.forEach(({ source_turn_range: range }, index) => {
      expect(range.start_sequence).toBe((all[index - 1]?.source_turn_range.end_sequence ?? 0) + 1);
    });
    expect(all.at(-1)?.source_turn_range.end_sequence).toBe(192);
  }, 30_000);
});

describe('a session with hardly anything in it', () => {
  it('of one turn has nothing to compact, and is not tried in the background', async () => {
    const fixture = await openTriggered({ turns: 1 });
    await commit(fixture, [userMessage('only this '.repeat(400), 1)]);
    await idle(fixture);
    expect(await compactJobs(fixture)).toEqual([]);
    expect(await compact(fixture, { force: true })).toMatchObject({ ok: true, reason: 'nothing_to_compact' });
    expect(await checkpoints(fixture)).toEqual([]);
  });

  it('that is all results of tools is compacted to less, and its list stays valid', async () => {
    const fixture = await openTriggered({});
    const results = Array.from({ length: 40 }, (_, at) => toolResultMessage(`lost${at}`, `row ${at} `.repeat(40), at));
    await store(fixture, results);
    const reply = await compact(fixture, { force: true });
    expect(reply).toMatchObject({ ok: true, compacted: true });
    expect(reply.tokens_after).toBeLessThan(reply.tokens_before);
    await assemble(fixture, { messages: results });
  });
});

describe('a reset while a model writes the summary', () => {
  it('the old epoch is left as it is, and the caller hears that nothing of the new one was compacted', async () => {
    const held = Promise.withResolvers<void>();
    let isHeld = false;
    const fixture = await openTriggered(
      {},
      {
        wrapStore: wrapped((real) => ({
          readBodies: async (hashes: readonly string[]) => {
            if (isHeld) await held.promise;
            return real.readBodies(hashes);
          },
        })),
      },
    );
    await store(fixture, talks(20));
    isHeld = true;
    const running = compact(fixture, { force: true });
    await expect.poll(async () => (await summary(fixture)).state).toBe('compacting');
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    isHeld = false;
    held.resolve();
    expect(await running).toMatchObject({ ok: false, compacted: false, reason: 'session_was_reset' });
    expect(await checkpoints(fixture)).toEqual([]);
    await store(fixture, talks(20, 50));
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
    expect(await standing(fixture)).toMatchObject([{ epoch: 1, source_turn_range: { start_sequence: 41 } }]);
  });
});
