import { expect, it } from 'vitest';
import type { AppendResult, TurnMeta } from '../../engine/ports/session-store.ts';
import { sampleIdentity, sampleTurn, sampleTurns, sha256 } from './samples.ts';
import { describeInBothStates, type CreateSubject, type StoreUnderTest } from './store-subject.ts';

type Appended = Extract<AppendResult, { readonly session: unknown }>;

export function describeTurns(createSubject: CreateSubject): void {
  describeInBothStates('turns', createSubject, (under) => {
    it('S01: stores every turn that it acknowledges, and returns it as it is read later', async () => {
      const { append } = await session(under);
      const turn = sampleTurn(1, { toolCallIds: ['call_1', 'call_2'], toolResultFor: 'call_0', heartbeat: true });
      const result = await append([turn, sampleTurn(2, { excluded: true, entryId: undefined, role: 'tool' })], 'key-1');
      await under.settle();
      const { body: _, ...expected } = turn;
      expect(result.stored[0]).toEqual({
        ...expected,
        sequence: 1,
        epoch: 0,
        tokensCumulative: 7,
        advancementKey: 'key-1',
      });
      expect(await all(under)).toEqual(result.stored);
      expect(result.session).toMatchObject({ lastSequence: 2, epochTokens: 14 });
      expect(await under.store.lookUpSessions('sess_1')).toEqual([result.session]);
    });

    it('S07: stores a turn with a known identity once, and answers the first id', async () => {
      const { append } = await session(under);
      await append([sampleTurn(1)]);
      await under.settle();
      const again = await append([sampleTurn(1, { turnId: 'turn_again' }), sampleTurn(2)]);
      expect(again.status).toBe('stored');
      expect(again.turnIds).toEqual(['turn_1', 'turn_2']);
      expect(again.stored.map((turn) => turn.sequence)).toEqual([2]);
    });

    it('collapses duplicates within one command', async () => {
      const { append } = await session(under);
      const result = await append([sampleTurn(1), sampleTurn(2), sampleTurn(1, { turnId: 'turn_copy' })], 'key-1');
      await under.settle();
      expect(result.turnIds).toEqual(['turn_1', 'turn_2', 'turn_1']);
      expect(await all(under)).toHaveLength(2);
      expect((await append([], 'key-1')).turnIds).toEqual(['turn_1', 'turn_2', 'turn_1']);
    });

    it('stores the same message twice when the host gives it two identities', async () => {
      const { append } = await session(under);
      const { body } = sampleTurn(1);
      await append([sampleTurn(1), sampleTurn(2, { body, contentHash: sha256(body) })]);
      await under.settle();
      const hashes = (await all(under)).map((turn) => turn.contentHash);
      expect(hashes).toEqual([sha256(body), sha256(body)]);
    });

    it('answers a repeated advancement as a duplicate with the ids of all its turns', async () => {
      const { append } = await session(under);
      await append([sampleTurn(2)]);
      const first = await append(sampleTurns(1, 3), 'key-1');
      await under.settle();
      const again = await append(sampleTurns(1, 3), 'key-1');
      expect(first.turnIds).toEqual(['turn_1', 'turn_2', 'turn_3']);
      expect(again).toMatchObject({ status: 'duplicate', turnIds: first.turnIds, stored: [] });
      expect(again.session).toEqual(first.session);
    });

    it('changes nothing on a duplicate, its patch included', async () => {
      const { append } = await session(under);
      await append([sampleTurn(1)], 'key-1');
      await under.settle();
      const advancement = { key: 'key-1', payloadHash: 'payload' };
      const command = { sessionUid: 'sess_1', at: 99_000, turns: [sampleTurn(9)], advancement };
      await under.store.appendTurns({ ...command, patch: { cursor: 'late' } });
      expect(await under.store.lookUpSessions('sess_1')).toMatchObject([{ lastSequence: 1, cursor: undefined }]);
    });

    it('refuses the same advancement key with another payload, and stores nothing of it', async () => {
      const { append } = await session(under);
      await append([sampleTurn(1)], 'key-1');
      await under.settle();
      const conflict = await under.store.appendTurns({
        sessionUid: 'sess_1',
        at: 2_000,
        turns: [sampleTurn(2)],
        advancement: { key: 'key-1', payloadHash: 'other payload' },
        patch: { cursor: 'c2' },
      });
      expect(conflict).toEqual({ status: 'conflict', storedHash: 'payload' });
      expect(await under.store.lookUpSessions('sess_1')).toMatchObject([{ lastSequence: 1, cursor: undefined }]);
    });

    it('keeps advancement keys and identities of sessions apart', async () => {
      const { append } = await session(under);
      await append([sampleTurn(1)], 'key-1');
      await under.store.openSession(sampleIdentity({ sessionId: 'two' }), 1_000, 'sess_2');
      await under.settle();
      const advancement = { key: 'key-1', payloadHash: 'payload' };
      const other = await under.store.appendTurns({ sessionUid: 'sess_2', at: 1, turns: [sampleTurn(1)], advancement });
      expect(other).toMatchObject({ status: 'stored', stored: [{ sequence: 1 }] });
    });

    it('applies the patch with turns that are all known', async () => {
      const { append } = await session(under);
      await append([sampleTurn(1)]);
      await under.settle();
      const command = { sessionUid: 'sess_1', at: 3_000, turns: [sampleTurn(1)], patch: { cursor: 'c2' } };
      const result = await under.store.appendTurns(command);
      expect(result).toMatchObject({ status: 'stored', stored: [], session: { cursor: 'c2', lastActiveAt: 3_000 } });
    });

    it('numbers turns over all epochs without gaps, and counts tokens per epoch', async () => {
      const { append } = await session(under);
      await append(sampleTurns(1, 2));
      await under.store.startEpoch('sess_1', 2_000);
      await under.settle();
      const after = await append([sampleTurn(2), sampleTurn(3), sampleTurn(4)]);
      expect(after.turnIds).toEqual(['turn_2', 'turn_3', 'turn_4']);
      expect(after.stored.map((turn) => [turn.sequence, turn.epoch, turn.tokensCumulative])).toEqual([
        [3, 1, 7],
        [4, 1, 14],
      ]);
      expect(after.session).toMatchObject({ epochTokens: 14, lastSequence: 4, epochStart: 2 });
    });

    it('takes 20,000 turns in one command', async () => {
      const { append } = await session(under);
      const result = await append(sampleTurns(1, 20_000), 'key-1');
      await under.settle();
      expect(result.session).toMatchObject({ lastSequence: 20_000, epochTokens: 140_000 });
      expect((await append([], 'key-1')).turnIds).toEqual(result.turnIds);
    });

    it('stores nothing of a command that fails in its middle', async () => {
      const { append } = await session(under);
      const broken = append([sampleTurn(1), sampleTurn(2, { contentHash: 'not a hash' })], 'key-1');
      await expect(broken).rejects.toMatchObject({ name: 'EngineError' });
      await under.settle();
      expect(await all(under)).toEqual([]);
      expect((await append([sampleTurn(1)], 'key-1')).status).toBe('stored');
    });

    it('refuses turns for a session that is not there', async () => {
      const command = { sessionUid: 'nobody', at: 1, turns: [sampleTurn(1)] };
      await expect(under.store.appendTurns(command)).rejects.toMatchObject({ code: 'unknown_session' });
      const range = { epoch: 0, limit: 1 };
      await expect(under.store.turnsBefore('nobody', range)).rejects.toMatchObject({ code: 'unknown_session' });
    });

    it('reads the newest turns of an epoch within its bounds', async () => {
      const { append } = await session(under);
      await append(sampleTurns(1, 4));
      await under.store.startEpoch('sess_1', 2_000);
      await append(sampleTurns(5, 9));
      await under.settle();
      const sequences = async (range: Parameters<typeof under.store.turnsBefore>[1]) =>
        (await under.store.turnsBefore('sess_1', range)).map((turn) => turn.sequence);
      expect(await sequences({ epoch: 1, limit: 100 })).toEqual([9, 8, 7, 6, 5]);
      expect(await sequences({ epoch: 1, limit: 2 })).toEqual([9, 8]);
      expect(await sequences({ epoch: 1, before: 8, after: 5, limit: 100 })).toEqual([7, 6]);
      expect(await sequences({ epoch: 1, after: 2, limit: 100 })).toEqual([9, 8, 7, 6, 5]);
      expect(await sequences({ epoch: 0, before: 8, limit: 100 })).toEqual([4, 3, 2, 1]);
      expect(await sequences({ epoch: 7, limit: 100 })).toEqual([]);
    });

    it('reads a range of turns in order, over epochs', async () => {
      const { append } = await session(under);
      await append(sampleTurns(1, 3));
      await under.store.startEpoch('sess_1', 2_000);
      await append(sampleTurns(4, 6));
      await under.settle();
      const range = await under.store.turnsInRange('sess_1', 2, 5, 3);
      expect(range.map((turn) => turn.sequence)).toEqual([2, 3, 4]);
    });

    it('finds turns by identity over all epochs, by message key in one', async () => {
      const { append } = await session(under);
      await append(sampleTurns(1, 3));
      await under.store.startEpoch('sess_1', 2_000);
      await append(sampleTurns(4, 5));
      await under.settle();
      const byIdentity = await under.store.turnsByIdentity('sess_1', ['identity-5', 'identity-1', 'x', 'identity-5']);
      expect(byIdentity.map((turn) => turn.turnId)).toEqual(['turn_1', 'turn_5']);
      const keys = [sampleTurn(5).messageKey, sampleTurn(1).messageKey, 'not a key'];
      const inEpoch = async (epoch: number) =>
        (await under.store.turnsByMessageKey('sess_1', epoch, keys)).map((turn) => turn.turnId);
      expect([await inEpoch(0), await inEpoch(1), await inEpoch(2)]).toEqual([['turn_1'], ['turn_5'], []]);
    });

    it.each(['asc', 'desc'] as const)('pages turns %s, each once', async (order) => {
      const { append } = await session(under);
      await append(sampleTurns(1, 3));
      await under.store.startEpoch('sess_1', 2_000);
      await append(sampleTurns(4, 8));
      await under.settle();
      const collect = async (epoch?: number) => {
        const filter = epoch === undefined ? { order } : { order, epoch };
        const sequences: number[] = [];
        let cursor: string | undefined;
        do {
          const page = await under.store.pageTurns('sess_1', { cursor, limit: 2 }, filter);
          sequences.push(...page.items.map((turn) => turn.sequence));
          expect(page.total).toBe(epoch === undefined ? 8 : epoch === 1 ? 5 : 0);
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        return order === 'asc' ? sequences : sequences.reverse();
      };
      expect(await collect()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
      expect(await collect(1)).toEqual([4, 5, 6, 7, 8]);
      expect(await collect(9)).toEqual([]);
    });

    it('returns metadata with lone surrogates and NUL as it is read later', async () => {
      const { append } = await session(under);
      const odd = sampleTurn(1, {
        identity: 'a\ud800\u0000b',
        preview: 'cut in an emoji \ud83d',
        toolCallIds: ['c\udc00'],
        toolResultFor: 'c\udc00',
        timestamp: 1_700_000_000_000.5,
      });
      const result = await append([odd], 'key \ud800');
      await under.settle();
      const [read] = await all(under);
      expect(read).toEqual(result.stored[0]);
      expect(read?.toolCallIds[0]).toBe(read?.toolResultFor);
      expect((await append([odd])).stored).toEqual([]);
    });
  });
}

async function session(under: StoreUnderTest) {
  await under.store.openSession(sampleIdentity(), 1_000, 'sess_1');
  const append = async (turns: Parameters<StoreUnderTest['store']['appendTurns']>[0]['turns'], key?: string) => {
    const advancement = key === undefined ? {} : { advancement: { key, payloadHash: 'payload' } };
    const result = await under.store.appendTurns({ sessionUid: 'sess_1', at: 1_500, turns, ...advancement });
    if (result.status === 'conflict') throw new Error('unexpected conflict');
    return result satisfies Appended;
  };
  return { append };
}

function all(under: StoreUnderTest): Promise<readonly TurnMeta[]> {
  return under.store.turnsInRange('sess_1', 1, Number.MAX_SAFE_INTEGER, 100_000);
}
