import { expect, it } from 'vitest';
import type { LiveEvent } from '../../../src-shared/model/events.ts';
import type { ClientError } from '../client-error.ts';
import type { EngineClient, LinkState } from '../engine-client.ts';

export interface ClientSubject {
  readonly client: EngineClient;
  /** Puts an event into the engine's stream. */
  readonly publish: (event: LiveEvent) => void;
}

const who = { session_id: 'session-1', session_key: 'agent:main:main' };

/** What every EngineClient does, whatever carries its calls. */
export function clientContract(subject: () => ClientSubject): void {
  it('answers a call with the parsed reply', async () => {
    const health = await subject().client.call('health');
    expect(health.host.link).toBe('never');
    expect(health.store.sessions).toBe(0);
  });

  it('carries bodies there and pages back, byte for byte', async () => {
    const { client } = subject();
    const text = 'lone \ud83d half, NUL \u0000, 中文, "quotes" and\nlines';
    const messages = [{ role: 'user', content: text, timestamp: 1_760_000_000_000 }];
    const body = { ...who, advancement_key: 'adv-1', format: 'openclaw' as const, messages };
    expect(await client.call('commitTurn', { body })).toMatchObject({ status: 'committed', stored: 1 });
    const sessions = await client.call('sessions', { query: { limit: 10 } });
    const uid = sessions.items[0]?.session_uid ?? '';
    const turns = await client.call('sessionTurns', { params: { id: uid }, query: { raw: 'true', order: 'desc' } });
    expect(turns.items[0]?.raw).toEqual(messages[0]);
    expect(turns.items[0]?.turn.parts).toEqual([{ type: 'text', text }]);
  });

  it('finds a session whose id has to be escaped in a path', async () => {
    const { client } = subject();
    const messages = [{ role: 'user', content: 'hello', timestamp: 1_760_000_000_000 }];
    const session_id = 'a/b?c#d 会话%2F';
    await client.call('ingest', { body: { session_id, format: 'openclaw', messages } });
    expect((await client.call('session', { params: { id: session_id } })).session_id).toBe(session_id);
  });

  it('fails with the engine’s code, its words and a remedy', async () => {
    const failure = await failureOf(subject().client.call('session', { params: { id: 'nobody' } }));
    expect(failure.code).toBe('unknown_session');
    expect(failure.message).toContain('nobody');
    expect(failure.remedy).toContain('Go back to the list');
  });

  it('fails with the engine’s code when a query is not what the route takes', async () => {
    const query = { cursor: 'not a cursor' };
    const failure = await failureOf(subject().client.call('sessions', { query }));
    expect(failure.code).toBe('invalid_request');
  });

  it('hands over live events, and none after the subscription ended', async () => {
    const { client, publish } = subject();
    const events: LiveEvent[] = [];
    const states: LinkState[] = [];
    const stop = client.subscribe(
      (event) => events.push(event),
      (state) => states.push(state),
    );
    await expect.poll(() => states.at(-1)?.status).toBe('live');
    publish({ type: 'session.changed', session_uid: 'one' });
    publish({ type: 'call.assembled', session_uid: 'one', call_id: 'call_1' });
    await expect.poll(() => events.length).toBe(2);
    expect(events[1]).toEqual({ type: 'call.assembled', session_uid: 'one', call_id: 'call_1' });
    stop();
    publish({ type: 'health.changed' });
    const seen: LiveEvent[] = [];
    const stopOther = client.subscribe(
      (event) => seen.push(event),
      (state) => states.push(state),
    );
    await expect.poll(() => states.at(-1)?.status).toBe('live');
    publish({ type: 'session.changed', session_uid: 'two' });
    await expect.poll(() => seen.length).toBeGreaterThan(0);
    stopOther();
    expect(events).toHaveLength(2);
  });

  it('does not call back before subscribe has returned', () => {
    let returned = false;
    const early: string[] = [];
    const note = (what: string) => {
      if (!returned) early.push(what);
    };
    const stop = subject().client.subscribe(
      () => note('event'),
      (state) => note(state.status),
    );
    returned = true;
    stop();
    expect(early).toEqual([]);
  });
}

async function failureOf(call: Promise<unknown>): Promise<ClientError> {
  try {
    await call;
  } catch (error) {
    // The contract is that nothing else is thrown; the assertions on its fields show it.
    return error as ClientError;
  }
  throw new Error('The call did not fail');
}
