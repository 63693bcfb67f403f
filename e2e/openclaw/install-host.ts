import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

const nodeVersion = '24.21.0';

export interface HostInstall {
  readonly version: string;
  readonly dir: string;
  /** The Node that runs this host. */
  readonly node: string;
  /** The `openclaw` command. */
  readonly cli: string;
  /** `PATH` with both in front. */
  readonly path: string;
}

/**
 * Installs one version of OpenClaw from the npm registry into a cache outside the repository (some 800 MB), with a Node
 * that it accepts. What is there already is used as it is.
 * @param version exact, such as `2026.9.6`
 */
export function installHost(version: string): HostInstall {
  const cache = process.env['STRATA_E2E_CACHE'] ?? join(homedir(), '.cache', 'strata-e2e');
  const dir = join(cache, `openclaw-${version}`);
  const install = describe(version, dir);
  if (isComplete(install)) return install;
  // Built beside and renamed when it is whole, so that a broken download never counts as installed.
  const building = `${dir}.installing`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  writeFileSync(join(building, 'package.json'), JSON.stringify({ name: 'strata-e2e-host', private: true }));
  npm(building, ['install', '--save-exact', `node@${nodeVersion}`], process.env['PATH'] ?? '');
  // The host checks its Node on install, and needs no install scripts besides.
  npm(
    building,
    ['install', '--save-exact', '--ignore-scripts', `openclaw@${version}`],
    describe(version, building).path,
  );
  rmSync(dir, { recursive: true, force: true });
  renameSync(building, dir);
  if (!isComplete(install)) throw new Error(`openclaw@${version} was installed into ${dir}, but it is not whole`);
  return install;
}

function describe(version: string, dir: string): HostInstall {
  const nodeBin = join(dir, 'node_modules', 'node', 'bin');
  const bin = join(dir, 'node_modules', '.bin');
  const path = [nodeBin, bin, process.env['PATH'] ?? ''].join(delimiter);
  return { version, dir, node: join(nodeBin, 'node'), cli: join(bin, 'openclaw'), path };
}

function isComplete({ version, dir, node, cli }: HostInstall): boolean {
  const manifest = join(dir, 'node_modules', 'openclaw', 'package.json');
  if (!existsSync(node) || !existsSync(cli) || !existsSync(manifest)) return false;
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version?: string }).version === version;
}

function npm(cwd: string, args: string[], path: string): void {
  const flags = ['--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync('npm', [...args, ...flags], { cwd, stdio: 'inherit', env: { ...process.env, PATH: path } });
  if (result.status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}`);
}
