import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../http/testing/temporary-directory.ts';
import { writePrivateFile } from './write-private-file.ts';

describe('writing a private file', () => {
  it('replaces the old one wholly and leaves nothing beside it', async () => {
    const directory = await temporaryDirectory();
    const path = join(directory, 'file');
    await writeFile(path, 'a much longer old text', { mode: 0o644 });
    await writePrivateFile(path, 'new');
    expect(await readFile(path, 'utf8')).toBe('new');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(directory)).toEqual(['file']);
  });

  it('leaves no half file behind when it fails', async () => {
    const directory = await temporaryDirectory();
    await mkdir(join(directory, 'file', 'full'), { recursive: true });
    await expect(writePrivateFile(join(directory, 'file'), 'new')).rejects.toMatchObject({ code: 'data_dir_blocked' });
    expect(await readdir(directory)).toEqual(['file']);
  });

  it('names the path whose directory is missing', async () => {
    const path = join(await temporaryDirectory(), 'missing', 'file');
    await expect(writePrivateFile(path, 'x')).rejects.toThrow(path);
  });

  it('ends with one of the texts when several are written at once', async () => {
    const path = join(await temporaryDirectory(), 'file');
    const texts = ['one', 'two', 'three'].map((text) => text.repeat(10_000));
    await Promise.all(texts.map(async (text) => writePrivateFile(path, text)));
    expect(texts).toContain(await readFile(path, 'utf8'));
  });
});
