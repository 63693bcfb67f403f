import { access, constants, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { errorCode } from '../../settings/file-failure.ts';
import { loadConfig } from '../../settings/load-config.ts';
import { findSyncFolder } from '../../store/data-dir/find-sync-folder.ts';
import { failed, ok, warning, type Check } from './check.ts';

/** The directory itself, its settings and its token. */
export async function checkDataDir(dataDir: string): Promise<readonly Check[]> {
  const directory = await checkDirectory(dataDir);
  if (directory.state === 'failed') return [directory];
  const checks = [directory, ...checkSyncFolder(dataDir), await checkConfig(dataDir), await checkToken(dataDir)];
  return checks;
}

async function checkDirectory(dataDir: string): Promise<Check> {
  try {
    const { mode } = await stat(dataDir);
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    if (isOpenToOthers(mode)) {
      return warning('data_dir', `Other users can look into ${dataDir}.`, `chmod 700 ${dataDir}`);
    }
    return ok('data_dir', `The data directory is ${dataDir}.`);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return failed('data_dir', `There is no data directory ${dataDir} yet.`, 'Start Strata once: npm start');
    }
    return failed(
      'data_dir',
      `The data directory ${dataDir} cannot be used (${errorCode(error) ?? 'unknown error'}).`,
      'Make it yours and writable, or name another one in STRATA_HOME.',
    );
  }
}

function checkSyncFolder(dataDir: string): readonly Check[] {
  const service = findSyncFolder(dataDir);
  if (service === undefined) return [];
  return [
    warning(
      'sync_folder',
      `${dataDir} lies in a folder of ${service}, which copies databases while they are written and damages them.`,
      'Stop Strata, move the directory elsewhere and name its new place in STRATA_HOME.',
    ),
  ];
}

async function checkConfig(dataDir: string): Promise<Check> {
  try {
    await loadConfig(dataDir);
    return ok('config', 'config.yaml is valid.');
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return failed('config', error.message, `Mend ${join(dataDir, 'config.yaml')}, then start Strata again.`);
  }
}

async function checkToken(dataDir: string): Promise<Check> {
  const path = join(dataDir, 'token');
  try {
    const { mode } = await stat(path);
    const text = (await readFile(path, 'utf8')).trim();
    if (text.length < 32) {
      return failed(
        'token',
        `${path} holds no usable token.`,
        'Remove the file and start Strata again; it makes a new one.',
      );
    }
    if (isOpenToOthers(mode)) {
      return failed('token', `Other users can read ${path}, and with it every conversation.`, `chmod 600 ${path}`);
    }
    return ok('token', 'The token is readable for you only.');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') {
      return failed('token', `There is no token in ${dataDir}.`, 'Start Strata once: it makes one.');
    }
    return failed(
      'token',
      `${path} cannot be read (${errorCode(error) ?? 'unknown error'}).`,
      `chmod 600 ${path}, as its owner`,
    );
  }
}

function isOpenToOthers(mode: number): boolean {
  return process.platform !== 'win32' && (mode & 0o077) !== 0;
}
