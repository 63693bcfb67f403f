import { describe, expect, it } from 'vitest';
import { assemble, commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import {
  conversation,
  exchange,
  mainSession,
  toolCallMessage,
  toolResultMessage,
  userMessage,
} from '../testing/messages.ts';

describe('sessions', () => {
  it('are found by their own id, or by the host’s where only one has it', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1));
    const byHost = await fixture.send('session', { params: { id: mainSession.session_id } });
    expect(await fixture.send('session', { params: { id: byHost.session_uid } })).toEqual(byHost);
    await commit(fixture, exchange(2), { session_key: 'agent:other:main' });
    const ambiguous = fixture.send('session', { params: { id: mainSession.session_id } });
    await expect(ambiguous).rejects.toMatchObject({
      code: 'ambiguous_session',
      details: { session_uids: expect.any(Array) as string[] },
    });
    await expect(fixture.send('session', { params: { id: 'x' } })).rejects.toMatchObject({ code: 'unknown_session' });
  });

  it('say what they hold', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(2), { token_budget: 900, model: 'm' });
    await assemble(fixture, { messages: [...conversation(2)] });
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    await commit(fixture, [userMessage('anew', 900)]);
    const session = await fixture.send('session', { params: { id: mainSession.session_id } });
    expect(session).toMatchObject({
      agent_id: 'main', user_id: 'default', epoch: 1, state: 'idle', turn_count: 5, epoch_turn_count: 1,
      call_count: 1, last_budget: 900, last_model: 'm', strategy: 'strata',
    }); // prettier-ignore
    expect(session.uri).toBe(`strata://session/default/${session.session_uid}`);
  });
});

describe('H26: compactions', () => {
  it('are counted by the session itself, whatever the host counts', async () => {
    const fixture = await openEngineFixture();
    const count = async () =>
      (await fixture.send('session', { params: { id: mainSession.session_id } })).checkpoint_count;
    for (let round = 1; round <= 2; round += 1) {
      for (let number = 1; number <= 30; number += 1) {
        const at = round * 10_000 + number * 10;
        await commit(fixture, [userMessage(`part ${number} ${'words '.repeat(40)}`, at)]);
      }
      expect(await fixture.send('compact', { body: { ...mainSession, force: true } })).toMatchObject({ ok: true });
      expect(await count()).toBe(round);
    }
  });
});

describe('turns', () => {
  it('are given with what was called, answered and archived', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, [
      userMessage('look', 1),
      toolCallMessage('a', 2),
      { ...toolResultMessage('a', 'no such file', 3), isError: true },
    ]);
    for (let number = 10; number < 40; number += 1) {
      await commit(fixture, [userMessage(`part ${number} ${'words '.repeat(20)}`, number * 10)]);
    }
    const { checkpoint_id: id } = await fixture.send('compact', { body: { ...mainSession, force: true } });
    const { items, total } = await fixture.send('sessionTurns', {
      params: { id: mainSession.session_id },
      query: { raw: 'true' },
    });
    expect(total).toBe(33);
    expect(items[1]?.turn.tool_calls).toEqual([{ tool_name: 'read', arguments: { path: 'README.md' } }]);
    expect(items[2]?.turn.tool_results).toEqual([{ tool_name: 'read', result: 'no such file', status: 'error' }]);
    expect(items[2]?.raw).toMatchObject({ toolCallId: 'a' });
    expect(items[0]).toMatchObject({ checkpoint_id: id, turn: { compaction_marker: { source: 'post_compact' } } });
    expect(items.at(-1)).toMatchObject({ turn: { compaction_marker: { source: 'raw' } } });
    expect(items.at(-1)?.checkpoint_id).toBeUndefined();
  });

  it('one is found by its sequence, whatever page it is on', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(3));
    const query = { sequence: 4, limit: 1 };
    const { items, total } = await fixture.send('sessionTurns', { params: { id: mainSession.session_id }, query });
    expect([items.map((item) => item.turn.sequence), total]).toEqual([[4], 1]);
    const none = await fixture.send('sessionTurns', {
      params: { id: mainSession.session_id },
      query: { sequence: 99 },
    });
    expect(none.items).toEqual([]);
  });

  it('come in pages, in either order', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(3));
    const params = { id: mainSession.session_id };
    const first = await fixture.send('sessionTurns', { params, query: { limit: 4, order: 'desc' } });
    const second = await fixture.send('sessionTurns', {
      params,
      query: { limit: 4, order: 'desc', cursor: first.next_cursor },
    });
    expect([...first.items, ...second.items].map((item) => item.turn.sequence)).toEqual([6, 5, 4, 3, 2, 1]);
  });
});

describe('calls', () => {
  it('of a session are listed newest first, with what they used', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(2));
    const first = await assemble(fixture, { messages: [...conversation(2)] });
    const second = await assemble(fixture, {
      messages: [...conversation(2), userMessage('more', 90)],
      token_budget: 100,
    });
    const { items, total } = await fixture.send('sessionCalls', { params: { id: mainSession.session_id } });
    expect(total).toBe(2);
    expect(items.map((item) => item.call_id)).toEqual([second.reply.call_id, first.reply.call_id]);
    expect(items[1]).toMatchObject({ included: 4, dropped: 0, estimated_tokens: first.trace.estimated_tokens });
  });

  it('that are not there are told from those that are', async () => {
    const fixture = await openEngineFixture();
    await expect(fixture.send('call', { params: { id: 'nope' } })).rejects.toMatchObject({ code: 'unknown_call' });
    await expect(fixture.send('callMessages', { params: { id: 'nope' } })).rejects.toMatchObject({
      code: 'unknown_call',
    });
  });
});

describe('a turn whose body is gone', () => {
  it('is an error that names it, not an empty message', async () => {
    const fixture = await openEngineFixture({
      wrapStore: (store) => Object.assign(store, { readBodies: () => Promise.resolve(new Map<string, string>()) }),
    });
    await commit(fixture, exchange(1));
    const turns = fixture.send('sessionTurns', { params: { id: mainSession.session_id } });
    await expect(turns).rejects.toMatchObject({ code: 'store_corrupt', details: { sequence: 1 } });
  });
});
