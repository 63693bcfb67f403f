import { describe, expect, it } from 'vitest';
import { commit } from './assemble/testing/assemble-session.ts';
import { openEngineFixture } from './testing/engine-fixture.ts';
import { conversation, exchange, mainSession } from './testing/messages.ts';

describe('the routes of the engine', () => {
  it('prefetch knows whether there is anything to warm', async () => {
    const fixture = await openEngineFixture();
    expect(await fixture.send('prefetch', { body: { ...mainSession, prompt: 'hi' } })).toEqual({ accepted: false });
    await commit(fixture, exchange(1));
    expect(await fixture.send('prefetch', { body: mainSession })).toEqual({ accepted: true });
  });

  it('H24: upkeep that is offered is answered at once', async () => {
    const fixture = await openEngineFixture();
    expect(await fixture.send('maintain', { body: mainSession })).toEqual({ changed: false });
  });

  it('sessions can be asked for by agent and by key', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, exchange(1));
    await commit(fixture, exchange(2), { session_id: 'two', session_key: 'agent:coder:main' });
    const keys = async (query: { agent_id?: string; session_key?: string }) =>
      (await fixture.send('sessions', { query })).items.map((session) => session.session_key);
    expect((await keys({})).length).toBe(2);
    expect(await keys({ agent_id: 'coder' })).toEqual(['agent:coder:main']);
    expect(await keys({ session_key: mainSession.session_key })).toEqual([mainSession.session_key]);
  });

  it('a sub-agent’s session names its parent and ends with it', async () => {
    const fixture = await openEngineFixture();
    const child = 'agent:main:subagent:1';
    await fixture.send('subagentPrepare', {
      body: { parent_session_key: mainSession.session_key, child_session_key: child },
    });
    await commit(fixture, exchange(1), { session_id: 'child', session_key: child });
    expect(await fixture.send('session', { params: { id: 'child' } })).toMatchObject({
      parent_session_key: mainSession.session_key,
    });
    const ended = await fixture.send('subagentEnded', { body: { child_session_key: child, reason: 'completed' } });
    expect(ended).toEqual({ accepted: true });
    expect(await fixture.send('session', { params: { id: 'child' } })).toMatchObject({
      ended: { reason: 'completed' },
    });
  });

  it('a transcript that is exported is the same when it was imported', async () => {
    const [from, to] = [await openEngineFixture(), await openEngineFixture()];
    await commit(from, conversation(3));
    const jsonl = await from.send('exportSession', { params: { id: mainSession.session_id } });
    const { imported, skipped } = await to.send('importSession', { body: { jsonl } });
    expect([imported, skipped]).toEqual([6, 0]);
    const { items } = await to.send('sessionTurns', { params: { id: mainSession.session_id }, query: { raw: 'true' } });
    expect(items.map((item) => item.raw)).toEqual(conversation(3));
  });

  it('health names the process and what it holds', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, conversation(3));
    const health = await fixture.send('health', {});
    expect(health).toMatchObject({
      ready: true,
      pid: 1,
      mode: 'headless',
      version: '0.0.0-test',
      store: { sessions: 1, turns: 6 },
    });
    expect(JSON.stringify(health)).not.toContain(fixture.dataDir);
  });
});
