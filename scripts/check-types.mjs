// Checks the types of every kind of folder, each with its own tsconfig. Exit 1 when one of them fails.
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = join(root, 'node_modules', '.cache', 'strata-types');
mkdirSync(cache, { recursive: true });

const configs = readdirSync(root)
  .filter((name) => /^tsconfig\..+\.json$/.test(name) && name !== 'tsconfig.base.json')
  .sort();

/** Runs tsc on one tsconfig; answers what it printed and how it ended. */
function check(config) {
  return new Promise((resolve) => {
    const info = join(cache, `${config}.tsbuildinfo`);
    const args = [
      join(root, 'node_modules/typescript/bin/tsc'),
      '-p',
      config,
      '--incremental',
      '--tsBuildInfoFile',
      info,
    ];
    const child = spawn(process.execPath, args, { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk) => (output += chunk));
    child.stderr.on('data', (chunk) => (output += chunk));
    child.on('error', (error) => resolve({ config, output: error.message, ok: false }));
    child.on('close', (code) => resolve({ config, output, ok: code === 0 }));
  });
}

let failed = 0;
const queue = [...configs];
const worker = async () => {
  for (let config = queue.shift(); config !== undefined; config = queue.shift()) {
    const result = await check(config);
    console.log(`${result.ok ? '✓' : '✗'} ${config}`);
    if (result.output.trim()) console.log(result.output.trim());
    if (!result.ok) failed += 1;
  }
};
await Promise.all([worker(), worker()]);
process.exitCode = failed > 0 ? 1 : 0;
