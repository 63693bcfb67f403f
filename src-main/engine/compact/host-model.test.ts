import { describe, expect, it } from 'vitest';
import type { CompactReply, HostAnswer, PreparedCompaction } from '../../../src-shared/protocol/compact.ts';
import { wrapped } from '../assemble/testing/wrapped-store.ts';
import { openEngineFixture, type EngineFixture, type FixtureOptions } from '../testing/engine-fixture.ts';
import { mainSession } from '../testing/messages.ts';
import {
  checkpoints,
  compact,
  compactJobs,
  converse,
  idle,
  standing,
  store,
  summary,
  talks,
  type CompactBody,
} from './testing/compaction-session.ts';
import { deliveredPrompts } from './testing/read-prompt-file.ts';
import { scriptedWriter } from './testing/scripted-writer.ts';

const prompts = deliveredPrompts();

function open(compaction: NonNullable<FixtureOptions['config']>['compaction'] = {}, more: FixtureOptions = {}) {
  return openEngineFixture({ prompts, ...more, config: { compaction: { summariser: 'host', ...compaction } } });
}

async function prepare(fixture: EngineFixture, body: Partial<CompactBody> = {}): Promise<PreparedCompaction> {
  const { reservation_id: _, answer: __, ...rest } = body;
  const reply = await fixture.send('prepareCompaction', { body: { ...mainSession, trigger: 'manual', ...rest } });
  if (!reply.prepared) throw new Error(`Nothing was prepared: ${reply.reason}`);
  return reply.prepared;
}

/** What a model would answer that reads the prompt. */
function answerTo({ prompt }: PreparedCompaction): HostAnswer {
  return { text: scriptedWriter(prompt), model: 'host/model-1', input_tokens: 900, output_tokens: 80 };
}

function handIn(
  fixture: EngineFixture,
  prepared: PreparedCompaction,
  answer: HostAnswer,
  body: Partial<CompactBody> = {},
): Promise<CompactReply> {
  return compact(fixture, { ...body, reservation_id: prepared.reservation_id, answer });
}

async function talked(count = 20, compaction = {}, more: FixtureOptions = {}): Promise<EngineFixture> {
  const fixture = await open(compaction, more);
  await store(fixture, talks(count));
  return fixture;
}

describe('a summary by the host’s model', () => {
  it('S88: is asked for, handed in and recorded with model, version of the prompt and cost', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture, { force: true });
    expect(prepared.prompt).toContain('src/part-3.ts');
    expect(prepared.prompt).not.toContain('src/part-19.ts');
    expect(Date.parse(prepared.expires_at) - fixture.clock.now()).toBe(180_000);
    expect(await checkpoints(fixture)).toEqual([]);
    expect((await summary(fixture)).state).toBe('compacting');
    const reply = await handIn(fixture, prepared, answerTo(prepared));
    expect(reply).toMatchObject({ ok: true, compacted: true });
    expect(reply.next).toBeUndefined();
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({
      summariser: 'host',
      model: 'host/model-1',
      prompt_version: prepared.prompt_version,
      attempts: 1,
      input_tokens: 900,
      output_tokens: 80,
      source_turn_range: { start_sequence: 1, end_sequence: 32 },
    });
    expect(checkpoint?.fallback).toBeUndefined();
    expect((await summary(fixture)).state).toBe('idle');
  });

  it('that is refused is asked for once more, with what was wrong with it', async () => {
    const fixture = await talked();
    const first = await prepare(fixture);
    const refused = await handIn(fixture, first, { text: '', input_tokens: 500, output_tokens: 1 });
    expect(refused).toMatchObject({ ok: false, compacted: false });
    expect(refused.reason).toMatch(/^summary_refused: empty/);
    expect(refused.next?.reservation_id).not.toBe(first.reservation_id);
    expect(refused.next?.prompt).toContain('It was empty.');
    const second = refused.next as PreparedCompaction;
    const reply = await handIn(fixture, second, answerTo(second));
    expect(reply).toMatchObject({ ok: true, compacted: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({ summariser: 'host', attempts: 2, input_tokens: 1_400, output_tokens: 81 });
  });

  it('that is refused twice is written without a model, and says why and what the answers cost', async () => {
    const fixture = await talked();
    const first = await prepare(fixture);
    const { next } = await handIn(fixture, first, { text: '', input_tokens: 500, output_tokens: 1 });
    const answer = { text: 'Sure! Here you are.', model: 'host/model-1', input_tokens: 600, output_tokens: 5 };
    const reply = await handIn(fixture, next as PreparedCompaction, answer);
    expect(reply).toMatchObject({ ok: true, compacted: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({ summariser: 'extractive', input_tokens: 1_100, output_tokens: 6 });
    expect(checkpoint?.fallback).toMatchObject({
      from: 'host',
      reason: expect.stringMatching(/^no_sections/) as string,
    });
  });

  it.each([
    ['empty', { text: ' \n' }],
    ['reasoning_only', { text: '<think>They talk of loops.</think>' }],
    ['cut_off', { text: '## What happened\n- Part 1 counts', stop_reason: 'length' }],
    ['no_sections', { text: 'Of course, I will compact this now.' }],
    ['too_long', { text: `## What happened\n${'- Part 1 counts from 1, which is wrong.\n'.repeat(900)}` }],
    [
      'other_language',
      { text: '## What happened\n- 第一部分的循环从一开始计数，这是错误的，现在已经修好了，所有文件都改过。' },
    ],
  ])('is refused for being %s', async (fault, answer) => {
    const fixture = await talked();
    const reply = await handIn(fixture, await prepare(fixture), answer);
    expect(reply).toMatchObject({ ok: false, compacted: false });
    expect(reply.reason).toContain(`summary_refused: ${fault}`);
    expect(await checkpoints(fixture)).toEqual([]);
  });

  it('that the model failed at is written without it at once', async () => {
    const fixture = await talked();
    const reply = await handIn(fixture, await prepare(fixture), { failure: 'HTTP 429: rate limited' });
    expect(reply).toMatchObject({ ok: true, compacted: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({
      summariser: 'extractive',
      fallback: { from: 'host', reason: 'host_model_failed: HTTP 429: rate limited' },
    });
  });

  it('of a long conversation is asked for piece by piece, and each piece is kept as it comes', async () => {
    const fixture = await talked(100, { segment_tokens: 2_000 });
    let prepared: PreparedCompaction | undefined = await prepare(fixture, { force: true });
    let reply: CompactReply | undefined;
    let pieces = 0;
    while (prepared) {
      reply = await handIn(fixture, prepared, answerTo(prepared), { force: true });
      pieces += 1;
      expect(reply).toMatchObject({ ok: true, compacted: true });
      expect(reply.checkpoint_ids).toHaveLength(pieces);
      prepared = reply.next;
    }
    expect(pieces).toBeGreaterThanOrEqual(3);
    const all = await standing(fixture);
    expect(all.every(({ summariser }) => summariser === 'host')).toBe(true);
    expect(all.at(-1)?.source_turn_range.end_sequence).toBe(192);
    expect(reply?.tokens_after).toBe(all.at(-1)?.tokens_after);
  });

  it('of several summaries is asked for like any other', async () => {
    const fixture = await talked(150, { segment_tokens: 1_000, condense_count: 3 });
    const prompted: string[] = [];
    let prepared: PreparedCompaction | undefined = await prepare(fixture, { force: true });
    while (prepared) {
      prompted.push(prepared.prompt);
      prepared = (await handIn(fixture, prepared, answerTo(prepared), { force: true })).next;
    }
    const higher = (await checkpoints(fixture)).filter(({ level }) => level > 0);
    expect(higher.length).toBeGreaterThan(0);
    for (const { summariser, parent_checkpoint_ids: parents } of higher) {
      expect(summariser).toBe('host');
      expect(parents).toHaveLength(3);
    }
  });
});

describe('a reservation', () => {
  it('is void after its time, and nothing was changed', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture);
    fixture.clock.advance(180_000);
    await expect(handIn(fixture, prepared, answerTo(prepared))).rejects.toMatchObject({ code: 'reservation_expired' });
    expect(await checkpoints(fixture)).toEqual([]);
    expect((await summary(fixture)).state).toBe('idle');
    const again = await prepare(fixture);
    expect(await handIn(fixture, again, answerTo(again))).toMatchObject({ compacted: true });
  });

  it('of another session is refused, and still good for its own', async () => {
    const fixture = await talked();
    const other = { session_id: 'other', session_key: 'agent:main:other' };
    await fixture.send('ingest', { body: { ...other, format: 'openclaw', messages: talks(20) } });
    const prepared = await prepare(fixture);
    await expect(handIn(fixture, prepared, answerTo(prepared), other)).rejects.toMatchObject({
      code: 'reservation_expired',
    });
    expect(await handIn(fixture, prepared, answerTo(prepared))).toMatchObject({ compacted: true });
  });

  it('is good once', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture);
    await handIn(fixture, prepared, answerTo(prepared));
    await expect(handIn(fixture, prepared, answerTo(prepared))).rejects.toMatchObject({ code: 'reservation_expired' });
    expect(await checkpoints(fixture)).toHaveLength(1);
  });

  it('does not outlive the process', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture);
    await fixture.reopen();
    await expect(handIn(fixture, prepared, answerTo(prepared))).rejects.toMatchObject({ code: 'reservation_expired' });
  });

  it('is taken over by an overflow, which waits for nobody’s model', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture);
    expect(await compact(fixture, { trigger: 'overflow', force: true })).toMatchObject({ ok: true, compacted: true });
    await expect(handIn(fixture, prepared, answerTo(prepared))).rejects.toMatchObject({ code: 'reservation_expired' });
    expect(await standing(fixture)).toHaveLength(1);
  });

  it('needs its answer beside it', async () => {
    const fixture = await talked();
    const { reservation_id } = await prepare(fixture);
    await expect(compact(fixture, { reservation_id })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(compact(fixture, { answer: { text: 'x' } })).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('ends with a reset while the model writes', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture);
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    expect(await handIn(fixture, prepared, answerTo(prepared))).toMatchObject({
      ok: false,
      compacted: false,
      reason: 'session_was_reset',
    });
    expect(await checkpoints(fixture)).toEqual([]);
  });

  it('does not hold up turns: those that come while the model writes belong to the next archive', async () => {
    const fixture = await talked();
    const prepared = await prepare(fixture);
    await store(fixture, talks(10, 50));
    await handIn(fixture, prepared, answerTo(prepared));
    expect((await standing(fixture))[0]?.source_turn_range.end_sequence).toBe(32);
    expect((await summary(fixture)).turn_count).toBe(60);
  });
});

describe('nothing is prepared', () => {
  const reason = async (fixture: EngineFixture, body = {}) =>
    fixture.send('prepareCompaction', { body: { ...mainSession, trigger: 'manual', ...body } });

  it('where another summariser is configured', async () => {
    const fixture = await talked(20, { summariser: 'extractive' });
    expect(await reason(fixture)).toEqual({ reason: 'summariser_is_extractive' });
  });

  it('where there is nothing to archive', async () => {
    const fixture = await talked(2);
    expect(await reason(fixture, { trigger: 'host', token_budget: 100_000 })).toEqual({ reason: 'nothing_to_compact' });
  });

  it('in the background while the model is asked already', async () => {
    const fixture = await talked();
    await prepare(fixture);
    expect(await reason(fixture, { trigger: 'turns' })).toEqual({ reason: 'already_reserved' });
  });

  it('of a session that nobody knows', async () => {
    const fixture = await open();
    await expect(reason(fixture)).rejects.toMatchObject({ code: 'unknown_session' });
  });
});

describe('a due compaction of a host that offers its model', () => {
  const maintain = (fixture: EngineFixture, can_complete = true) =>
    fixture.send('maintain', { body: { ...mainSession, can_complete } });

  async function due(): Promise<EngineFixture> {
    const fixture = await open({ triggers: { turns: 20 }, host_wait_seconds: 120 });
    await converse(fixture, 1, 19);
    expect(await maintain(fixture)).toEqual({ changed: false });
    await converse(fixture, 20, 20);
    await idle(fixture);
    return fixture;
  }

  it('waits for the model, is handed to it after the turn, and its job then has nothing left to do', async () => {
    const fixture = await due();
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'queued' }]);
    const { compaction } = await maintain(fixture);
    const reply = await handIn(fixture, compaction as PreparedCompaction, answerTo(compaction as PreparedCompaction));
    expect(reply).toMatchObject({ ok: true, compacted: true });
    await idle(fixture);
    const [job] = await compactJobs(fixture);
    const { result } = await fixture.send('job', { params: { id: job?.job_id ?? '' } });
    expect(job?.state).toBe('succeeded');
    expect(result).toEqual({ compacted: false, reason: 'already_compacted' });
    expect(await standing(fixture)).toMatchObject([{ summariser: 'host', trigger: 'turns' }]);
    expect(await maintain(fixture)).toEqual({ changed: false });
  });

  it('is done without the model when its answer does not come', async () => {
    const fixture = await due();
    expect((await maintain(fixture)).compaction).toBeDefined();
    fixture.clock.advance(120_000);
    fixture.engine.jobs.wake();
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'succeeded' }]);
    expect(await standing(fixture)).toMatchObject([
      { summariser: 'extractive', fallback: { from: 'host' }, trigger: 'turns' },
    ]);
  });

  it('is not handed to a host that cannot ask its model', async () => {
    const fixture = await due();
    expect(await maintain(fixture, false)).toEqual({ changed: false });
  });

  it('waits for no model where no host ever offered one', async () => {
    const fixture = await open({ triggers: { turns: 20 } });
    await converse(fixture, 1, 20);
    await idle(fixture);
    expect(await compactJobs(fixture)).toMatchObject([{ state: 'succeeded' }]);
    expect(await standing(fixture)).toMatchObject([
      { fallback: { from: 'host', reason: expect.stringMatching(/^no_host/) as string } },
    ]);
  });

  it('whose summary could not be stored is done later by its job', async () => {
    const { wrapStore, refuse } = refusingOnce();
    const fixture = await open({ triggers: { turns: 20 } }, { wrapStore });
    expect(await maintain(fixture)).toEqual({ changed: false });
    await converse(fixture, 1, 1);
    await maintain(fixture);
    await converse(fixture, 2, 20);
    await idle(fixture);
    const { compaction } = await maintain(fixture);
    refuse();
    const reply = await handIn(fixture, compaction as PreparedCompaction, { failure: 'none' });
    expect(reply).toMatchObject({ ok: false, compacted: false });
    // The job is still there and does it later.
    fixture.clock.advance(120_000);
    fixture.engine.jobs.wake();
    await idle(fixture);
    expect(await standing(fixture)).toHaveLength(1);
  });
});

/** A store that refuses the next checkpoint. */
function refusingOnce() {
  let isRefusing = false;
  const wrapStore = wrapped((real) => ({
    addCheckpoint: async (...given: Parameters<typeof real.addCheckpoint>) => {
      if (!isRefusing) return real.addCheckpoint(...given);
      isRefusing = false;
      throw new Error('not now');
    },
  }));
  return { wrapStore, refuse: () => void (isRefusing = true) };
}
