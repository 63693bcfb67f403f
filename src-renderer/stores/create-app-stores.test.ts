import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { scriptedClient, type ScriptedClient } from '../client/testing/scripted-client.ts';
import { createAppStores, type AppStores } from './create-app-stores.ts';
import { readStoredTurn } from './read-stored-turn.ts';

let client: ScriptedClient;
let stores: AppStores;
let stop: () => void;

const empty = () => ({ items: [], total: 0 });
const count = (name: string) => client.calls.filter((call) => call.name === name).length;

beforeEach(() => {
  vi.useFakeTimers();
  client = scriptedClient({
    health: () => ({ version: '1' }),
    sessions: empty,
    session: () => ({ session_uid: 's1' }),
    sessionCalls: empty,
    sessionCheckpoints: empty,
    sessionTurns: empty,
    call: () => ({ trace: {} }),
  });
  stores = createAppStores(client, () => Date.now());
  stop = stores.start();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

async function openSession() {
  const session = stores.session('s1');
  await Promise.all([
    session.summary.load(),
    session.calls.load(),
    session.checkpoints.load(),
    session.turns('desc').load(),
  ]);
  await session.call('c1').trace.load();
  client.calls.length = 0;
  return session;
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('what is read again when something happened', () => {
  it('a new call: the calls of its session, not its turns', async () => {
    await openSession();
    client.emit({ type: 'call.assembled', session_uid: 's1', call_id: 'c2' });
    await settle();
    expect([count('sessionCalls'), count('session'), count('sessionTurns'), count('health')]).toEqual([1, 1, 0, 1]);
  });

  it('a call’s usage: the call itself too, when it is open', async () => {
    await openSession();
    client.emit({ type: 'call.usage', session_uid: 's1', call_id: 'c1' });
    client.emit({ type: 'call.usage', session_uid: 's1', call_id: 'never opened' });
    await settle();
    expect(client.calls.filter((call) => call.name === 'call').map((call) => call.input.params)).toEqual([
      { id: 'c1' },
    ]);
  });

  it('a checkpoint: the checkpoints, and the turns that it covers', async () => {
    await openSession();
    client.emit({ type: 'checkpoint.created', session_uid: 's1', checkpoint_id: 'k' });
    await settle();
    expect([count('sessionCheckpoints'), count('sessionTurns'), count('sessionCalls')]).toEqual([1, 1, 0]);
  });

  it('something in another session: nothing of this one', async () => {
    await openSession();
    client.emit({ type: 'call.assembled', session_uid: 'other', call_id: 'c2' });
    await settle();
    expect([count('sessionCalls'), count('session')]).toEqual([0, 0]);
  });

  it('after events were missed: everything that is open', async () => {
    await stores.sessions.load();
    await openSession();
    client.emit({ type: 'stream.gap', dropped: 3 });
    await settle();
    const names = ['health', 'sessions', 'session', 'sessionCalls', 'sessionTurns', 'sessionCheckpoints'];
    expect(names.map(count)).toEqual([1, 1, 1, 1, 1, 1]);
  });

  it('a burst of a thousand events: a few requests, the last of them after the last event', async () => {
    await openSession();
    for (let index = 0; index < 1_000; index += 1) {
      client.emit({ type: 'call.assembled', session_uid: 's1', call_id: `c${index}` });
    }
    await vi.advanceTimersByTimeAsync(5_000);
    expect(count('sessionCalls')).toBe(2);
  });

  it('nothing while paused, and the age of the host link neither', async () => {
    await openSession();
    stores.live.pause();
    client.emit({ type: 'call.assembled', session_uid: 's1', call_id: 'c2' });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(client.calls).toEqual([]);
    stores.live.resume();
    await settle();
    expect(count('sessionCalls')).toBe(1);
  });

  it('nothing that was about to be read when the page was paused, before it is resumed', async () => {
    await openSession();
    client.emit({ type: 'call.assembled', session_uid: 's1', call_id: 'c2' });
    client.emit({ type: 'call.usage', session_uid: 's1', call_id: 'c2' });
    await settle();
    stores.live.pause();
    client.calls.length = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(client.calls).toEqual([]);
    stores.live.resume();
    await settle();
    expect(count('sessionCalls')).toBe(1);
  });

  it('health, now and then, even when nothing happens', async () => {
    await vi.advanceTimersByTimeAsync(31_000);
    expect(count('health')).toBe(2);
  });
});

describe('what is kept', () => {
  it('a session that was open a moment ago is there at once, an old one is forgotten', () => {
    const first = stores.session('s1');
    expect(stores.session('s1')).toBe(first);
    for (let index = 0; index < 10; index += 1) stores.session(`other ${index}`);
    expect(stores.session('s1')).not.toBe(first);
  });
});

describe('a stored turn', () => {
  it('is asked for by its sequence, with the host’s message', async () => {
    const record = { turn: { sequence: 7 }, raw: { role: 'user' } };
    const log = scriptedClient({ sessionTurns: () => ({ items: [record], total: 1 }) });
    expect(await readStoredTurn(log, 's1', 7)).toBe(record);
    expect(log.calls[0]?.input).toEqual({ params: { id: 's1' }, query: { sequence: 7, raw: 'true', limit: 1 } });
  });

  it('that the answer does not hold is an error, never another turn', async () => {
    const log = scriptedClient({ sessionTurns: () => ({ items: [{ turn: { sequence: 1 } }], total: 9 }) });
    await expect(readStoredTurn(log, 's1', 7)).rejects.toMatchObject({ code: 'not_found' });
  });
});
