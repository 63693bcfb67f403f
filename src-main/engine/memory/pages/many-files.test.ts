import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { openEngineFixture } from '../../testing/engine-fixture.ts';

it(
  '2,000 files that appear under a running engine are all taken in, a hundred at once, while it answers',
  { timeout: 120_000 },
  async () => {
    const fixture = await openEngineFixture({ config: { memory: { write_memory_md: false } } });
    const { keeper } = fixture.engine.memory;
    await keeper.settled();
    const { workspace } = fixture.parts;
    const read = workspace.read.bind(workspace);
    let [open, most] = [0, 0];
    vi.spyOn(workspace, 'read').mockImplementation(async (path) => {
      most = Math.max(most, (open += 1));
      try {
        return await read(path);
      } finally {
        open -= 1;
      }
    });
    const root = join(fixture.dataDir, 'workspace');
    for (let folder = 0; folder < 20; folder += 1) {
      await mkdir(join(root, `f${folder}`));
      const files = Array.from({ length: 100 }, (_, at) => join(root, `f${folder}`, `n${at}.md`));
      await Promise.all(files.map(async (file) => writeFile(file, `# ${file.slice(root.length)}\n\nText.\n`)));
    }
    let answersBetween = 0;
    for (let total = 0; total < 2_000; total = (await fixture.send('pages', { query: { limit: 1 } })).total ?? 0) {
      await fixture.send('health', {});
      if (total > 0) answersBetween += 1;
      await sleep(20);
    }
    expect(answersBetween).toBeGreaterThan(0);
    // A batch of the intake, and what the index reads beside it.
    expect(most).toBeLessThanOrEqual(300);
  },
);
