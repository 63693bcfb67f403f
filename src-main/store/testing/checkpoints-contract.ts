import { expect, it } from 'vitest';
import { sampleCheckpoint, sampleIdentity } from './samples.ts';
import { describeInBothStates, type CreateSubject } from './store-subject.ts';

export function describeCheckpoints(createSubject: CreateSubject): void {
  describeInBothStates('checkpoints', createSubject, (under) => {
    it('S88: returns a checkpoint as it was added, its summariser, model and prompt version included', async () => {
      const checkpoint = sampleCheckpoint(1, { model: 'model-a', prompt_version: 'v1', summary_uri: 'strata://x' });
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.addCheckpoint(checkpoint, 'sess_1');
      await under.settle();
      expect(await under.store.findCheckpoint('ckpt_1')).toEqual({ checkpoint, sessionUid: 'sess_1' });
      expect((await under.store.lookUpSessions('sess_1'))[0]?.checkpointCount).toBe(1);
    });

    it('lists those of an epoch, newest first', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      for (const [number, epoch] of [
        [1, 0],
        [2, 1],
        [3, 0],
      ] as const) {
        await under.store.addCheckpoint(sampleCheckpoint(number, { epoch }), 'sess_1');
      }
      await under.settle();
      const ids = async (epoch: number) =>
        (await under.store.checkpointsOfEpoch('sess_1', epoch)).map((checkpoint) => checkpoint.checkpoint_id);
      expect([await ids(0), await ids(1), await ids(2)]).toEqual([['ckpt_3', 'ckpt_1'], ['ckpt_2'], []]);
    });

    it('pages them newest first', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.openSession(sampleIdentity({ sessionId: 'two' }), 1_000, 'sess_2');
      for (const number of [1, 2, 3]) await under.store.addCheckpoint(sampleCheckpoint(number), 'sess_1');
      await under.store.addCheckpoint(sampleCheckpoint(4), 'sess_2');
      await under.settle();
      const first = await under.store.pageCheckpoints('sess_1', { cursor: undefined, limit: 2 });
      const second = await under.store.pageCheckpoints('sess_1', { cursor: first.nextCursor, limit: 2 });
      const ids = [...first.items, ...second.items].map((checkpoint) => checkpoint.checkpoint_id);
      expect(ids).toEqual(['ckpt_3', 'ckpt_2', 'ckpt_1']);
      expect([first.total, second.nextCursor]).toEqual([3, undefined]);
    });

    it('refuses a second checkpoint with the same id, and one of an unknown session', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.addCheckpoint(sampleCheckpoint(1), 'sess_1');
      await expect(under.store.addCheckpoint(sampleCheckpoint(1), 'sess_1')).rejects.toMatchObject({
        code: 'store_failed',
      });
      await expect(under.store.addCheckpoint(sampleCheckpoint(2), 'nobody')).rejects.toMatchObject({
        code: 'unknown_session',
      });
      await under.settle();
      expect((await under.store.lookUpSessions('sess_1'))[0]?.checkpointCount).toBe(1);
      expect(await under.store.findCheckpoint('nothing')).toBeUndefined();
    });
  });
}
