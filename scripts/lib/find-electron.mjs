import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';

const names = { darwin: 'Electron.app/Contents/MacOS/Electron', win32: 'electron.exe' };

/**
 * The Electron program, where one is already here and a window could open. Never asks the electron package, which
 * would download it.
 * @returns {{ program: string } | { program: undefined, reason: string }}
 */
export function findElectron(env) {
  const named = env.STRATA_ELECTRON;
  const program = named || join(root, 'node_modules', 'electron', 'dist', names[process.platform] ?? 'electron');
  if (!existsSync(program)) {
    const where = named ? `STRATA_ELECTRON names ${named}, which does not exist` : 'no Electron program is installed';
    return { program: undefined, reason: where };
  }
  const hasDisplay = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
  return hasDisplay ? { program } : { program: undefined, reason: 'there is no display' };
}
