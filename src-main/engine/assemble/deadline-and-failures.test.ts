import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { messageKeyText, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { conversation, mainSession, userMessage } from '../testing/messages.ts';
import { commit } from './testing/assemble-session.ts';
import { wrapped } from './testing/wrapped-store.ts';

const never = new Promise<never>(() => undefined);

const host = [...conversation(3), userMessage('now', 90)];
const request = { ...mainSession, format: 'openclaw' as const, messages: [...host], history: 'window' as const };

async function recorded(fixture: EngineFixture, callId: string) {
  await expect.poll(() => fixture.store.findCall(callId)).toBeDefined();
  return (await fixture.send('call', { params: { id: callId } })).trace;
}

describe('S65: a store whose reads hang', () => {
  it.each(['plan', 'messages'] as const)('answers at the deadline with the host’s own messages (%s)', async (reply) => {
    const fixture = await openEngineFixture({ wrapStore: wrapped(() => ({ turnsBefore: () => never })) });
    await commit(fixture, conversation(3));
    const answer = await fixture.send('assemble', { body: { ...request, reply, deadline_ms: 50 } });
    expect(answer.degraded).toMatchObject({ code: 'deadline' });
    expect(answer.counter).toBe('characters');
    const list = (answer.plan ?? answer.messages ?? []).map((entry) =>
      'host' in entry ? host[(entry as { host: number }).host] : entry,
    );
    expect(list).toEqual(host);
  });

  it('H10: is on record as such, and an alarm', async () => {
    const fixture = await openEngineFixture({ wrapStore: wrapped(() => ({ turnsBefore: () => never })) });
    const { call_id: callId } = await fixture.send('assemble', {
      body: { ...request, deadline_ms: 30, token_budget: 4_000 },
    });
    const trace = await recorded(fixture, callId);
    expect(trace.degraded).toMatchObject({ code: 'deadline' });
    expect(trace.decisions.every((decision) => decision.reason === 'passed_through')).toBe(true);
    expect(trace).toMatchObject({ token_budget: 4_000, budget_source: 'request', counter: 'characters' });
    const health = await fixture.send('health', {});
    expect(health.alarms).toMatchObject([{ code: 'assemble_degraded', severity: 'warning' }]);
    expect(fixture.events).toContainEqual({ type: 'health.changed' });
    fixture.clock.advance(11 * 60_000);
    expect((await fixture.send('health', {})).alarms).toEqual([]);
  });

  it('work that gets there later does not change the record', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    const fixture = await openEngineFixture({
      wrapStore: wrapped((store) => ({
        turnsBefore: async (...args: Parameters<SessionStore['turnsBefore']>) => {
          await held;
          return store.turnsBefore(...args);
        },
      })),
    });
    await commit(fixture, conversation(3));
    const { call_id: callId } = await fixture.send('assemble', { body: { ...request, deadline_ms: 30 } });
    await recorded(fixture, callId);
    letGo();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await recorded(fixture, callId)).degraded).toMatchObject({ code: 'deadline' });
    const { items } = await fixture.send('sessions', {});
    expect(items[0]?.call_count).toBe(1);
  });

  it('refuses a list of messages whose referenced bodies nobody could read, rather than leave gaps in it', async () => {
    const fixture = await openEngineFixture({ wrapStore: wrapped(() => ({ turnsBefore: () => never })) });
    const messages = host.map((message) => ({ ref: sha256(messageKeyText(message)) }));
    const body = { ...request, messages, deadline_ms: 30 };
    await expect(fixture.send('assemble', { body: { ...body, reply: 'messages' } })).rejects.toMatchObject({
      code: 'deadline_exceeded',
    });
    const { plan } = await fixture.send('assemble', { body: { ...body, reply: 'plan' } });
    expect(plan).toEqual(host.map((_, index) => ({ host: index })));
  });

  it('keeps the positions that the plugin described', async () => {
    const fixture = await openEngineFixture({ wrapStore: wrapped(() => ({ turnsBefore: () => never })) });
    const body = { ...request, messages: host.slice(0, 2), indexes: [0, 8], reply: 'plan' as const, deadline_ms: 30 };
    const { plan } = await fixture.send('assemble', { body });
    expect(plan).toEqual([{ host: 0 }, { host: 8 }]);
  });
});

describe('a store that fails', () => {
  const failing = new EngineError('store_failed', 'disk I/O error');

  it('costs the agent nothing but our context', async () => {
    const fixture = await openEngineFixture({
      wrapStore: wrapped(() => ({ turnsBefore: () => Promise.reject(failing) })),
    });
    const answer = await fixture.send('assemble', { body: { ...request, reply: 'messages' } });
    expect(answer.messages).toEqual(host);
    expect(answer.degraded).toMatchObject({ code: 'store_failed' });
    expect((await recorded(fixture, answer.call_id)).degraded?.message).toContain('disk I/O error');
  });

  it('an answer that cannot be put on record is given all the same, and an alarm', async () => {
    const fixture = await openEngineFixture({
      wrapStore: wrapped(() => ({ addCall: () => Promise.reject(new EngineError('disk_full', 'no space left')) })),
    });
    await commit(fixture, conversation(3));
    const answer = await fixture.send('assemble', {
      body: { ...request, messages: [host[6] as HostMessage], reply: 'messages' },
    });
    expect(answer.degraded).toBeUndefined();
    expect(answer.messages).toEqual(host);
    const { alarms } = await fixture.send('health', {});
    expect(alarms).toMatchObject([{ code: 'store_failing', severity: 'danger' }]);
    expect(alarms[0]?.message).toContain('no space left');
    expect(fixture.logLines).toContainEqual(
      expect.objectContaining({ level: 'error', message: 'a call could not be put on record' }),
    );
  });

  it('an answer does not wait for its record beyond the deadline', async () => {
    const fixture = await openEngineFixture({ wrapStore: wrapped(() => ({ addCall: () => never })) });
    const answer = await fixture.send('assemble', { body: { ...request, reply: 'messages', deadline_ms: 300 } });
    expect(answer.degraded).toBeUndefined();
    expect(answer.messages).toEqual(host);
  });

  it('a body that is gone is no reason to send an empty message', async () => {
    const fixture = await openEngineFixture({
      wrapStore: wrapped(() => ({ readBodies: () => Promise.resolve(new Map<string, string>()) })),
    });
    await commit(fixture, conversation(3));
    const answer = await fixture.send('assemble', {
      body: { ...request, messages: [host[6] as HostMessage], reply: 'messages' },
    });
    expect(answer.degraded).toMatchObject({ code: 'store_corrupt' });
    expect(answer.messages).toEqual([host[6]]);
  });

  it('nothing is degraded by a request that is itself wrong', async () => {
    const fixture = await openEngineFixture();
    const body = { ...request, messages: [{ text: 'no role' }] };
    await expect(fixture.send('assemble', { body })).rejects.toMatchObject({ code: 'invalid_request' });
    expect((await fixture.send('health', {})).alarms).toEqual([]);
  });
});

describe('health', () => {
  it('answers when the store does not, and says so', async () => {
    let fails = false;
    const fixture = await openEngineFixture({
      wrapStore: wrapped((store) => ({
        stats: () => (fails ? Promise.reject(new Error('database is locked')) : store.stats()),
      })),
    });
    await commit(fixture, conversation(3));
    expect(await fixture.send('health', {})).toMatchObject({ ready: true, store: { turns: 6 }, alarms: [] });
    fails = true;
    const health = await fixture.send('health', {});
    expect(health).toMatchObject({ ready: false, store: { turns: 6 }, alarms: [{ code: 'store_failing' }] });
  });

  it('does not wait for ever for a store that hangs', async () => {
    const fixture = await openEngineFixture({ wrapStore: wrapped(() => ({ stats: () => never })) });
    const health = await fixture.send('health', {});
    expect(health.ready).toBe(false);
    expect(health.alarms[0]?.message).toContain('no answer after');
  });
});

describe('a list of which nothing can be sent', () => {
  it('is passed on as it came, and says so', async () => {
    const fixture = await openEngineFixture();
    const orphan = {
      role: 'toolResult',
      toolCallId: 'gone',
      toolName: 'read',
      content: [{ type: 'text', text: 'alone' }],
      isError: false,
      timestamp: 1_795_000_000_000,
    };
    const answer = await fixture.send('assemble', { body: { ...request, messages: [orphan], reply: 'plan' } });
    expect(answer).toMatchObject({ plan: [{ host: 0 }], degraded: { code: 'strategy_failed' } });
    const trace = await recorded(fixture, answer.call_id);
    expect(trace.degraded).toMatchObject({ code: 'strategy_failed' });
  });
});
