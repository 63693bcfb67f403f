import { expect, it } from 'vitest';
import { sampleCheckpoint, sampleIdentity } from './samples.ts';
import { describeInBothStates, type CreateSubject, type StoreUnderTest } from './store-subject.ts';

export function describeCheckpoints(createSubject: CreateSubject): void {
  describeInBothStates('checkpoints', createSubject, (under) => {
    it('S88: returns a checkpoint as it was added, its summariser, model and prompt version included', async () => {
      const checkpoint = sampleCheckpoint(1, { model: 'model-a', prompt_version: 'v1', summary_uri: 'strata://x' });
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.addCheckpoint(checkpoint, 'sess_1');
      await under.settle();
      expect(await under.store.findCheckpoint('ckpt_1')).toEqual({
        checkpoint,
        end: undefined,
        sessionUid: 'sess_1',
      });
      expect((await under.store.lookUpSessions('sess_1'))[0]?.checkpointCount).toBe(1);
    });

    it('lists those that stand of an epoch, the one of the newest turns first', async () => {
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
        (await under.store.standingCheckpoints('sess_1', epoch)).map((checkpoint) => checkpoint.checkpoint_id);
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
      const ids = [...first.items, ...second.items].map(({ checkpoint }) => checkpoint.checkpoint_id);
      expect(ids).toEqual(['ckpt_3', 'ckpt_2', 'ckpt_1']);
      expect([first.total, second.nextCursor]).toEqual([3, undefined]);
    });

    it('lets a checkpoint of a higher level stand for others, and gives them back when it is dissolved', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      for (const number of [1, 2, 3]) await under.store.addCheckpoint(sampleCheckpoint(number), 'sess_1');
      const parents = ['ckpt_1', 'ckpt_2'];
      const range = { source_turn_range: { start_sequence: 1, end_sequence: 4 } };
      const condensed = sampleCheckpoint(4, { ...range, level: 1, parent_checkpoint_ids: parents });
      await under.store.addCheckpoint(condensed, 'sess_1', { ids: parents, as: 'folded', at: 5_000 });
      await under.settle();
      expect(await standing(under)).toEqual(['ckpt_3', 'ckpt_4']);
      expect((await under.store.newestCheckpoint('sess_1', 0))?.checkpoint_id).toBe('ckpt_4');
      expect((await under.store.findCheckpoint('ckpt_1'))?.end).toEqual({ state: 'folded', at: 5_000, by: 'ckpt_4' });
      await expect(under.store.dissolveCheckpoint('ckpt_1', 6_000)).rejects.toMatchObject({
        code: 'checkpoint_conflict',
        message: expect.stringContaining('Dissolve ckpt_4 first') as unknown,
      });
      await under.store.dissolveCheckpoint('ckpt_4', 6_000);
      expect(await standing(under)).toEqual(['ckpt_3', 'ckpt_2', 'ckpt_1']);
      await under.store.restoreCheckpoint('ckpt_4', 7_000);
      expect(await standing(under)).toEqual(['ckpt_3', 'ckpt_4']);
    });

    it('lets one that was run again take its place, and the earlier one back', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.addCheckpoint(sampleCheckpoint(1), 'sess_1');
      const again = sampleCheckpoint(2, { source_turn_range: { start_sequence: 1, end_sequence: 2 } });
      await under.store.addCheckpoint(again, 'sess_1', { ids: ['ckpt_1'], as: 'replaced', at: 5_000 });
      await under.settle();
      expect(await standing(under)).toEqual(['ckpt_2']);
      await under.store.restoreCheckpoint('ckpt_1', 6_000);
      expect(await standing(under)).toEqual(['ckpt_1']);
      expect((await under.store.findCheckpoint('ckpt_2'))?.end).toEqual({ state: 'replaced', at: 6_000, by: 'ckpt_1' });
    });

    it('never lets two stand for the same turn', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.addCheckpoint(sampleCheckpoint(1), 'sess_1');
      await under.settle();
      const overlapping = sampleCheckpoint(2, { source_turn_range: { start_sequence: 2, end_sequence: 5 } });
      const conflict = { code: 'checkpoint_conflict', details: { checkpoint_ids: ['ckpt_1'] } };
      await expect(under.store.addCheckpoint(overlapping, 'sess_1')).rejects.toMatchObject(conflict);
      await under.store.dissolveCheckpoint('ckpt_1', 2_000);
      await under.store.addCheckpoint(overlapping, 'sess_1');
      await expect(under.store.restoreCheckpoint('ckpt_1', 3_000)).rejects.toMatchObject({
        code: 'checkpoint_conflict',
      });
      await expect(under.store.restoreCheckpoint('nothing', 3_000)).rejects.toMatchObject({
        code: 'unknown_checkpoint',
      });
      expect(await standing(under)).toEqual(['ckpt_2']);
    });

    it('finds the children of a session', async () => {
      for (const [uid, key] of [
        ['sess_1', 'agent:main:main'],
        ['sess_2', 'agent:main:subagent:a'],
        ['sess_3', 'agent:main:subagent:b'],
      ] as const) {
        await under.store.openSession(sampleIdentity({ sessionId: uid, sessionKey: key }), 1_000, uid);
      }
      await under.store.patchSession('sess_2', { parentSessionKey: 'agent:main:main' });
      await under.settle();
      const { userId } = sampleIdentity();
      const keys = (await under.store.childSessions(userId, 'agent:main:main')).map((session) => session.sessionKey);
      expect(keys).toEqual(['agent:main:subagent:a']);
      expect(await under.store.childSessions('somebody else', 'agent:main:main')).toEqual([]);
    });

    it('refuses a second checkpoint with the same id, and one of an unknown session', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.addCheckpoint(sampleCheckpoint(1), 'sess_1');
      await under.store.dissolveCheckpoint('ckpt_1', 2_000);
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

async function standing({ store }: StoreUnderTest): Promise<string[]> {
  return (await store.standingCheckpoints('sess_1', 0)).map((checkpoint) => checkpoint.checkpoint_id);
}
