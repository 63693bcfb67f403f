import { expect, it } from 'vitest';
import { assemble } from '../assemble/testing/assemble-session.ts';
import { wrapped } from '../assemble/testing/wrapped-store.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { conversation } from '../testing/messages.ts';

it('names what is no longer stored instead of leaving it out', async () => {
  let isGone = false;
  const fixture = await openEngineFixture({
    wrapStore: wrapped((real) => ({
      readBodies: async (hashes: readonly string[]) => {
        const bodies = await real.readBodies(hashes);
        return isGone ? new Map([...bodies].slice(1)) : bodies;
      },
    })),
  });
  const { reply } = await assemble(fixture, { messages: [...conversation(2)] });
  isGone = true;
  const { messages, missing } = await fixture.send('callMessages', { params: { id: reply.call_id } });
  expect([messages.length, missing.length]).toEqual([3, 1]);
});
