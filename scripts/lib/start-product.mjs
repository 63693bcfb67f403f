import { join } from 'node:path';
import { buildIfStale } from './build-if-stale.mjs';
import { findElectron } from './find-electron.mjs';
import { installPackages } from './install-packages.mjs';
import { childEnvironment, daemonFlags, pinnedNode } from './pinned-node.mjs';
import { root } from './root.mjs';
import { runForeground } from './run-strata.mjs';

/** Runs until it is told to stop; answers the exit code. */
export async function startProduct() {
  installPackages();
  await buildIfStale();
  const desktop = findElectron(process.env);
  if (desktop.program !== undefined) {
    console.log(`Starting the desktop app (${desktop.program}).`);
    const asRoot = process.platform === 'linux' && process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    return runForeground(desktop.program, [...asRoot, root], childEnvironment());
  }
  console.log(`Starting the headless daemon: ${desktop.reason}.`);
  return runForeground(
    pinnedNode(),
    [...daemonFlags, join(root, 'out', 'main', 'cli.js'), 'daemon'],
    childEnvironment(),
  );
}
