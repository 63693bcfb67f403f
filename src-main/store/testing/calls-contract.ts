import { expect, it } from 'vitest';
import type { ProviderUsage } from '../../../src-shared/model/trace.ts';
import { sampleContent, sampleIdentity, sampleItem, sampleTrace, sampleTurn, sha256 } from './samples.ts';
import { describeInBothStates, type CreateSubject } from './store-subject.ts';

const usage: ProviderUsage = {
  input: 10,
  output: 5,
  cache_read: 90,
  cache_write: 20,
  prompt_tokens: 120,
  model: 'model-a-2026',
  reported_at: '2026-11-03T10:16:00.000Z',
};

export function describeCalls(createSubject: CreateSubject): void {
  describeInBothStates('calls', createSubject, (under) => {
    const open = (uid = 'sess_1') => under.store.openSession(sampleIdentity({ sessionId: `id of ${uid}` }), 1_000, uid);

    it('returns a trace as it was added, with the contents that it names and the patched session', async () => {
      await open();
      const content = sampleContent('"live"');
      const trace = sampleTrace('call_1', {
        items: [sampleItem('a', { content_hash: content.contentHash, preview: 'lone \ud800 \u0000' })],
        prompt_preview: 'x'.repeat(10_000),
      });
      await under.store.addCall(trace, [content], { lastBudget: 1_000, lastActiveAt: 2_000 });
      await under.settle();
      expect(await under.store.findCall('call_1')).toEqual({ trace, usage: undefined });
      expect((await under.store.readBodies([content.contentHash])).get(content.contentHash)).toBe('"live"');
      expect((await under.store.lookUpSessions('sess_1'))[0]).toMatchObject({
        callCount: 1,
        lastCallId: 'call_1',
        lastBudget: 1_000,
        lastActiveAt: 2_000,
      });
    });

    it('writes nothing of a call that cannot be stored', async () => {
      await open();
      await under.store.addCall(sampleTrace('call_1'), [], {});
      const again = under.store.addCall(sampleTrace('call_1'), [sampleContent('"new"')], { lastBudget: 5 });
      await expect(again).rejects.toMatchObject({ code: 'store_failed' });
      const lost = under.store.addCall(sampleTrace('call_2', { session_uid: 'nobody' }), [], {});
      await expect(lost).rejects.toMatchObject({ code: 'unknown_session' });
      await under.settle();
      expect(await under.store.readBodies([sha256('"new"')])).toEqual(new Map());
      expect((await under.store.lookUpSessions('sess_1'))[0]).toMatchObject({ callCount: 1, lastBudget: undefined });
    });

    it('summarises what a call used and decided', async () => {
      await open();
      const slot = { allotted: 50, asked: 40, cut: 0, rule: 'rest' };
      const decision = {
        reason: 'within_budget',
        scores: {},
        tokens_before: 1,
        tokens_after: 1,
        budget_left: 1,
      } as const;
      const trace = sampleTrace('call_1', {
        degraded: { code: 'deadline', message: 'late' },
        slots: [
          { ...slot, kind: 'raw_turn', used: 30 },
          { ...slot, kind: 'raw_turn', used: 5 },
          { ...slot, kind: 'summary', used: 7 },
        ],
        decisions: [
          { ...decision, seq: 0, item: 'a', action: 'included' },
          { ...decision, seq: 1, item: 'b', action: 'dropped' },
          { ...decision, seq: 2, item: 'c', action: 'included' },
          { ...decision, seq: 3, item: 'd', action: 'trimmed' },
        ],
      });
      await under.store.addCall(trace, [], {});
      await under.store.addUsage('call_1', { ...usage, forCalibration: false });
      await under.settle();
      const page = await under.store.pageCalls('sess_1', { cursor: undefined, limit: 10 });
      expect(page).toEqual({
        total: 1,
        nextCursor: undefined,
        items: [
          {
            call_id: 'call_1',
            session_uid: 'sess_1',
            session_id: 'session-1',
            session_key: 'agent:main:main',
            agent_id: 'main',
            epoch: 0,
            created_at: '2026-11-03T10:15:00.000Z',
            duration_ms: 3.25,
            strategy: 'strata',
            model: 'model-a',
            token_budget: 1_000,
            estimated_tokens: 100,
            counter: 'tokenizer',
            used: { raw_turn: 35, summary: 7 },
            included: 2,
            trimmed: 1,
            dropped: 1,
            degraded: { code: 'deadline', message: 'late' },
            usage,
          },
        ],
      });
    });

    it('pages the calls of a session newest first', async () => {
      await open();
      await open('sess_2');
      for (const id of ['call_1', 'call_2', 'call_3']) await under.store.addCall(sampleTrace(id), [], {});
      await under.store.addCall(sampleTrace('other', { session_uid: 'sess_2' }), [], {});
      await under.settle();
      const first = await under.store.pageCalls('sess_1', { cursor: undefined, limit: 2 });
      const second = await under.store.pageCalls('sess_1', { cursor: first.nextCursor, limit: 2 });
      expect([...first.items, ...second.items].map((call) => call.call_id)).toEqual(['call_3', 'call_2', 'call_1']);
      expect([first.total, second.nextCursor]).toEqual([3, undefined]);
    });

    it('records the usage of a call once', async () => {
      await open();
      await under.store.addCall(sampleTrace('call_1'), [], {});
      expect(await under.store.addUsage('call_1', { ...usage, forCalibration: true })).toBe(true);
      await under.settle();
      expect(await under.store.addUsage('call_1', { ...usage, input: 99, forCalibration: true })).toBe(false);
      expect((await under.store.findCall('call_1'))?.usage).toEqual(usage);
      const unknown = under.store.addUsage('nothing', { ...usage, forCalibration: true });
      await expect(unknown).rejects.toMatchObject({ code: 'unknown_call' });
      expect(await under.store.findCall('nothing')).toBeUndefined();
    });

    it('lets a surer report of a call take the place of the one before it', async () => {
      await open();
      await under.store.addCall(sampleTrace('call_1'), [], {});
      const sum = { ...usage, prompt_tokens: 2_000, sum_of_model_calls: 2, forCalibration: false };
      expect(await under.store.addUsage('call_1', sum)).toBe(true);
      expect(await under.store.addUsage('call_1', { ...usage, forCalibration: true, replaces: true })).toBe(true);
      await under.settle();
      expect((await under.store.findCall('call_1'))?.usage).toEqual(usage);
      expect(await under.store.calibrationSamples('model-a', 10)).toHaveLength(1);
      expect(await under.store.addUsage('call_1', sum)).toBe(false);
    });

    it('gives calibration samples of the requested model, newest first, in tokens of our own counting', async () => {
      await open();
      const add = async (id: string, over: Parameters<typeof sampleTrace>[1], provider: number, fit = true) => {
        await under.store.addCall(sampleTrace(id, over), [], {});
        await under.store.addUsage(id, { ...usage, prompt_tokens: provider, forCalibration: fit });
      };
      await add('call_1', { estimated_tokens: 100 }, 120);
      await add(
        'call_2',
        { estimated_tokens: 240, counter: 'calibrated', calibration: { ratio: 1.2, samples: 1 } },
        250,
      );
      await add('call_3', { estimated_tokens: 1 }, 999, false);
      await add('call_4', { model: 'model-b', estimated_tokens: 7 }, 8);
      await add('call_5', { model: undefined, estimated_tokens: 5 }, 6);
      await under.settle();
      const samples = [
        { estimated: 200, provider: 250 },
        { estimated: 100, provider: 120 },
      ];
      expect(await under.store.calibrationSamples('model-a', 10)).toEqual(samples);
      expect(await under.store.calibrationSamples('model-a', 1)).toEqual(samples.slice(0, 1));
      expect(await under.store.calibrationSamples('model-a-2026', 9)).toEqual([{ estimated: 5, provider: 6 }]);
      expect(await under.store.calibrationSamples('nobody', 10)).toEqual([]);
    });

    it('prunes the oldest calls of all sessions, and their counts', async () => {
      await open();
      await open('sess_2');
      await under.store.addCall(sampleTrace('old', { session_uid: 'sess_2' }), [], {});
      await under.store.addUsage('old', { ...usage, forCalibration: true });
      for (const id of ['call_1', 'call_2', 'call_3']) await under.store.addCall(sampleTrace(id), [], {});
      expect(await under.store.pruneCalls(4)).toBe(0);
      expect(await under.store.pruneCalls(2)).toBe(2);
      await under.settle();
      const ids = (await under.store.pageCalls('sess_1', { cursor: undefined, limit: 9 })).items.map((c) => c.call_id);
      expect(ids).toEqual(['call_3', 'call_2']);
      expect(await under.store.findCall('old')).toBeUndefined();
      expect((await under.store.lookUpSessions('sess_1'))[0]).toMatchObject({ callCount: 2, lastCallId: 'call_3' });
      expect((await under.store.lookUpSessions('sess_2'))[0]).toMatchObject({ callCount: 0, lastCallId: undefined });
      expect(await under.store.calibrationSamples('model-a', 9)).toEqual([]);
    });

    it('deletes with pruned calls what nothing names any more, and only that', async () => {
      await open();
      const data = 'QUJD'.repeat(1_000);
      const bodies = ['turn', 'of old', 'of both', 'inline of old', 'given to old', 'of new', 'put early'].map((name) =>
        JSON.stringify({ name, data }),
      );
      const [ofTurn = '', ofOld = '', ofBoth = '', inline = '', given = '', ofNew = '', early = ''] = bodies;
      await under.store.putContents([ofTurn, ofOld, ofBoth, inline, early].map((body) => sampleContent(body)));
      await under.store.appendTurns({ sessionUid: 'sess_1', at: 1, turns: [sampleTurn(1, { body: ofTurn })] });
      const items = (...named: string[]) => named.map((body) => sampleItem(body, { content_hash: sha256(body) }));
      const output = [{ inline: sha256(inline), item: 'x' }];
      const turnItem = sampleItem('turn', { content_hash: sha256(ofTurn), sequence: 1 });
      const old = sampleTrace('old', { items: [turnItem, ...items(ofOld, ofBoth)], output });
      await under.store.addCall(old, [sampleContent(given)], {});
      await under.store.addCall(sampleTrace('new', { items: items(ofBoth, ofNew) }), [sampleContent(ofNew)], {});
      await under.store.putContents([sampleContent('"put late"')]);
      await under.settle();
      await under.store.pruneCalls(1);
      const left = await under.store.readBodies([...bodies, '"put late"'].map(sha256));
      expect([...left.values()].sort()).toEqual([ofTurn, ofBoth, ofNew, '"put late"'].sort());
    });
  });
}
