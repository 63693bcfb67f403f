import { describe, expect, it } from 'vitest';
import { sessionUri } from '../../../src-shared/model/uri.ts';
import { commit } from '../assemble/testing/assemble-session.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openEngineFixture, type SentInput } from '../testing/engine-fixture.ts';
import { mainSession, toolResultMessage, userMessage } from '../testing/messages.ts';

type Body = Omit<NonNullable<SentInput<'memoryExpand'>['body']>, 'uri'>;

const words = 'all is well, nothing of note; ';
const before = words.repeat(170_000);
const after = words.repeat(170_000);

async function stored(text: string) {
  const fixture = await openEngineFixture();
  const message = { ...toolResultMessage('a', '', 1), content: [{ type: 'text', text }] };
  const { uri = '' } = await fixture.send('toolResult', {
    body: { ...mainSession, tool_name: 'fetch', tool_call_id: 'a', message, replaced: true },
  });
  return (more: Body) => fixture.send('memoryExpand', { body: { uri, ...more } });
}

/** How often others had their turn while something ran. */
async function turnsOfOthers(work: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let goesOn = true;
  const next = () => {
    turns += 1;
    if (goesOn) setImmediate(next);
  };
  setImmediate(next);
  await work();
  goesOn = false;
  return turns;
}

describe('memory_expand on very long texts', () => {
  it('finds a word in one line of ten million characters', async () => {
    const ask = await stored(`${before}the error was E-7788. ${after}`);
    const { passages } = await ask({ query: 'E-7788' });
    expect(passages).toHaveLength(1);
    expect(passages[0]?.text).toContain('the error was E-7788.');
    expect(passages[0]).toMatchObject({ start_line: 1, end_line: 1 });
  });

  it('knows the lines of many passages where most of the text is line breaks', async () => {
    const gap = '\n'.repeat(50_000);
    const ask = await stored(Array.from({ length: 100 }, (_, at) => `${gap}needle ${at}`).join(''));
    const { passages } = await ask({ query: 'needle', limit: 100, max_tokens: 100_000 });
    expect(passages).toHaveLength(100);
    for (const { text, start_line: first, end_line: last } of passages) {
      const number = Number(/needle (\d+)/.exec(text)?.[1]);
      const line = (number + 1) * 50_000 + 1;
      expect([first <= line, line <= last]).toEqual([true, true]);
    }
  });

  it('lets others have their turn while it looks through a text', async () => {
    const ask = await stored(`${before}E-7788 ${after}`);
    expect(await turnsOfOthers(() => ask({ query: 'E-7788 note well nothing' }))).toBeGreaterThan(5);
  });

  it('reads the lines at the end of three million', async () => {
    const ask = await stored(`${'\n'.repeat(2_999_999)}the last`);
    const { passages, total } = await ask({ range: 'lines 3000000-3000000' });
    expect(total).toBe(3_000_000);
    expect(passages).toMatchObject([{ text: 'the last', start_line: 3_000_000, end_line: 3_000_000 }]);
  });

  it.each([undefined, 'needle'])('holds one turn at a time, whether or not it searches: %j', async (query) => {
    let most = 0;
    const wrapStore = (store: SessionStore): SessionStore =>
      new Proxy(store, {
        get: (target, name) => {
          const value: unknown = Reflect.get(target, name);
          if (typeof value !== 'function') return value;
          if (name !== 'readBodies') return value.bind(target) as unknown;
          return async (hashes: readonly string[]) => {
            const bodies = await target.readBodies(hashes);
            most = Math.max(
              most,
              [...bodies.values()].reduce((sum, body) => sum + body.length, 0),
            );
            return bodies;
          };
        },
      });
    const fixture = await openEngineFixture({ wrapStore });
    for (let at = 0; at < 6; at += 1) await commit(fixture, [userMessage(`${at} ${'x '.repeat(500_000)}needle`, at)]);
    const { items } = await fixture.send('sessions', {});
    // The index reads the turns as well; this is about who expands them.
    await fixture.engine.memory.settled();
    await fixture.engine.memory.indexing.follower.settled();
    most = 0;
    const uri = sessionUri('default', items[0]?.session_uid ?? '');
    const { turns } = await fixture.send('memoryExpand', { body: { uri, query, limit: 10, max_tokens: 20_000 } });
    expect(turns.map(({ text }) => text.includes('needle'))).toEqual(Array(6).fill(query !== undefined));
    expect(most).toBeGreaterThan(1_000_000);
    expect(most).toBeLessThan(1_500_000);
  });
});
