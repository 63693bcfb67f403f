import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { loadBearerToken } from './bearer-token.ts';

describe('the token file', () => {
  it('is made with 32 random bytes, readable by its owner only', async () => {
    const dataDir = await temporaryDirectory();
    const { token, path } = await loadBearerToken(dataDir);
    expect(token).toMatch(/^[0-9a-f]{64}$/);
    expect(await readFile(path, 'utf8')).toBe(token);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('differs from directory to directory', async () => {
    const [a, b] = await Promise.all([temporaryDirectory(), temporaryDirectory()]);
    expect((await loadBearerToken(a)).token).not.toBe((await loadBearerToken(b)).token);
  });

  it('is never replaced once it is there', async () => {
    const dataDir = await temporaryDirectory();
    const first = await loadBearerToken(dataDir);
    expect(await loadBearerToken(dataDir)).toEqual(first);
  });

  it('may be chosen by the user, with a final newline', async () => {
    const dataDir = await temporaryDirectory();
    const own = 'my-own-token-that-is-long-enough-0123456789';
    await writeFile(join(dataDir, 'token'), `${own}\n`);
    expect((await loadBearerToken(dataDir)).token).toBe(own);
    expect(await readFile(join(dataDir, 'token'), 'utf8')).toBe(`${own}\n`);
  });

  it('loses the rights of others', async () => {
    const dataDir = await temporaryDirectory();
    const { path } = await loadBearerToken(dataDir);
    await chmod(path, 0o644);
    await loadBearerToken(dataDir);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is filled when a crash left it empty', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'token'), '');
    const { token, path } = await loadBearerToken(dataDir);
    expect(await readFile(path, 'utf8')).toBe(token);
  });

  it.each(['short', 'two words that are long enough to be a token', `bytes\u0007${'x'.repeat(40)}`, 'x'.repeat(600)])(
    'is refused, and left alone, when it holds %j',
    async (content) => {
      const dataDir = await temporaryDirectory();
      await writeFile(join(dataDir, 'token'), content);
      await expect(loadBearerToken(dataDir)).rejects.toMatchObject({ code: 'data_dir_blocked' });
      expect(await readFile(join(dataDir, 'token'), 'utf8')).toBe(content);
    },
  );

  it('is refused with a remedy when a directory is in its place', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'token'));
    await expect(loadBearerToken(dataDir)).rejects.toMatchObject({ code: 'data_dir_blocked' });
  });
});
