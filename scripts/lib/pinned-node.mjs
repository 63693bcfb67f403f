import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

/** The Node that package-lock.json pins: the one that the product is developed, tested and run with. */
export function pinnedNode() {
  const path = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(path)) {
    throw new Error(
      `Expected Node 24 at ${path}, found nothing. Its install script may have been blocked: remove node_modules and run npm ci again, with install scripts allowed.`,
    );
  }
  return path;
}

/**
 * A context of 128k tokens passes through the young generation at every call; with V8's usual 16 MB halves the daemon
 * stays 90 MB larger for the same speed (measured, docs/performance.md).
 */
export const daemonFlags = ['--max-semi-space-size=8'];

/** The environment of every program that we start: the pinned Node first, and never a download of Electron. */
export function childEnvironment() {
  const path = [join(root, 'node_modules', 'node', 'bin'), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''];
  return {
    ...process.env,
    PATH: path.join(process.platform === 'win32' ? ';' : ':'),
    ELECTRON_SKIP_BINARY_DOWNLOAD: '1',
  };
}
