import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { assistantMessage, conversation, exchange, mainSession, userMessage } from '../testing/messages.ts';

async function opened() {
  const fixture = await openEngineFixture();
  return { fixture, log: logSteps(fixture) };
}

/** What the model would be given, for a host that passes only its newest message. */
async function assembled(fixture: EngineFixture, session: object, message: HostMessage): Promise<string> {
  const reply = await fixture.send('assemble', {
    body: { ...mainSession, ...session, format: 'openclaw', messages: [message], token_budget: 50_000 },
  });
  return JSON.stringify(reply.messages);
}

describe('the end of a session', () => {
  it.each(['reset', 'new', 'idle', 'daily'] as const)(
    'H20, S75: "%s" under the same id starts a new epoch, and nothing said before reaches the model',
    async (reason) => {
      const { fixture, log } = await opened();
      await log.commit('a', [userMessage('The password is swordfish.', 1), assistantMessage('Noted.', 2)]);
      expect(await log.end(reason, { next_session_id: 'session-1' })).toEqual({ accepted: true, epoch: 1 });
      expect(await assembled(fixture, {}, userMessage('What is the password?', 10))).not.toContain('swordfish');
      await fixture.reopen();
      expect(await assembled(fixture, {}, userMessage('And now?', 11))).not.toContain('swordfish');
    },
  );

  it('S75: under another id nothing is carried over into the new session, and the old one stays whole', async () => {
    const { fixture, log } = await opened();
    await log.commit('a', [userMessage('The password is swordfish.', 1), assistantMessage('Noted.', 2)]);
    expect(await log.end('new', { next_session_id: 'session-2' })).toEqual({ accepted: true, epoch: 0 });
    const question = userMessage('What is the password?', 10);
    expect(await assembled(fixture, { session_id: 'session-2' }, question)).not.toContain('swordfish');
    expect(await assembled(fixture, {}, question)).toContain('swordfish');
    expect((await log.find())?.ended).toEqual({ reason: 'new', at: '2026-11-02T10:00:00.000Z' });
  });

  it('S76: a conversation that was reset is not brought back by a restart, a catch-up or an import', async () => {
    const { fixture, log } = await opened();
    await log.commit('a', conversation(2));
    await log.end('reset');
    await fixture.reopen();
    await log.bootstrap(conversation(2));
    expect(await log.find()).toMatchObject({ epoch: 1, turn_count: 4, epoch_turn_count: 0, epoch_tokens: 0 });
    const jsonl = await fixture.send('exportSession', { params: { id: 'session-1' } });
    await fixture.send('importSession', { body: { jsonl } });
    expect(await log.find()).toMatchObject({ epoch: 1, turn_count: 4, epoch_turn_count: 0 });
  });

  it('keeps every turn of all epochs in the log', async () => {
    const { log } = await opened();
    await log.commit('a', exchange(1));
    await log.end('reset');
    await log.commit('b', exchange(2));
    expect(await log.messages()).toEqual(conversation(2));
    expect((await log.records()).map((record) => record.epoch)).toEqual([0, 0, 1, 1]);
  });

  it('counts two resets in a row as one, and forgets the transcript’s cursor', async () => {
    const { log } = await opened();
    await log.bootstrap(exchange(1), { cursor: 'c1' });
    await log.end('reset');
    expect(await log.end('reset')).toEqual({ accepted: true, epoch: 1 });
    expect((await log.bootstrap([])).cursor).toBeUndefined();
  });

  it('S76: deletes nothing when the host deletes the session', async () => {
    const { log } = await opened();
    await log.commit('a', conversation(1));
    expect(await log.end('deleted')).toEqual({ accepted: true, epoch: 0 });
    expect(await log.messages()).toEqual(conversation(1));
    expect((await log.find())?.ended?.reason).toBe('deleted');
  });

  it('is over when the session goes on', async () => {
    const { log } = await opened();
    await log.commit('a', exchange(1));
    await log.end('shutdown');
    await log.commit('b', exchange(2));
    expect((await log.find())?.ended).toBeUndefined();
  });

  it('of a session that is not stored changes nothing', async () => {
    const { log } = await opened();
    expect(await log.end('reset')).toEqual({ accepted: false, epoch: 0 });
    expect(await log.find()).toBeUndefined();
  });

  it('S77: runs of a cron job under one key are sessions of their own', async () => {
    const { fixture } = await opened();
    const run = (id: string) => ({ session_id: id, session_key: 'agent:main:cron:nightly' });
    const first = logSteps(fixture, run('run-1'));
    const second = logSteps(fixture, run('run-2'));
    await first.commit('a', [userMessage('The first run saw swordfish.', 1), assistantMessage('Done.', 2)]);
    await second.commit('a', exchange(1));
    expect((await first.find())?.session_uid).not.toBe((await second.find())?.session_uid);
    expect(await assembled(fixture, run('run-2'), userMessage('Go on.', 9))).not.toContain('swordfish');
    await second.end('reset');
    expect(await first.find()).toMatchObject({ epoch: 0, epoch_turn_count: 2 });
  });
});

describe('a transcript that was reset', () => {
  it('H20: with none of the stored messages is another conversation under the same id: a new epoch', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(3), { cursor: 'c1' });
    const reply = await log.bootstrap(exchange(9), { transcript: 'reset', cursor: 'c2' });
    expect(reply).toMatchObject({ epoch: 1, imported: 2, last_sequence: 8, cursor: 'c2' });
    expect(await log.find()).toMatchObject({ epoch: 1, epoch_turn_count: 2 });
  });

  it('that still has one of them is the same conversation', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(3));
    expect(await log.bootstrap([...exchange(3), ...exchange(4)], { transcript: 'reset' })).toMatchObject({ epoch: 0 });
  });

  it('of which no page came yet, or only the host’s summary, says nothing', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(3));
    expect(await log.bootstrap([], { transcript: 'reset', complete: false })).toMatchObject({ epoch: 0 });
    const summary = { role: 'compactionSummary', summary: 'We talked.', tokensBefore: 9, timestamp: 5 };
    expect(await log.bootstrap([summary], { transcript: 'reset' })).toMatchObject({ epoch: 0 });
  });

  it('that is empty as a whole is a new conversation', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(3));
    expect(await log.bootstrap([], { transcript: 'reset', complete: true })).toMatchObject({ epoch: 1 });
    // Nothing was said since, so there is nothing to reset.
    expect(await log.bootstrap([], { transcript: 'reset', complete: true })).toMatchObject({ epoch: 1 });
  });
});

describe('a sub-agent', () => {
  const child = { session_id: 'child-1', session_key: 'agent:main:subagent:5e1f' };
  const announce = (fixture: EngineFixture, mode: 'isolated' | 'fork' = 'isolated') =>
    fixture.send('subagentPrepare', {
      body: {
        parent_session_key: mainSession.session_key,
        child_session_key: child.session_key,
        context_mode: mode,
      },
    });
  const end = (fixture: EngineFixture) =>
    fixture.send('subagentEnded', { body: { child_session_key: child.session_key, reason: 'completed' } });

  it.each(['isolated', 'fork'] as const)('S78, H22: starts empty whatever the parent holds (%s)', async (mode) => {
    const { fixture, log } = await opened();
    await log.commit('a', [userMessage('The password is swordfish.', 1), assistantMessage('Noted.', 2)]);
    expect(await announce(fixture, mode)).toEqual({ accepted: true });
    expect(await assembled(fixture, child, userMessage('Do the task.', 5))).not.toContain('swordfish');
    expect(await logSteps(fixture, child).find()).toMatchObject({ turn_count: 0 });
  });

  it.each(['commit', 'after', 'ingest', 'bootstrap'] as const)(
    'is known with its parent from its first turn, stored by %s',
    async (call) => {
      const { fixture } = await opened();
      await announce(fixture);
      const steps = logSteps(fixture, child);
      if (call === 'commit') await steps.commit('a', exchange(1));
      else await steps[call](exchange(1));
      expect(await steps.find()).toMatchObject({ parent_session_key: 'agent:main:main', turn_count: 2 });
    },
  );

  it('that is announced once more, after it was seen, is still the child of its parent', async () => {
    const { fixture } = await opened();
    const steps = logSteps(fixture, child);
    await steps.commit('a', exchange(1));
    await announce(fixture);
    expect((await steps.find())?.parent_session_key).toBe('agent:main:main');
  });

  it('ends with the reason of the host and goes on if it is used again', async () => {
    const { fixture } = await opened();
    await announce(fixture);
    const steps = logSteps(fixture, child);
    await steps.commit('a', exchange(1));
    expect(await end(fixture)).toEqual({ accepted: true });
    expect((await steps.find())?.ended?.reason).toBe('completed');
    await steps.commit('b', exchange(2));
    expect((await steps.find())?.ended).toBeUndefined();
  });

  it('that never said anything leaves nothing behind', async () => {
    const { fixture } = await opened();
    await announce(fixture);
    expect(await end(fixture)).toEqual({ accepted: false });
    expect((await fixture.send('sessions', {})).items).toEqual([]);
  });

  it('is one of a thousand that are announced and never seen without filling the memory', async () => {
    const { fixture } = await opened();
    await announce(fixture);
    for (let number = 0; number < 1_000; number += 1) {
      await fixture.send('subagentPrepare', {
        body: { parent_session_key: 'agent:main:main', child_session_key: `agent:main:subagent:${number}` },
      });
    }
    const steps = logSteps(fixture, child);
    await steps.commit('a', exchange(1));
    expect((await steps.find())?.parent_session_key).toBeUndefined();
  });
});
