import { expect, it } from 'vitest';
import { compactCheckpointSchema } from '../../../src-shared/model/checkpoint.ts';
import type { StoredCheckpoint } from '../../engine/ports/session-store.ts';
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

    it('gives nothing of checkpoints whose import was refused for the one that comes after them', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      const range = { source_turn_range: { start_sequence: 1, end_sequence: 4 } };
      const refused = [sampleCheckpoint(1, range), sampleCheckpoint(2, range)].map((checkpoint) => ({
        checkpoint,
        end: undefined,
      }));
      await expect(under.store.importCheckpoints(refused, 'sess_1')).rejects.toMatchObject({
        code: 'checkpoint_conflict',
      });
      await under.store.addCheckpoint(sampleCheckpoint(3, { ...range, archive_index: 0 }), 'sess_1');
      await under.settle();
      expect(await standing(under)).toEqual(['ckpt_3']);
      await expect(under.store.addCheckpoint(sampleCheckpoint(4, range), 'sess_1')).rejects.toThrow(/ckpt_3/);
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

    it('gives back only what lies in the range of what is dissolved, each turn once, whatever was imported', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.openSession(sampleIdentity({ sessionId: 'two' }), 1_000, 'sess_2');
      const range = { source_turn_range: { start_sequence: 1, end_sequence: 4 } };
      const parent_checkpoint_ids = ['ckpt_1', 'ckpt_2', 'ckpt_4'];
      await importWith(under, [
        { checkpoint: sampleCheckpoint(1), end: folded },
        { checkpoint: sampleCheckpoint(2, { source_turn_range: { start_sequence: 2, end_sequence: 4 } }), end: folded },
        { checkpoint: sampleCheckpoint(4), end: folded },
        { checkpoint: sampleCheckpoint(6, { source_turn_range: { start_sequence: 3, end_sequence: 4 } }), end: folded },
        { checkpoint: sampleCheckpoint(9, { level: 1, parent_checkpoint_ids, ...range }), end: undefined },
      ]);
      await under.store.importCheckpoints([{ checkpoint: sampleCheckpoint(7), end: folded }], 'sess_2');
      await under.settle();
      await under.store.dissolveCheckpoint('ckpt_9', 2_000);
      expect(await standing(under)).toEqual(['ckpt_1']);
      expect(await under.store.standingCheckpoints('sess_2', 0)).toEqual([]);
      expect((await under.store.findCheckpoint('ckpt_7'))?.end?.by).toBeUndefined();
    });

    it('leaves out of an import what another session has, and what is made of it', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      await under.store.openSession(sampleIdentity({ sessionId: 'two' }), 1_000, 'sess_2');
      await under.store.addCheckpoint(sampleCheckpoint(1), 'sess_2');
      const range = { source_turn_range: { start_sequence: 1, end_sequence: 2 } };
      const made = sampleCheckpoint(9, { level: 1, parent_checkpoint_ids: ['ckpt_1'], ...range });
      await importWith(under, [
        { checkpoint: sampleCheckpoint(1), end: folded },
        { checkpoint: made, end: undefined },
        { checkpoint: sampleCheckpoint(2), end: undefined },
      ]);
      await under.settle();
      expect(await standing(under)).toEqual(['ckpt_2']);
    });

    it('gives to one that is restored only what it is made of', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      const range = { source_turn_range: { start_sequence: 1, end_sequence: 4 } };
      await under.store.addCheckpoint(sampleCheckpoint(9, range), 'sess_1');
      await under.store.dissolveCheckpoint('ckpt_9', 2_000);
      for (const number of [1, 2]) await under.store.addCheckpoint(sampleCheckpoint(number), 'sess_1');
      const parents = ['ckpt_1', 'ckpt_2'];
      const higher = sampleCheckpoint(3, { ...range, level: 1, parent_checkpoint_ids: parents });
      await under.store.addCheckpoint(higher, 'sess_1', { ids: parents, as: 'folded', at: 3_000 });
      await under.store.restoreCheckpoint('ckpt_9', 4_000);
      await under.store.dissolveCheckpoint('ckpt_9', 5_000);
      expect(await standing(under)).toEqual([]);
      await under.store.restoreCheckpoint('ckpt_3', 6_000);
      await under.settle();
      await under.store.dissolveCheckpoint('ckpt_3', 7_000);
      expect(await standing(under)).toEqual(['ckpt_2', 'ckpt_1']);
    });

    it('reads numbers, names and times of earlier versions as their schema has them', async () => {
      await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
      const bad = {
        ...{ input_tokens: -5, output_tokens: 1.5, tokens_before: 1e300, attempts: 0, duration_ms: -1 },
        ...{ model: 'm'.repeat(1_000_000), summariser: 's'.repeat(501), committed_at: 'yesterday' },
        fallback: { from: 'f'.repeat(501), reason: 'r'.repeat(20_000) },
      };
      const end = { state: 'dissolved', at: 9e15, by: undefined } as const;
      await importWith(under, [{ checkpoint: sampleCheckpoint(1, bad), end }]);
      await under.settle();
      const found = await under.store.findCheckpoint('ckpt_1');
      const read = compactCheckpointSchema.parse(found?.checkpoint);
      expect([read.input_tokens, read.output_tokens, read.tokens_before, read.attempts]).toEqual([
        ...[undefined, undefined, 0, 1],
      ]);
      expect([read.model?.length, read.summariser.length, read.fallback?.from.length]).toEqual([500, 500, 500]);
      expect(read.fallback?.reason).toHaveLength(10_000);
      expect(new Date(found?.end?.at ?? NaN).toISOString()).toBe('9999-12-31T23:59:59.999Z');
      expect(new Date(read.committed_at).getTime()).toBe(0);
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

const folded = { state: 'folded', at: 1_500, by: 'ckpt_9' } as const;

async function importWith({ store }: StoreUnderTest, checkpoints: readonly StoredCheckpoint[]): Promise<void> {
  await store.importCheckpoints(checkpoints, 'sess_1');
}

async function standing({ store }: StoreUnderTest): Promise<string[]> {
  return (await store.standingCheckpoints('sess_1', 0)).map((checkpoint) => checkpoint.checkpoint_id);
}
