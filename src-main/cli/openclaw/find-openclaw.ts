import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';

/** Where the OpenClaw of this machine keeps its state and configuration, by its own rules. */
export interface OpenClawPlace {
  readonly stateDir: string;
  readonly configPath: string;
  /** The `openclaw` program on the PATH, if there is one. */
  readonly program: string | undefined;
}

/**
 * `OPENCLAW_CONFIG_PATH`, else `openclaw.json` in `OPENCLAW_STATE_DIR`, else in `.openclaw` of the home folder
 * (`OPENCLAW_HOME`, `HOME`).
 */
export function findOpenClaw(env: NodeJS.ProcessEnv = process.env): OpenClawPlace {
  const home = env['OPENCLAW_HOME'] || env['HOME'] || env['USERPROFILE'] || homedir();
  const expand = (path: string): string => resolve(path.replace(/^~(?=$|[\\/])/, home));
  const stateDir = env['OPENCLAW_STATE_DIR'] ? expand(env['OPENCLAW_STATE_DIR']) : join(home, '.openclaw');
  const configPath = env['OPENCLAW_CONFIG_PATH']
    ? expand(env['OPENCLAW_CONFIG_PATH'])
    : join(stateDir, 'openclaw.json');
  return { stateDir, configPath, program: findProgram('openclaw', env) };
}

function findProgram(name: string, env: NodeJS.ProcessEnv): string | undefined {
  const names = process.platform === 'win32' ? [`${name}.cmd`, `${name}.exe`] : [name];
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.flatMap((folder) => names.map((file) => join(folder, file))).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false; // not there, or not for us: look further
  }
}
