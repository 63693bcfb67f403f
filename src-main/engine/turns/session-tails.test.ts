import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { userMessage } from '../testing/messages.ts';
import { SessionTails } from './session-tails.ts';

async function rowOf(store: SessionStore, sessionId: string): Promise<SessionRow> {
  const [row] = await store.lookUpSessions(sessionId);
  if (!row) throw new Error(`no session ${sessionId}`);
  return row;
}

/** What `newest` promises, read straight from the store. */
async function naiveNewest(store: SessionStore, row: SessionRow, after: number): Promise<readonly TurnMeta[]> {
  return [...(await store.turnsBefore(row.uid, { epoch: row.epoch, after, limit: 1_000_000 }))].reverse();
}

const sequences = (turns: readonly TurnMeta[]): number[] => turns.map((turn) => turn.sequence);
const inOrder = (turns: readonly TurnMeta[]): number[] => sequences(turns).sort((a, b) => a - b);

async function filled(count: number): Promise<{ fixture: EngineFixture; row: SessionRow }> {
  const fixture = await openEngineFixture();
  const messages = Array.from({ length: count }, (_, index) => userMessage(`m${index}`, index));
  await logSteps(fixture).ingest(messages);
  return { fixture, row: await rowOf(fixture.store, 'session-1') };
}

describe('SessionTails', () => {
  it('gives the newest turns of the epoch, oldest first, and reads older ones only when they are asked for', async () => {
    const { fixture, row } = await filled(700);
    const tails = new SessionTails(fixture.store);
    expect(sequences(await tails.newest(row, 0, 3))).toEqual([698, 699, 700]);
    expect(sequences(await tails.newest(row, 695, 100))).toEqual([696, 697, 698, 699, 700]);
    expect(sequences(await tails.newest(row, 0, 600))).toHaveLength(600);
    expect(sequences(await tails.newest(row, 0, 10_000))).toEqual(Array.from({ length: 700 }, (_, i) => i + 1));
    expect(await tails.newest(row, 700, 5)).toEqual([]);
  });

  it('finds turns by their message, those that it holds and older ones', async () => {
    const { fixture, row } = await filled(700);
    const turns = await fixture.store.turnsInRange(row.uid, 1, 700, 700);
    const keyOf = (sequence: number): string => turns[sequence - 1]?.messageKey ?? '';
    const tails = new SessionTails(fixture.store);
    const found = await tails.byMessageKey(row, [keyOf(2), keyOf(699), 'f'.repeat(64)]);
    expect(inOrder(found)).toEqual([2, 699]);
    expect(await tails.byMessageKey(row, [])).toEqual([]);
  });

  it('finds a text as often as it is asked for, where it was said many times', async () => {
    const fixture = await openEngineFixture();
    const said = Array.from({ length: 600 }, (_, index) => ({ role: 'user', content: index % 3 === 0 ? 'yes' : 'no' }));
    await logSteps(fixture).ingest(said, { format: 'openai' });
    const row = await rowOf(fixture.store, 'session-1');
    const [first] = await fixture.store.turnsInRange(row.uid, 1, 1, 1);
    const key = first?.messageKey ?? '';
    const tails = new SessionTails(fixture.store);
    expect((await tails.byMessageKey(row, [key])).length).toBeGreaterThanOrEqual(1);
    expect(await tails.byMessageKey(row, new Array<string>(150).fill(key))).toHaveLength(200);
  });

  it('is empty for an epoch in which nothing was said, and sees what comes then', async () => {
    const { fixture } = await filled(10);
    const log = logSteps(fixture);
    await log.end('reset');
    const tails = new SessionTails(fixture.store);
    expect(await tails.newest(await rowOf(fixture.store, 'session-1'), 0, 10)).toEqual([]);
    await log.ingest([userMessage('after the reset', 100)]);
    expect(sequences(await tails.newest(await rowOf(fixture.store, 'session-1'), 0, 10))).toEqual([11]);
  });

  it('holds no more turns than it is told, and a quarter, and reads older ones from the store', async () => {
    const fixture = await openEngineFixture();
    const log = logSteps(fixture);
    const said = (start: number, end: number) =>
      Array.from({ length: end - start }, (_, index) => userMessage(`m${start + index}`, start + index));
    const tails = new SessionTails(fixture.store, { turns: 40, sessions: 2 });
    await log.ingest([...said(0, 30), ...said(0, 3)]);
    await tails.newest(await rowOf(fixture.store, 'session-1'), 0, 40);
    for (let step = 30; step < 60; step += 10) {
      await log.ingest(said(step, step + 10));
      const row = await rowOf(fixture.store, 'session-1');
      const newest = sequences(await tails.newest(row, 0, 40));
      expect(newest).toEqual(Array.from({ length: 40 }, (_, index) => row.lastSequence - 39 + index));
      const turns = await fixture.store.turnsInRange(row.uid, 1, row.lastSequence, 100);
      for (const sequence of [1, 15, row.lastSequence]) {
        const key = turns[sequence - 1]?.messageKey ?? '';
        expect(sequences(await tails.byMessageKey(row, [key, key]))).toContain(sequence);
      }
    }
  });

  it('gives as many turns as are asked for, also when that is more than it holds', async () => {
    const { fixture, row } = await filled(700);
    const tails = new SessionTails(fixture.store, { turns: 400, sessions: 2 });
    const newest = async (after: number, limit: number) => sequences(await tails.newest(row, after, limit));
    expect(await newest(0, 401)).toEqual(Array.from({ length: 401 }, (_, index) => 300 + index));
    expect(await newest(250, 600)).toEqual(Array.from({ length: 450 }, (_, index) => 251 + index));
    expect(await newest(0, 5_000)).toHaveLength(700);
  });

  it('gives every caller the same when several ask at once for more than is held', async () => {
    const { fixture, row } = await filled(700);
    const tails = new SessionTails(fixture.store);
    const [few, ...all] = await Promise.all([
      tails.newest(row, 0, 5),
      ...[1, 2, 3].map(() => tails.newest(row, 0, 700)),
    ]);
    expect(few).toHaveLength(5);
    for (const turns of all) expect(sequences(turns)).toEqual(Array.from({ length: 700 }, (_, i) => i + 1));
  });

  it('equals the store after every step of a conversation with resets and gaps, in several sessions', async () => {
    const fixture = await openEngineFixture();
    const step = fc.record({
      session: fc.nat(8),
      action: fc.constantFrom('say', 'say much', 'reset', 'ask', 'ask'),
      after: fc.nat(400),
      limit: fc.integer({ min: 1, max: 600 }),
    });
    let run = 0;
    let time = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        run += 1;
        const tails = new SessionTails(fixture.store, { turns: 400, sessions: 3 });
        for (const { session, action, after, limit } of steps) {
          const id = `s${run}-${session}`;
          const log = logSteps(fixture, { session_id: id, session_key: '' });
          if (action === 'reset') await log.end('reset');
          else if (action !== 'ask') {
            const count = action === 'say' ? 2 : 300;
            await log.ingest(Array.from({ length: count }, () => userMessage('m', (time += 1))));
          }
          const [row] = await fixture.store.lookUpSessions(id);
          if (!row) continue;
          const expected = await naiveNewest(fixture.store, row, after);
          expect(sequences(await tails.newest(row, after, limit))).toEqual(sequences(expected.slice(-limit)));
          const keys = expected.slice(0, 3).map((turn) => turn.messageKey);
          expect(inOrder(await tails.byMessageKey(row, keys))).toEqual(sequences(expected.slice(0, 3)));
        }
      }),
      { numRuns: 15 },
    );
  });
});
