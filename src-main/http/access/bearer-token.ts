import { randomBytes } from 'node:crypto';
import { chmod, open, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { errorCode, fileFailure } from '../../settings/file-failure.ts';
import { writePrivateFile } from '../../settings/write-private-file.ts';

export interface BearerToken {
  readonly token: string;
  readonly path: string;
}

const remedy = 'Make it readable and writable for you alone';

/**
 * The token of the data directory, 32 random bytes as hex, made when there is none. A token that is there is never
 * replaced: plugins and scripts hold it.
 * @throws EngineError `data_dir_blocked` or `disk_full`
 */
export async function loadBearerToken(dataDir: string): Promise<BearerToken> {
  const path = join(dataDir, 'token');
  try {
    const made = await create(path);
    return { token: made ?? (await read(path)), path };
  } catch (error) {
    throw fileFailure(error, path, remedy);
  }
}

async function create(path: string): Promise<string | undefined> {
  const token = randomBytes(32).toString('hex');
  try {
    const file = await open(path, 'wx', 0o600);
    try {
      await file.writeFile(token);
      await file.sync();
    } finally {
      await file.close();
    }
    return token;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
}

async function read(path: string): Promise<string> {
  const text = (await readFile(path, 'utf8')).trim();
  if (text === '') {
    // A crash between making the file and writing it left it empty: nobody holds that token.
    const token = randomBytes(32).toString('hex');
    await writePrivateFile(path, token);
    return token;
  }
  if (!/^[\x21-\x7e]{32,512}$/.test(text)) {
    throw new EngineError(
      'data_dir_blocked',
      `Expected ${path} to hold one line of 32 to 512 visible characters. Remove the file to get a new token; clients read it again by themselves.`,
      { details: { path } },
    );
  }
  const { mode } = await stat(path);
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) await chmod(path, 0o600);
  return text;
}
