import { expect, it } from 'vitest';
import { openEngineFixture } from './engine-fixture.ts';
import { conversation, mainSession } from './messages.ts';

it('what was stored is there after reopening', async () => {
  const fixture = await openEngineFixture();
  const body = { ...mainSession, format: 'openclaw' as const, messages: [...conversation(1)], advancement_key: 'a' };
  await fixture.send('commitTurn', { body });
  await fixture.reopen();
  const { items } = await fixture.send('sessions', {});
  expect(items.map((session) => session.turn_count)).toEqual([2]);
});
