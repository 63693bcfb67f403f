import { describe, expect, it } from 'vitest';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture, type SentInput } from '../testing/engine-fixture.ts';
import { exchange, mainSession, userMessage } from '../testing/messages.ts';
import { alarmsOf } from './alarms-of.ts';

type Event = NonNullable<SentInput<'hostEvents'>['body']>['events'][number];

async function tell(fixture: EngineFixture, ...events: Event[]): Promise<void> {
  await fixture.send('hostEvents', { body: { events } });
}

const seen = (run_id?: string, session = mainSession): Event => ({
  type: 'turn_seen',
  ...session,
  ...(run_id === undefined ? {} : { run_id }),
});

async function state(fixture: EngineFixture) {
  const { host, alarms } = await fixture.send('health', {});
  return { link: host.link, bypassed: host.bypassed_turns, alarms: alarms.map((alarm) => alarm.code) };
}

const other = { session_id: 'other', session_key: 'agent:other:main' };

const call = (fixture: EngineFixture) => assemble(fixture, { messages: [userMessage('a', 1)] });

describe('H01, S04: whether the host runs its turns through the engine', () => {
  it('is unknown before the first call, and active after it', async () => {
    const fixture = await openEngineFixture();
    expect(await state(fixture)).toEqual({ link: 'never', bypassed: 0, alarms: [] });
    await call(fixture);
    expect(await state(fixture)).toEqual({ link: 'active', bypassed: 0, alarms: [] });
  });

  it('a turn with an assemble before it went through, one without went by', async () => {
    const fixture = await openEngineFixture();
    await call(fixture);
    await tell(fixture, seen('run-1'));
    expect(await state(fixture)).toMatchObject({ link: 'active', alarms: [] });
    await tell(fixture, seen('run-2'), seen('run-3'));
    expect(await state(fixture)).toEqual({ link: 'bypassed', bypassed: 2, alarms: ['engine_bypassed'] });
    await call(fixture);
    expect(await state(fixture)).toEqual({ link: 'active', bypassed: 0, alarms: [] });
  });

  it('a host that never called and ran turns went by', async () => {
    const fixture = await openEngineFixture();
    await tell(fixture, seen('run-1'));
    expect(await state(fixture)).toMatchObject({ link: 'bypassed', alarms: ['engine_bypassed'] });
  });

  it('the model calls of a tool loop are one turn, with one assemble or with one each', async () => {
    const fixture = await openEngineFixture();
    await call(fixture);
    await tell(fixture, seen('run-1'), seen('run-1'), seen('run-1'));
    expect(await state(fixture)).toMatchObject({ link: 'active', bypassed: 0 });
    // An assemble in the middle of a loop does not vouch for the turn after it.
    await call(fixture);
    await tell(fixture, seen('run-1'), seen('run-2'));
    expect(await state(fixture)).toMatchObject({ link: 'bypassed', bypassed: 1 });
  });

  it('a call of one session does not vouch for a turn of another', async () => {
    const fixture = await openEngineFixture();
    await call(fixture);
    await tell(fixture, seen('run-1', { session_id: 'other', session_key: 'agent:main:other' } as never));
    expect(await state(fixture)).toMatchObject({ link: 'bypassed' });
  });

  it('what one agent’s turns show does not hide that another’s go by', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1), other);
    await call(fixture);
    await tell(fixture, seen('run-1'), seen('run-2', other as never));
    const { items } = await fixture.send('sessions', { query: { session_key: other.session_key } });
    await call(fixture);
    await tell(fixture, seen('run-3'));
    await commit(fixture, exchange(1));
    expect(await state(fixture)).toEqual({ link: 'bypassed', bypassed: 1, alarms: ['engine_bypassed'] });
    const { alarms } = await fixture.send('health', {});
    expect(alarms).toMatchObject([
      { session_uid: items[0]?.session_uid, message: expect.stringMatching(/^1 turn of/) as string },
    ]);
    await assemble(fixture, { messages: [userMessage('a', 1)], ...other });
    expect(await state(fixture)).toEqual({ link: 'active', bypassed: 0, alarms: [] });
  });

  it('several sessions that go by are one alarm', async () => {
    const fixture = await openEngineFixture();
    await tell(fixture, seen('run-1'), seen('run-2', other as never), seen('run-3', other as never));
    const { alarms } = await fixture.send('health', {});
    expect(alarms).toMatchObject([{ message: '3 turns of the host ran without Strata, in 2 sessions.' }]);
    expect(alarms[0]?.session_uid).toBeUndefined();
  });

  it('a host that was mended and started anew is believed with its first call', async () => {
    const fixture = await openEngineFixture();
    await tell(fixture, seen('run-1', other as never), { type: 'plugin_registered' });
    expect((await state(fixture)).link).toBe('bypassed');
    await call(fixture);
    expect(await state(fixture)).toEqual({ link: 'active', bypassed: 0, alarms: [] });
  });

  it('a compaction that a person asked for is no call of a host', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1));
    const before = (await fixture.send('health', {})).host;
    fixture.clock.advance(1_000);
    await fixture.send('compact', { body: { ...mainSession, trigger: 'manual' } });
    expect((await fixture.send('health', {})).host).toEqual(before);
  });

  it('a stored turn alone shows a host that is there', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1));
    expect(await state(fixture)).toMatchObject({ link: 'active' });
  });

  it('every change is announced once, and no call that changes nothing', async () => {
    const fixture = await openEngineFixture();
    const changes = () => fixture.events.filter((event) => event.type === 'health.changed').length;
    await call(fixture);
    expect(changes()).toBe(1);
    await call(fixture);
    expect(changes()).toBe(1);
    await tell(fixture, seen('run-1'), seen('run-2'));
    expect(changes()).toBe(2);
    await call(fixture);
    expect(changes()).toBe(3);
  });
});

describe('H18: turns that are not stored', () => {
  it('are an alarm when the host runs several and hands none over', async () => {
    const fixture = await openEngineFixture();
    for (let run = 1; run <= 5; run += 1) {
      expect((await state(fixture)).alarms).toEqual([]);
      await call(fixture);
      await tell(fixture, seen(`run-${run}`));
    }
    expect((await state(fixture)).alarms).toEqual(['host_silent']);
    await commit(fixture, exchange(1));
    expect((await state(fixture)).alarms).toEqual([]);
  });

  it('that wait in the plugin’s spool are named until they are delivered', async () => {
    const fixture = await openEngineFixture();
    await tell(fixture, { type: 'spool_state', pending: 1, oldest_at: '2026-11-01T00:00:00.000Z' });
    const { alarms, host } = await fixture.send('health', {});
    expect(host.spooled_turns).toBe(1);
    expect(alarms).toMatchObject([
      {
        code: 'host_silent',
        since: '2026-11-01T00:00:00.000Z',
        message: expect.stringMatching(/^1 turn in/) as string,
      },
    ]);
    await tell(fixture, { type: 'spool_state', pending: 0 });
    expect((await state(fixture)).alarms).toEqual([]);
  });

  it('are an alarm of their session, whatever another one stores', async () => {
    const fixture = await openEngineFixture();
    for (let run = 1; run <= 5; run += 1) {
      await call(fixture);
      await tell(fixture, seen(`run-${run}`));
      await commit(fixture, exchange(run), other);
    }
    expect((await state(fixture)).alarms).toEqual(['host_silent']);
    await fixture.send('bootstrap', { body: { ...mainSession, format: 'openclaw', messages: [...exchange(1)] } });
    expect((await state(fixture)).alarms).toEqual([]);
  });

  it('S22: of one session are named until they are taken in, whatever another one does', async () => {
    const fixture = await openEngineFixture();
    const body = { format: 'openclaw' as const, messages: [...exchange(1)] };
    await fixture.send('bootstrap', { body: { ...body, ...mainSession, complete: false } });
    await fixture.send('bootstrap', { body: { ...body, ...other, complete: true } });
    const { alarms } = await fixture.send('health', {});
    expect(alarms).toMatchObject([{ code: 'catch_up_incomplete', session_uid: 'sess_1' }]);
  });

  it('S22: of a transcript that was taken in only in part are named until it is complete', async () => {
    const fixture = await openEngineFixture();
    const body = { ...mainSession, format: 'openclaw' as const, messages: [...exchange(1)] };
    await fixture.send('bootstrap', { body: { ...body, complete: false } });
    expect((await state(fixture)).alarms).toEqual(['catch_up_incomplete']);
    await fixture.send('bootstrap', { body: { ...body, complete: true } });
    expect((await state(fixture)).alarms).toEqual([]);
  });
});

describe('what the host says of itself', () => {
  it('is shown: versions, the newest call, the newest turn that was seen', async () => {
    const fixture = await openEngineFixture();
    await tell(fixture, { type: 'plugin_registered', plugin_version: '0.1.0', host_version: '2026.9.6' });
    await tell(fixture, { type: 'plugin_registered' });
    await commit(fixture, exchange(1));
    const { host } = await fixture.send('health', {});
    const now = new Date(fixture.clock.now()).toISOString();
    expect(host).toMatchObject({
      plugin_version: '0.1.0',
      host_version: '2026.9.6',
      last_call: 'commitTurn',
      last_commit_at: now,
    });
    expect(host.last_turn_seen_at).toBeUndefined();
    await tell(fixture, seen('r'));
    expect((await fixture.send('health', {})).host.last_turn_seen_at).toBe(now);
  });

  it('a repair at the start and an unclean end are alarms of the store', async () => {
    const fixture = await openEngineFixture();
    const quiet = {
      bypassed: undefined, silent: undefined, spooled: { pending: 0, rejected: 0, oldestAt: undefined },
      degraded: undefined, storeFailed: undefined, behind: undefined, deadJobs: undefined, recovery: '', uncleanShutdown: false, startedAt: 5,
    }; // prettier-ignore
    const now = fixture.clock.now();
    expect(alarmsOf(quiet, now)).toEqual([]);
    expect(alarmsOf({ ...quiet, uncleanShutdown: true }, now)).toMatchObject([
      { code: 'unclean_shutdown', severity: 'warning' },
    ]);
    expect(alarmsOf({ ...quiet, uncleanShutdown: true, recovery: 'Restored.' }, now)).toMatchObject([
      { code: 'store_failing', message: 'Restored.' },
    ]);
  });
});

describe('S45: what the provider reported', () => {
  const usage = (given: Partial<Extract<Event, { type: 'usage' }>> = {}): Event => ({
    type: 'usage',
    ...mainSession,
    input: 100,
    output: 20,
    cache_read: 900,
    cache_write: 50,
    ...given,
  });
  const usageOf = async (fixture: EngineFixture, id: string) => (await fixture.send('call', { params: { id } })).usage;

  it('cached tokens are part of the prompt', async () => {
    const fixture = await openEngineFixture();
    const { reply } = await call(fixture);
    await tell(fixture, usage({ model: 'm' }));
    expect(await usageOf(fixture, reply.call_id)).toMatchObject({
      input: 100,
      cache_read: 900,
      cache_write: 50,
      prompt_tokens: 1_050,
      output: 20,
      model: 'm',
    });
    expect(fixture.events).toContainEqual(expect.objectContaining({ type: 'call.usage', call_id: reply.call_id }));
  });

  it('is recorded once', async () => {
    const fixture = await openEngineFixture();
    const { reply } = await call(fixture);
    await tell(fixture, usage(), usage({ input: 7 }));
    expect((await usageOf(fixture, reply.call_id))?.input).toBe(100);
    expect(fixture.events.filter((event) => event.type === 'call.usage')).toHaveLength(1);
  });

  it('is put beside the call that its run was made from, also when the next one is there already', async () => {
    const fixture = await openEngineFixture();
    const first = await call(fixture);
    await tell(fixture, seen('run-1'));
    const second = await call(fixture);
    await tell(fixture, usage({ run_id: 'run-1', input: 1 }), seen('run-2'), usage({ run_id: 'run-2', input: 2 }));
    expect((await usageOf(fixture, first.reply.call_id))?.input).toBe(1);
    expect((await usageOf(fixture, second.reply.call_id))?.input).toBe(2);
  });

  it('of a run of several model calls is a sum, said to be one, and corrects no count', async () => {
    const fixture = await openEngineFixture();
    const first = await call(fixture);
    await tell(fixture, seen('run-1'));
    const second = await call(fixture);
    await tell(fixture, usage({ run_id: 'run-1', model: 'm', model_calls: 2 }));
    expect(await usageOf(fixture, first.reply.call_id)).toMatchObject({ prompt_tokens: 1_050, sum_of_model_calls: 2 });
    expect(await usageOf(fixture, second.reply.call_id)).toBeUndefined();
    expect(await fixture.store.calibrationSamples('m', 10)).toEqual([]);
  });

  it('of a run that was never seen is put beside no call: nothing tells which one it was', async () => {
    const fixture = await openEngineFixture();
    const { reply } = await call(fixture);
    await tell(fixture, usage({ run_id: 'run-1' }));
    expect(await usageOf(fixture, reply.call_id)).toBeUndefined();
  });

  it('of a turn that went by the engine is put beside no call', async () => {
    const fixture = await openEngineFixture();
    const { reply } = await call(fixture);
    await tell(fixture, seen('run-1'), seen('run-2'), usage({ run_id: 'run-2' }));
    expect(await usageOf(fixture, reply.call_id)).toBeUndefined();
  });

  it('of a session without a call, or of none, is let go', async () => {
    const fixture = await openEngineFixture();
    await tell(fixture, usage());
    await commit(fixture, exchange(1));
    await tell(fixture, usage(), seen('r'), usage({ run_id: 'r' }));
    expect(fixture.events.filter((event) => event.type === 'call.usage')).toEqual([]);
  });

  it('beyond all measure is held within measure', async () => {
    const fixture = await openEngineFixture();
    const { reply } = await call(fixture);
    await tell(fixture, usage({ input: 1e300, output: 0.4 }));
    expect(await usageOf(fixture, reply.call_id)).toMatchObject({ input: 1e12, output: 0 });
  });
});
