// Lines per file: median, 90th percentile, largest, and the ten largest. Printed to be looked at, never a gate.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const folders = ['src-shared', 'src-main', 'src-renderer', 'src-plugin', 'bench', 'e2e', 'scripts', 'bin'];
const isSource = (path) => /\.(ts|tsx|mjs|css)$/.test(path) && !path.includes(`${sep}fixtures${sep}`);
const isTest = (path) => /\.test\.tsx?$/.test(path) || path.includes(`${sep}testing${sep}`);

function sourcesOf(folder) {
  let entries;
  try {
    entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  } catch (error) {
    if (error.code === 'ENOENT') return [];
    throw error;
  }
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isSource)
    .map((path) => ({ path: relative(root, path), lines: readFileSync(path, 'utf8').split('\n').length - 1 }));
}

function row(name, files) {
  const sorted = files.map((file) => file.lines).sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const total = sorted.reduce((sum, lines) => sum + lines, 0);
  const cells = [sorted.length, total, at(0.5), at(0.9), sorted.at(-1) ?? 0].map((cell) => String(cell).padStart(8));
  console.log(name.padEnd(22) + cells.join(''));
}

console.log(' '.repeat(22) + ['files', 'lines', 'median', 'p90', 'largest'].map((word) => word.padStart(8)).join(''));
const all = folders.flatMap((folder) => {
  const files = sourcesOf(folder);
  if (files.length > 0)
    row(
      folder,
      files.filter((file) => !isTest(file.path)),
    );
  return files;
});
const product = all.filter((file) => !isTest(file.path));
row('without tests', product);
row(
  'tests',
  all.filter((file) => isTest(file.path)),
);

console.log('\nTen largest, tests aside:');
for (const file of product.sort((a, b) => b.lines - a.lines).slice(0, 10)) {
  console.log(`${String(file.lines).padStart(6)}  ${file.path}`);
}
