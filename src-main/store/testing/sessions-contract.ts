import { expect, it } from 'vitest';
import { sampleIdentity, sampleTurn, sampleTurns } from './samples.ts';
import { describeInBothStates, type CreateSubject } from './store-subject.ts';

export function describeSessions(createSubject: CreateSubject): void {
  describeInBothStates('sessions', createSubject, (under) => {
    it('makes a session with nothing in it', async () => {
      const opened = await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.settle();
      expect(opened).toEqual({
        ...sampleIdentity(),
        uid: 'sess_1',
        epoch: 0,
        createdAt: 1_000,
        lastActiveAt: 1_000,
        lastSequence: 0,
        epochStart: 0,
        epochTokens: 0,
        checkpointCount: 0,
        callCount: 0,
        lastCallId: undefined,
        lastBudget: undefined,
        lastModel: undefined,
        cursor: undefined,
        parentSessionKey: undefined,
        ended: undefined,
      });
      expect(await under.store.lookUpSessions('sess_1')).toEqual([opened]);
    });

    it('finds the session again by user, agent, key and id', async () => {
      const opened = await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.settle();
      expect(await under.store.openSession(sampleIdentity(), 2_000, 'sess_2')).toEqual(opened);
      expect(await under.store.findSession(sampleIdentity())).toEqual(opened);
    });

    it.each([
      { userId: 'other' },
      { agentId: 'other' },
      { sessionKey: 'agent:main:other' },
      { sessionId: 'session-2' },
    ])('keeps sessions apart that differ in %o', async (difference) => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      const other = await under.store.openSession(sampleIdentity(difference), 1_000, 'sess_2');
      await under.settle();
      expect(other.uid).toBe('sess_2');
      expect((await under.store.findSession(sampleIdentity()))?.uid).toBe('sess_1');
    });

    it('takes a request without a key for the session that was active last under the id', async () => {
      await under.store.openSession(sampleIdentity({ sessionKey: 'a' }), 1_000, 'sess_a');
      await under.store.openSession(sampleIdentity({ sessionKey: 'b' }), 1_000, 'sess_b');
      await under.store.patchSession('sess_a', { lastActiveAt: 5_000 });
      await under.settle();
      const keyless = sampleIdentity({ sessionKey: '' });
      expect((await under.store.openSession(keyless, 6_000, 'sess_c')).uid).toBe('sess_a');
      expect((await under.store.findSession(keyless))?.uid).toBe('sess_a');
    });

    it('gives a session that was stored without a key the key that comes', async () => {
      await under.store.openSession(sampleIdentity({ sessionKey: '' }), 1_000, 'sess_1');
      await under.settle();
      expect((await under.store.findSession(sampleIdentity()))?.sessionKey).toBe('');
      const adopted = await under.store.openSession(sampleIdentity(), 2_000, 'sess_2');
      await under.settle();
      expect(adopted).toMatchObject({ uid: 'sess_1', sessionKey: 'agent:main:main' });
      expect((await under.store.listSessions({ cursor: undefined, limit: 10 }, {})).total).toBe(1);
    });

    it('adopts nothing when the keyed session is there', async () => {
      await under.store.openSession(sampleIdentity({ sessionKey: '' }), 1_000, 'sess_1');
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1b');
      await under.store.openSession(sampleIdentity({ sessionKey: 'b' }), 1_000, 'sess_2');
      await under.settle();
      expect((await under.store.openSession(sampleIdentity({ sessionKey: 'b' }), 1_000, 'x')).uid).toBe('sess_2');
      expect((await under.store.openSession(sampleIdentity(), 1_000, 'x')).uid).toBe('sess_1');
    });

    it('finds nothing of sessions that are not there', async () => {
      expect(await under.store.findSession(sampleIdentity())).toBeUndefined();
      expect(await under.store.lookUpSessions('nobody')).toEqual([]);
      expect(await under.store.findSessionByKey('user', 'nobody')).toBeUndefined();
      await expect(under.store.patchSession('nobody', {})).rejects.toMatchObject({ code: 'unknown_session' });
    });

    it('looks up all sessions that share the host id, the last active first', async () => {
      await under.store.openSession(sampleIdentity({ agentId: 'a' }), 1_000, 'sess_a');
      await under.store.openSession(sampleIdentity({ agentId: 'b' }), 2_000, 'sess_b');
      await under.settle();
      const found = await under.store.lookUpSessions('session-1');
      expect(found.map((session) => session.uid)).toEqual(['sess_b', 'sess_a']);
    });

    it('finds the newest session with a key', async () => {
      await under.store.openSession(sampleIdentity({ sessionId: 'old' }), 1_000, 'sess_old');
      await under.store.openSession(sampleIdentity({ sessionId: 'new' }), 2_000, 'sess_new');
      await under.settle();
      expect((await under.store.findSessionByKey('user', 'agent:main:main'))?.uid).toBe('sess_new');
      expect(await under.store.findSessionByKey('other', 'agent:main:main')).toBeUndefined();
    });

    it('S44: remembers the last budget and model with the other patched fields, and forgets what a null names', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      const patch = { lastActiveAt: 9_000, lastBudget: 1_000_000, lastModel: 'model-a', parentSessionKey: 'parent' };
      await under.store.patchSession('sess_1', { ...patch, cursor: 'c1', ended: { reason: 'idle', at: 8_000 } });
      await under.settle();
      const [patched] = await under.store.lookUpSessions('sess_1');
      expect(patched).toMatchObject({ ...patch, cursor: 'c1', ended: { reason: 'idle', at: 8_000 } });
      const cleared = await under.store.patchSession('sess_1', { cursor: null, ended: null });
      expect(cleared).toMatchObject({ ...patch, cursor: undefined, ended: undefined });
    });

    it('never takes the last activity back when the clock goes back', async () => {
      await under.store.openSession(sampleIdentity(), 5_000, 'sess_1');
      await under.store.patchSession('sess_1', { lastActiveAt: 1_000 });
      await under.store.appendTurns({ sessionUid: 'sess_1', at: 2_000, turns: [sampleTurn(1)] });
      await under.settle();
      expect((await under.store.lookUpSessions('sess_1'))[0]?.lastActiveAt).toBe(5_000);
    });

    it('S75: starts an epoch on reset, keeps the turns before it in the log, forgets the cursor', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      const patch = { cursor: 'c1' };
      await under.store.appendTurns({ sessionUid: 'sess_1', at: 1_000, turns: sampleTurns(1, 3), patch });
      const reset = await under.store.startEpoch('sess_1', 2_000);
      await under.settle();
      expect(reset).toMatchObject({ epoch: 1, epochStart: 3, epochTokens: 0, lastSequence: 3, cursor: undefined });
      expect(await under.store.turnsBefore('sess_1', { epoch: 1, limit: 10 })).toEqual([]);
      expect(await under.store.turnsBefore('sess_1', { epoch: 0, limit: 10 })).toHaveLength(3);
    });

    it('takes a second reset in a row for the same one', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      expect((await under.store.startEpoch('sess_1', 1_000)).epoch).toBe(0);
      await under.store.appendTurns({ sessionUid: 'sess_1', at: 1_000, turns: [sampleTurn(1)] });
      await under.store.startEpoch('sess_1', 2_000);
      await under.settle();
      expect((await under.store.startEpoch('sess_1', 3_000)).epoch).toBe(1);
    });

    it('pages sessions by activity, each once, with the total of the filter', async () => {
      for (let index = 1; index <= 5; index += 1) {
        const who = sampleIdentity({ sessionId: `s${index}`, agentId: index === 5 ? 'other' : 'main' });
        await under.store.openSession(who, 1_000 + (index % 2), `sess_${index}`);
      }
      await under.settle();
      const first = await under.store.listSessions({ cursor: undefined, limit: 2 }, { agentId: 'main' });
      const second = await under.store.listSessions({ cursor: first.nextCursor, limit: 2 }, { agentId: 'main' });
      const uids = [...first.items, ...second.items].map((session) => session.uid);
      expect(uids).toEqual(['sess_3', 'sess_1', 'sess_4', 'sess_2']);
      expect([first.total, second.total, second.nextCursor]).toEqual([4, 4, undefined]);
      const byKey = await under.store.listSessions({ cursor: undefined, limit: 9 }, { sessionKey: 'agent:main:main' });
      expect(byKey.items).toHaveLength(5);
    });

    it.each(['turns:1', 'sessions:1', 'sessions:x:1', 'sessions::1', 'nonsense', ''])(
      'refuses the cursor %j with a typed error',
      async (cursor) => {
        const listing = under.store.listSessions({ cursor, limit: 2 }, {});
        await expect(listing).rejects.toMatchObject({ code: 'invalid_request' });
      },
    );

    it('counts sessions and turns', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.openSession(sampleIdentity({ sessionId: 's2' }), 1_000, 'sess_2');
      await under.store.appendTurns({ sessionUid: 'sess_2', at: 1_000, turns: sampleTurns(1, 3) });
      await under.settle();
      const stats = await under.store.stats();
      expect(stats).toMatchObject({ sessions: 2, turns: 3 });
      expect(stats.sizeBytes).toBeGreaterThan(0);
      expect(stats.schemaVersion).toBeGreaterThan(0);
    });

    it('keeps session ids with NUL, emoji and control characters', async () => {
      const odd = sampleIdentity({ sessionId: 'a\u0000b😀\u0007', sessionKey: "'; DROP TABLE turn; --" });
      await under.store.openSession(odd, 1_000, 'sess_1');
      await under.settle();
      expect(await under.store.findSession(odd)).toMatchObject(odd);
      expect(await under.store.findSession({ ...odd, sessionId: 'a' })).toBeUndefined();
    });

    it('finds a session whose id has a lone surrogate again', async () => {
      await under.store.openSession(sampleIdentity({ sessionId: 'a\ud800' }), 1_000, 'sess_1');
      await under.settle();
      expect((await under.store.findSession(sampleIdentity({ sessionId: 'a\ud800' })))?.uid).toBe('sess_1');
    });
  });
}
