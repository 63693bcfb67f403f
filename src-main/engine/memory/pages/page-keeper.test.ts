import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openEngineFixture } from '../../testing/engine-fixture.ts';

it('what is asked for while it is tried whether files can be written is looked at before the keeper rests', async () => {
  const fixture = await openEngineFixture();
  const { keeper } = fixture.engine.memory;
  await keeper.settled();
  let again: Promise<void> | undefined;
  vi.spyOn(fixture.parts.workspace, 'readOnly').mockImplementationOnce(async () => {
    await writeFile(join(fixture.dataDir, 'workspace', 'late.md'), 'Written at the last moment.\n');
    again = keeper.scan();
    return undefined;
  });
  await keeper.scan();
  expect(again).toBeDefined();
  await again;
  expect(await fixture.parts.pageStore.find('strata://resources/late')).toMatchObject({ isGone: false });
});
