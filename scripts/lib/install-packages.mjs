import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { spawnSync } from 'node:child_process';

const lockFile = join(root, 'package-lock.json');
const stampFile = join(root, 'node_modules', '.strata-installed');

/** Installs what package-lock.json names, once per state of the lock. Needs nothing but npm. */
export function installPackages() {
  const wanted = createHash('sha256').update(readFileSync(lockFile)).digest('hex');
  if (readStamp() === wanted) return;
  if (!isInstalled()) {
    console.log('Installing packages (npm ci), once for this state of package-lock.json …');
    npmCi();
  }
  writeFileSync(stampFile, wanted);
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
}

/** True when node_modules already holds exactly what the lock asks for, for example after an npm ci by hand. */
function isInstalled() {
  const hidden = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(hidden) || !existsSync(join(root, 'node_modules', 'node', 'bin'))) return false;
  const present = JSON.parse(readFileSync(hidden, 'utf8')).packages;
  const wanted = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return Object.entries(wanted)
    .filter(([path, entry]) => path !== '' && !entry.optional && !entry.devOptional && !entry.peer)
    .every(([path, entry]) => present[path]?.version === entry.version);
}

function npmCi() {
  // The npm that started us, else the one on the PATH.
  const script = process.env.npm_execpath;
  const [command, first] = script?.endsWith('.js') ? [process.execPath, [script]] : ['npm', []];
  const result = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel', 'error'], {
    cwd: root,
    stdio: 'inherit',
    shell: command === 'npm' && process.platform === 'win32',
    env: { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1' },
  });
  if (result.error)
    throw new Error(`npm could not be started (${result.error.message}). It comes with Node: check your installation.`);
  if (result.status !== 0) {
    throw new Error(
      `npm ci ended with code ${result.status ?? result.signal}. What it printed above says why; nothing was started.`,
    );
  }
}
