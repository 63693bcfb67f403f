import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { backUpIfDue, startUpkeep } from './host-upkeep.ts';
import { silentLogger } from './logger.ts';

const day = 24 * 60 * 60_000;
const now = Date.parse('2026-11-30T03:00:00Z');
let dataDir: string;
let made: number;
let trouble: string[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-upkeep-'));
  made = 0;
  trouble = [];
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function look(backUp: () => Promise<string> = () => Promise.resolve(`backup ${(made += 1)}`)): Promise<void> {
  await backUpIfDue({
    dataDir,
    backUp,
    checkFile: undefined,
    now: () => now,
    logger: silentLogger,
    onTrouble: (kind, message) => trouble.push(`${kind}: ${message}`),
  });
}

async function backupOf(time: number): Promise<void> {
  const path = join(dataDir, 'backups', `strata-${time}.db`);
  await mkdir(join(dataDir, 'backups'), { recursive: true });
  await writeFile(path, '');
  await utimes(path, time / 1000, time / 1000);
}

describe('the daily backup', () => {
  it('is made when there is none', async () => {
    await look();
    expect([made, trouble]).toEqual([1, ['backup: ']]);
  });

  it('is not made again within a day', async () => {
    await backupOf(now - day + 60_000);
    await look();
    expect(made).toBe(0);
  });

  it('is made when the newest is a day old', async () => {
    await backupOf(now - 3 * day);
    await backupOf(now - day - 1);
    await look();
    expect(made).toBe(1);
  });

  it('says so when it fails, and goes on', async () => {
    await look(() => Promise.reject(new Error('no space left')));
    expect(trouble).toEqual(['backup: The daily backup failed: no space left']);
  });
});

describe('the files of a running daemon', () => {
  it('are missed when somebody deletes them', async () => {
    vi.useFakeTimers();
    await writeFile(join(dataDir, 'strata.db'), 'x');
    const upkeep = startUpkeep({
      dataDir,
      backUp: () => Promise.resolve(''),
      checkFile: undefined,
      now: () => now,
      logger: silentLogger,
      onTrouble: (kind, message) => trouble.push(`${kind}: ${message}`),
    });
    vi.advanceTimersByTime(5_000);
    expect(trouble).toEqual([]);
    await rm(join(dataDir, 'strata.db'));
    vi.advanceTimersByTime(5_000);
    expect(trouble.join()).toContain('strata.db was deleted or replaced');
    vi.useRealTimers();
    await upkeep.stop();
  });

  it('are not copied once damage was found, or the last sound backup would be pushed out', async () => {
    vi.useFakeTimers();
    let copies = 0;
    const upkeep = startUpkeep({
      dataDir,
      backUp: () => Promise.resolve(String((copies += 1))),
      checkFile: () => ['row 7 missing from index'],
      now: () => now,
      logger: silentLogger,
      onTrouble: (kind, message) => trouble.push(`${kind}: ${message}`),
    });
    vi.advanceTimersByTime(3 * 60 * 60_000);
    vi.useRealTimers();
    await upkeep.stop();
    expect(copies).toBe(0);
    expect(trouble).toEqual(['damage: The database is damaged: row 7 missing from index']);
  });
});
