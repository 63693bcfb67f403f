// The inspector in a real browser: builds what is stale, then walks through it. Bounded by e2e/browser/run.ts itself.
import { join } from 'node:path';
import { buildIfStale } from './lib/build-if-stale.mjs';
import { pinnedNode } from './lib/pinned-node.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';

await buildIfStale();
const { code } = await run(pinnedNode(), [join(root, 'e2e', 'browser', 'run.ts')]);
process.exitCode = code;
