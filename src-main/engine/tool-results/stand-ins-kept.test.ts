import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { assemble, commit, said } from '../assemble/testing/assemble-session.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture, type FixtureOptions } from '../testing/engine-fixture.ts';
import { assistantMessage, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const large = (number: number) =>
  Array.from({ length: 1_200 }, (_, at) => `row ${at} of report ${number}: all is well`).join('\n');

const turn = (number: number): readonly HostMessage[] => [
  userMessage(`question ${number}`, number * 10),
  toolCallMessage(`call_${number}`, number * 10 + 1),
  toolResultMessage(`call_${number}`, large(number), number * 10 + 2),
  assistantMessage(`answer ${number}`, number * 10 + 3),
];

const turns = 8;
/** Of 32 messages the results of the first 6 turns are old. */
const oldResults = 6;
const history = Array.from({ length: turns }, (_, at) => turn(at + 1)).flat();
const call = { token_budget: 100_000, messages: history };

/** Counts what is read whole and what is kept of stand-ins; what is in `failing` fails. */
function watched(options: FixtureOptions = {}) {
  const seen = { wholes: 0, kept: 0, failing: new Set<keyof SessionStore>() };
  const wrapStore = (store: SessionStore): SessionStore =>
    new Proxy(store, {
      get: (target, name: keyof SessionStore) => {
        if (seen.failing.has(name)) return () => Promise.reject(new EngineError('disk_full', 'No space left.'));
        if (name === 'readBodies') {
          return async (hashes: readonly string[]) => {
            const bodies = await target.readBodies(hashes);
            seen.wholes += [...bodies.values()].filter((body) => body.includes('row 1199 of report')).length;
            return bodies;
          };
        }
        if (name === 'putStandIns') {
          return async (made: Parameters<SessionStore['putStandIns']>[0]) => {
            seen.kept += made.length;
            return target.putStandIns(made);
          };
        }
        return target[name].bind(target);
      },
    });
  return { seen, open: () => openEngineFixture({ ...options, wrapStore }) };
}

async function conversed(fixture: EngineFixture): Promise<void> {
  for (let number = 1; number <= turns; number += 1) await commit(fixture, turn(number));
}

const standsIn = (messages: readonly HostMessage[]) =>
  messages.filter((message) => said(message).startsWith('[Strata keeps this result')).length;

describe('what stands for large old results', () => {
  it('is made when a turn grows old, so that the first call reads no result whole', async () => {
    const { seen, open } = watched();
    const fixture = await open();
    await conversed(fixture);
    await expect.poll(() => seen.kept).toBe(oldResults);
    seen.wholes = 0;
    expect(standsIn((await assemble(fixture, call)).messages)).toBe(oldResults);
    // The newest results are sent whole, and come from the call itself.
    expect(seen).toMatchObject({ wholes: 0, kept: oldResults });
  });

  it('S48: is there after a restart, nothing is made anew, and the bytes are the same', async () => {
    const { seen, open } = watched();
    const fixture = await open();
    await conversed(fixture);
    const before = await assemble(fixture, call);
    await expect.poll(() => seen.kept).toBe(oldResults);
    await fixture.reopen();
    Object.assign(seen, { wholes: 0, kept: 0 });
    const after = await assemble(fixture, call);
    expect(seen).toMatchObject({ wholes: 0, kept: 0 });
    expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages));
    expect(after.trace.output_hash).toBe(before.trace.output_hash);
  });

  it('S48: has the same bytes whether it was made ahead, kept, or had to be made for the call', async () => {
    const ahead = watched();
    const first = await ahead.open();
    await conversed(first);
    await expect.poll(() => ahead.seen.kept).toBe(oldResults);
    const cold = watched();
    cold.seen.failing.add('putStandIns').add('findStandIns').add('listSessions').add('turnsInRange');
    const second = await cold.open();
    await conversed(second);
    cold.seen.failing.delete('findStandIns');
    cold.seen.failing.delete('turnsInRange');
    const [a, b] = [await assemble(first, call), await assemble(second, call)];
    expect(cold.seen.kept).toBe(0);
    expect(JSON.stringify(b.messages)).toBe(JSON.stringify(a.messages));
    expect(JSON.stringify((await assemble(second, call)).messages)).toBe(JSON.stringify(b.messages));
  });

  it('S45: is sent although it could not be kept, and that is told', async () => {
    const { seen, open } = watched();
    seen.failing.add('putStandIns');
    const fixture = await open();
    await conversed(fixture);
    expect(standsIn((await assemble(fixture, call)).messages)).toBe(oldResults);
    expect(fixture.logLines.some(({ message }) => message.includes('were not kept'))).toBe(true);
  });

  it('is made anew where pruning took its text', async () => {
    const { seen, open } = watched();
    const fixture = await open();
    await conversed(fixture);
    const before = await assemble(fixture, call);
    await fixture.store.pruneCalls(0);
    await fixture.reopen();
    seen.kept = 0;
    const after = await assemble(fixture, call);
    expect(JSON.stringify(after.messages)).toBe(JSON.stringify(before.messages));
    expect(seen.kept).toBe(oldResults);
  });

  it('is made ahead when a call is announced', async () => {
    const { seen, open } = watched();
    const fixture = await open();
    seen.failing.add('turnsInRange');
    await conversed(fixture);
    expect(seen.kept).toBe(0);
    await fixture.send('prefetch', { body: { ...mainSession } });
    await expect.poll(() => seen.kept).toBe(oldResults);
  });

  it('is another one under other settings', async () => {
    const { seen, open } = watched({ config: { tool_results: { synopsis_characters: 300 } } });
    const fixture = await open();
    await conversed(fixture);
    await expect.poll(() => seen.kept).toBe(oldResults);
    const keys: (readonly string[])[] = [];
    for (const characters of [300, 400]) {
      const other = await openEngineFixture({
        config: { tool_results: { synopsis_characters: characters } },
        wrapStore: (store) =>
          new Proxy(store, {
            get: (target, name: keyof SessionStore) =>
              name === 'findStandIns'
                ? (asked: readonly string[]) => (keys.push(asked), target.findStandIns(asked))
                : target[name].bind(target),
          }),
      });
      await conversed(other);
      await assemble(other, call);
    }
    const half = keys.length / 2;
    expect(new Set(keys.flat()).size).toBe(2 * new Set(keys.slice(0, half).flat()).size);
  });
});
