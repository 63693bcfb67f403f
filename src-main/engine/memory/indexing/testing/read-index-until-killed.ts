// Child of tests: another process that searches the same index, again and again, and prints how many rows it found.
import { writeSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { openInlineIndex } from '../../../../index/open-inline-index.ts';
import { asking } from '../../../../index/testing/samples.ts';

const index = openInlineIndex({ file: process.argv[2] ?? '' });
for (;;) {
  const hits = await index.searchText(asking('harbour', { limit: 1_000 }));
  writeSync(1, `${hits.length}\n`);
  await wait(20);
}
