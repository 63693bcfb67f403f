import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { withLockFile } from './lock-file.ts';

describe('a lock that nobody can be asked about', () => {
  let folder: string;
  let file: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'strata-lock-'));
    file = join(folder, 'page.lock');
    onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  });

  async function leave(text: string, minutesAgo: number): Promise<void> {
    await writeFile(file, text);
    const at = new Date(Date.now() - minutesAgo * 60_000);
    await utimes(file, at, at);
  }

  const ofAnotherHost = JSON.stringify({ pid: 1, host: 'a-name-of-before', born: '1', nonce: 'n' });

  it('is taken over when a power cut left it without its content', async () => {
    await leave('', 2);
    await expect(withLockFile(file, 200, async () => Promise.resolve('written'))).resolves.toBe('written');
    expect(await readdir(folder)).toEqual([]);
  });

  it('is taken over when it bears a name that this machine had before', async () => {
    await leave(ofAnotherHost, 11);
    await expect(withLockFile(file, 200, async () => Promise.resolve('written'))).resolves.toBe('written');
  });

  it.each([
    ['without content', ''],
    ['of another host', ofAnotherHost],
  ])('stands while it is young: %s', async (_what, text) => {
    await leave(text, 0);
    await expect(withLockFile(file, 50, async () => Promise.resolve())).rejects.toMatchObject({
      code: 'workspace_blocked',
    });
  });
});
