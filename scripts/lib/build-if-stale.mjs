import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashSources } from './hash-sources.mjs';
import { pinnedNode } from './pinned-node.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';

/** Written by the build as its last act: the hash of the sources that it was made of. */
export const buildStamp = join(root, 'out', '.build-stamp');

export function isBuildStale() {
  return !existsSync(buildStamp) || readFileSync(buildStamp, 'utf8') !== hashSources();
}

export async function buildIfStale() {
  if (!isBuildStale()) return;
  console.log('Building …');
  const { code } = await run(pinnedNode(), [join(root, 'scripts', 'build.mjs')]);
  if (code !== 0)
    throw new Error(`The build ended with code ${code}. What it printed above says why; nothing was started.`);
}
