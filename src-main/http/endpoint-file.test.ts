import { readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isProcessAlive, readEndpoint, removeEndpoint, writeEndpoint } from './endpoint-file.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

const endpoint = {
  url: 'http://127.0.0.1:7717',
  pid: process.pid,
  started_at: '2026-11-02T10:00:00.000Z',
  token_file: '/data/token',
  version: '1.0.0',
};

describe('endpoint.json', () => {
  it('says where the daemon is, to its owner only, and leaves no other file', async () => {
    const dataDir = await temporaryDirectory();
    await writeEndpoint(dataDir, endpoint);
    expect(await readEndpoint(dataDir)).toEqual(endpoint);
    expect((await stat(join(dataDir, 'endpoint.json'))).mode & 0o777).toBe(0o600);
    expect(await readdir(dataDir)).toEqual(['endpoint.json']);
  });

  it('replaces what a daemon that died left behind', async () => {
    const dataDir = await temporaryDirectory();
    await writeEndpoint(dataDir, { ...endpoint, pid: 1 });
    await writeEndpoint(dataDir, endpoint);
    expect((await readEndpoint(dataDir))?.pid).toBe(process.pid);
  });

  it.each(['', '{', 'null', '{"url":"x"}', '{"pid":"1"}'])('counts as missing when it holds %j', async (text) => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'endpoint.json'), text);
    expect(await readEndpoint(dataDir)).toBeUndefined();
  });

  it('is removed by the daemon that wrote it, and by no other', async () => {
    const dataDir = await temporaryDirectory();
    await writeEndpoint(dataDir, endpoint);
    await removeEndpoint(dataDir, { ...endpoint, pid: 1 });
    expect(await readEndpoint(dataDir)).toBeDefined();
    await removeEndpoint(dataDir, endpoint);
    expect(await readEndpoint(dataDir)).toBeUndefined();
    await removeEndpoint(dataDir, endpoint);
  });
});

describe('whether a process lives', () => {
  it('is known of this one, of one that belongs to somebody else, and of one that never was', () => {
    expect(isProcessAlive(process.pid)).toBe(true);
    expect(isProcessAlive(1)).toBe(true);
    expect(isProcessAlive(2 ** 22 + 12_345)).toBe(false);
  });
});
