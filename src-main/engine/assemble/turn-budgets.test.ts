import { expect, it } from 'vitest';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { mainSession, userMessage } from '../testing/messages.ts';

it('S43: the budget of a session is what its turn began with, not the whole window, nor what a tool loop left of it', async () => {
  const fixture = await openEngineFixture();
  const budget = async () => (await fixture.send('sessions', {})).items[0]?.last_budget;
  const assemble = (tokens: number) =>
    fixture.send('assemble', { body: { ...mainSession, format: 'openclaw', messages: [], token_budget: tokens } });
  const commit = (key: string, at: number) =>
    fixture.send('commitTurn', {
      body: {
        ...mainSession,
        format: 'openclaw',
        advancement_key: key,
        messages: [userMessage('hello', at)],
        token_budget: 64_000,
      },
    });
  await commit('first', 1);
  expect(await budget()).toBe(64_000);
  for (const tokens of [34_140, 20_000, 1]) await assemble(tokens);
  expect(await budget()).toBe(34_140);
  await commit('second', 2);
  expect(await budget()).toBe(34_140);
  await assemble(30_000);
  expect(await budget()).toBe(30_000);
});
