import { chmod, mkdir, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../http/testing/temporary-directory.ts';
import { prepareDataDirectory, resolveDataDirectory } from './data-directory.ts';

describe('the data directory', () => {
  it.each([
    [undefined, join(homedir(), '.strata')],
    ['', join(homedir(), '.strata')],
    ['  ', join(homedir(), '.strata')],
    ['~', homedir()],
    ['~/memory', join(homedir(), 'memory')],
    ['/data/strata/', '/data/strata'],
    ['relative', join(process.cwd(), 'relative')],
  ])('is, for STRATA_HOME %j, %s', (value, expected) => {
    expect(resolveDataDirectory({ STRATA_HOME: value }).replace(/(.)\/$/, '$1')).toBe(expected);
  });

  it('is made with its parents, closed to others', async () => {
    const dataDir = join(await temporaryDirectory(), 'a', 'b');
    await prepareDataDirectory(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('is closed to others when it was open', async () => {
    const dataDir = join(await temporaryDirectory(), 'open');
    await mkdir(dataDir);
    await chmod(dataDir, 0o755);
    await prepareDataDirectory(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  });

  it('names path and remedy when a file is in its place', async () => {
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    for (const path of [file, join(file, 'below')]) {
      await expect(prepareDataDirectory(path)).rejects.toMatchObject({
        code: 'data_dir_blocked',
        message: expect.stringMatching(new RegExp(`${path}.*STRATA_HOME`)) as string,
      });
    }
  });
});
