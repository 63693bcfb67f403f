import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './root.mjs';

/** What a build is made of. Tests are left out: they change nothing in it. */
const inputs = [
  'src-shared',
  'src-main',
  'src-renderer',
  'src-plugin',
  'resources',
  'electron.vite.config.ts',
  'vite.plugin.config.ts',
  'scripts/build.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.base.json',
];

/** SHA-256 over the names and contents of everything that goes into the build. */
export function hashSources() {
  const hash = createHash('sha256');
  for (const file of inputs.flatMap(filesOf).sort()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

function filesOf(input) {
  const path = join(root, input);
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}
