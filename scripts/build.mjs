// Builds everything into out/: main, preload, renderer (electron-vite) and the OpenClaw plugin (vite).
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildStamp } from './lib/build-if-stale.mjs';
import { hashSources } from './lib/hash-sources.mjs';
import { pinnedNode } from './lib/pinned-node.mjs';
import { root } from './lib/root.mjs';
import { run } from './lib/run.mjs';

const tool = (path) => join(root, 'node_modules', path);
const steps = [
  [tool('electron-vite/bin/electron-vite.js'), 'build', '--logLevel', 'warn'],
  [tool('vite/bin/vite.js'), 'build', '--config', 'vite.plugin.config.ts', '--logLevel', 'warn'],
];

rmSync(buildStamp, { force: true });
const sources = hashSources();
for (const args of steps) {
  const { code } = await run(pinnedNode(), args);
  if (code !== 0) {
    console.error(`Build failed: ${args.slice(0, 2).join(' ')}`);
    process.exit(1);
  }
}
writeFileSync(buildStamp, sources);
