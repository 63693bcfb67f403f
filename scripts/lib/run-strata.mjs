import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isBuildStale } from './build-if-stale.mjs';
import { pinnedNode } from './pinned-node.mjs';
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
  return runForeground(node, ['--disable-warning=ExperimentalWarning', program, ...args]);
}

/** Starts a program on this terminal and hands signals on; it decides itself when and how to end. */
export function runForeground(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', env });
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
    child.on('error', reject);
    child.on('close', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 143)));
  });
}
