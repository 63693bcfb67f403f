import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPackages } from './install-packages.mjs';
import { pinnedNode } from './pinned-node.mjs';
import { root } from './root.mjs';
import { run } from './run.mjs';
import { readCounts } from './read-counts.mjs';

const minute = 60_000;
const tool = (path) => join(root, 'node_modules', path);
const script = (path) => join(root, path);

/** The steps of `npm test`, cheap ones first; each is one command under the pinned Node. */
const steps = [
  {
    name: 'formatter',
    args: [
      tool('prettier/bin/prettier.cjs'),
      '--check',
      '--cache',
      '--cache-strategy',
      'content',
      '--log-level',
      'warn',
      '.',
    ],
  },
  { name: 'linter', args: [tool('eslint/bin/eslint.js'), '--max-warnings', '0', '.'] },
  { name: 'types', args: [script('scripts/check-types.mjs')] },
  {
    name: 'borders',
    args: [
      tool('dependency-cruiser/bin/dependency-cruise.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      'src-shared',
      'src-main',
      'src-renderer',
      'src-plugin',
    ],
  },
  { name: 'sizes', args: [script('scripts/sizes.mjs')] },
  { name: 'documentation', args: [script('scripts/check-docs.ts')] },
  { name: 'OpenAPI', args: [script('scripts/check-openapi.ts')] },
  { name: 'unit tests', args: [tool('vitest/vitest.mjs'), 'run', '--coverage'], vitest: true },
  { name: 'build', args: [script('scripts/build.mjs')] },
  { name: 'build check', args: [script('scripts/check-build.mjs')] },
  { name: 'browser', args: [script('e2e/browser/run.ts')], counted: true },
];

/** Runs every step, stops at the first failure; the last line says how many steps and tests passed and failed. */
export async function testProduct() {
  const total = { passed: 0, failed: 0 };
  const started = performance.now();
  await step({ name: 'packages' }, total, async () => {
    installPackages();
    return { code: 0, counts: undefined };
  });
  for (const entry of steps) {
    if (total.failed > 0) break;
    await step(entry, total, () => runStep(entry));
  }
  console.log(`\nTook ${seconds(started)}.`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 ? 1 : 0;
}

async function step(entry, total, act) {
  console.log(`\n▸ ${entry.name}`);
  const started = performance.now();
  const { code, counts } = await act();
  const good = code === 0 && !(counts?.failed > 0) && !(counts === undefined && (entry.vitest || entry.counted));
  total.passed += (counts?.passed ?? 0) + (good ? 1 : 0);
  total.failed += good ? 0 : Math.max(1, counts?.failed ?? 0);
  const tests = counts ? `, ${counts.passed} tests` : '';
  console.log(`${good ? '✓' : '✗'} ${entry.name} (${seconds(started)}${tests})`);
}

async function runStep(entry) {
  if (!entry.vitest) {
    const { code, output } = await run(pinnedNode(), entry.args, { timeoutMs: 15 * minute, capture: entry.counted });
    return { code, counts: entry.counted ? readCounts(output) : undefined };
  }
  const folder = mkdtempSync(join(tmpdir(), 'strata-test-'));
  try {
    const report = join(folder, 'report.json');
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const { code } = await run(pinnedNode(), [...entry.args, ...reporters], { timeoutMs: 15 * minute });
    return { code, counts: vitestCounts(report) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function vitestCounts(report) {
  try {
    const { numPassedTests, numFailedTests } = JSON.parse(readFileSync(report, 'utf8'));
    return { passed: numPassedTests, failed: numFailedTests };
  } catch (error) {
    console.log(`The test runner left no report (${error.message}).`);
    return undefined;
  }
}

function seconds(started) {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
