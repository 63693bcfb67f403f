import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBuildStale } from './build-if-stale.mjs';
import { daemonFlags, pinnedNode } from './pinned-node.mjs';
import { root } from './root.mjs';

/** Runs the command line under the pinned Node, in the caller's folder; answers its exit code. */
export async function runStrata(args) {
  let node;
  try {
    node = pinnedNode();
  } catch (error) {
    console.error(`strata: ${error.message}`);
    if (!existsSync(join(root, 'node_modules')))
      console.error(`strata: Nothing is installed yet. Run "npm start" in ${root} once.`);
    return 1;
  }
  const built = join(root, 'out', 'main', 'cli.js');
  const program = isBuildStale() ? join(root, 'src-main', 'cli', 'main.ts') : built;
  return runForeground(node, [...daemonFlags, '--disable-warning=ExperimentalWarning', program, ...args]);
}

/** Starts a program on this terminal and hands signals on; it decides itself when and how to end. */
export function runForeground(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    endWithNpm(child);
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}

/**
 * npm runs us through a shell, and some shells die of a signal without handing it on: the program would go on alone.
 * A changed parent tells. Started without npm, a parent that goes away means nothing.
 */
function endWithNpm(child) {
  if (!process.env.npm_lifecycle_event) return;
  const parent = process.ppid;
  setInterval(() => {
    if (process.ppid !== parent) child.kill('SIGTERM');
  }, 500).unref();
}
