import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrations } from './migrations/migrations.ts';
import { openDatabase } from './open-database.ts';
import { openSessionStore, type OpenSessionStore, type SessionStoreOptions } from './open-session-store.ts';
import { Backups } from './recovery/backups.ts';
import { metaWrites } from './tables/meta-table.ts';
import { startChild } from './testing/child-process.ts';
import { advancementCommand, sampleCheckpoint, sampleIdentity, sampleTrace, sampleTurn } from './testing/samples.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

function open(dataDir: string, over: Partial<SessionStoreOptions> = {}): OpenSessionStore {
  const store = openSessionStore({ dataDir, backups: 2, ...over });
  onTestFinished(() => store.close());
  return store;
}

async function fill(store: OpenSessionStore, advancements = 3): Promise<void> {
  await store.openSession(sampleIdentity(), 1_000, 'sess_1');
  for (let number = 1; number <= advancements; number += 1) await store.appendTurns(advancementCommand(number));
}

/** Rows of every table, read past the store. */
function rowCounts(dataDir: string): Readonly<Record<string, number>> {
  const db = new Database(join(dataDir, 'strata.db'), { readonly: true });
  const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").pluck().all() as string[];
  const counts = tables
    .filter((name) => !name.startsWith('sqlite_'))
    .map((name) => [name, db.prepare(`SELECT count(*) FROM ${name}`).pluck().get() as number]);
  db.close();
  return Object.fromEntries(counts) as Record<string, number>;
}

describe('openSessionStore', () => {
  it('makes a private directory with private files', async () => {
    const dataDir = join(temporaryDirectory(), 'a', 'b');
    await fill(open(dataDir));
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    for (const name of ['strata.db', 'strata.db-wal', 'strata.db-shm', 'lock.db']) {
      expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    }
  });

  it('S86: finds identical row counts in every table after a restart', async () => {
    const dataDir = temporaryDirectory();
    const store = open(dataDir);
    await fill(store);
    await store.startEpoch('sess_1', 2_000);
    await store.appendTurns(advancementCommand(4));
    await store.addCheckpoint(sampleCheckpoint(1), 'sess_1');
    await store.addCall(sampleTrace('call_1'), [], {});
    await store.close();
    const before = rowCounts(dataDir);
    for (let restart = 0; restart < 3; restart += 1) await open(dataDir).close();
    expect(rowCounts(dataDir)).toEqual(before);
    expect(before).toMatchObject({ turn: 12, epoch: 2, advancement: 4, checkpoint: 1, call: 1 });
  });

  it('leaves one complete file when it closes: no WAL beside it', async () => {
    const dataDir = temporaryDirectory();
    const store = open(dataDir);
    await fill(store);
    await store.close();
    expect(readdirSync(dataDir).sort()).toEqual(['lock.db', 'strata.db']);
  });

  it('may be closed twice, and answers calls after that with a typed error', async () => {
    const store = open(temporaryDirectory());
    await store.close();
    await store.close();
    await expect(store.stats()).rejects.toMatchObject({ code: 'shutting_down' });
    await expect(store.patchSession('x', {})).rejects.toMatchObject({ code: 'shutting_down' });
  });

  it('knows an unclean shutdown from a clean one and from a first start', async () => {
    const dataDir = temporaryDirectory();
    const first = open(dataDir);
    expect(first.wasUnclean).toBe(false);
    await first.close();
    const child = startChild('own-data-dir.ts', dataDir);
    await child.nextLine();
    await child.kill();
    const afterKill = open(dataDir);
    expect([afterKill.wasUnclean, afterKill.quickCheck()]).toEqual([true, []]);
    await afterKill.close();
    expect(open(dataDir).wasUnclean).toBe(false);
  });

  it('sets every pragma that a commit depends on, also after writing and reopening', () => {
    const dataDir = temporaryDirectory();
    const options = {
      file: join(dataDir, 'strata.db'),
      backups: new Backups(dataDir, 1),
      migrations,
      busyTimeoutMs: 5_000,
      now: Date.now,
    };
    for (let start = 0; start < 2; start += 1) {
      const { writer, reader } = openDatabase(options);
      metaWrites(writer).set('clean_shutdown', '0');
      const names = ['journal_mode', 'synchronous', 'foreign_keys', 'trusted_schema', 'cell_size_check', 'temp_store'];
      const found = [...names, 'busy_timeout', 'application_id'].map((name) => [name, writer.pragma(name)]);
      reader.close();
      writer.close();
      expect(Object.fromEntries(found)).toEqual({
        journal_mode: 'wal',
        synchronous: 2,
        foreign_keys: 1,
        trusted_schema: 0,
        cell_size_check: 1,
        temp_store: 2,
        busy_timeout: 5_000,
        application_id: 0x53545241,
      });
    }
  });
});

describe('ownership of the data directory', () => {
  it('refuses a second store in the same process', () => {
    const dataDir = temporaryDirectory();
    open(dataDir);
    expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'data_dir_owned' }));
  });

  it('refuses a directory that another process owns, naming it, and takes it when that process is killed', async () => {
    const dataDir = temporaryDirectory();
    const child = startChild('own-data-dir.ts', dataDir);
    await child.nextLine();
    writeFileSync(join(dataDir, 'endpoint.json'), JSON.stringify({ pid: child.pid, url: 'http://127.0.0.1:1' }));
    expect(() => open(dataDir)).toThrow(
      expect.objectContaining({
        code: 'data_dir_owned',
        message: expect.stringContaining(`process ${child.pid} at http://127.0.0.1:1`) as string,
        details: { data_dir: dataDir, pid: child.pid, url: 'http://127.0.0.1:1' },
      }),
    );
    await child.kill();
    expect(open(dataDir).wasUnclean).toBe(true);
  });

  it.each(['{"pid":', 'null', '{"pid":"x","url":1}', '{"pid":7}'])(
    'names what it can of an owner whose endpoint.json is %j',
    async (text) => {
      const dataDir = temporaryDirectory();
      open(dataDir);
      writeFileSync(join(dataDir, 'endpoint.json'), text);
      expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'data_dir_owned' }));
    },
  );

  it('lets go of the directory when opening fails', async () => {
    const dataDir = temporaryDirectory();
    const broken = {
      version: 1,
      name: 'broken',
      up: () => {
        throw new Error('no');
      },
    };
    expect(() => open(dataDir, { migrations: [broken] })).toThrow(expect.objectContaining({ code: 'store_failed' }));
    await fill(open(dataDir));
  });

  it('says that the place is blocked when a file is in the way', () => {
    const path = join(temporaryDirectory(), 'file');
    writeFileSync(path, '');
    expect(() => open(path)).toThrow(expect.objectContaining({ code: 'data_dir_blocked' }));
    expect(() => open(join(path, 'below'))).toThrow(expect.objectContaining({ code: 'data_dir_blocked' }));
  });

  it.each(['lock.db', 'strata.db'])('says that the place is blocked when %s is a directory', (name) => {
    const dataDir = temporaryDirectory();
    mkdirSync(join(dataDir, name));
    expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'data_dir_blocked' }));
  });

  it('says that the place of backups is blocked when a file is in the way', async () => {
    const dataDir = temporaryDirectory();
    writeFileSync(join(dataDir, 'backups'), '');
    await expect(open(dataDir).backUp()).rejects.toMatchObject({ code: 'data_dir_blocked' });
  });

  it.skipIf(process.getuid?.() === 0 || process.platform === 'win32')('refuses a read-only directory', () => {
    const dataDir = temporaryDirectory();
    chmodSync(dataDir, 0o500);
    expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'data_dir_blocked' }));
  });
});

describe('another program on the same database', () => {
  it('S84: waits for a short lock, then writes', async () => {
    const dataDir = temporaryDirectory();
    const store = open(dataDir);
    await fill(store, 1);
    const child = startChild('hold-write-lock.ts', join(dataDir, 'strata.db'), '300');
    await child.nextLine();
    expect(await store.appendTurns(advancementCommand(2))).toMatchObject({ status: 'stored' });
  });

  it('S84: gives up on a long lock with a typed error, stores nothing, and still reads', async () => {
    const dataDir = temporaryDirectory();
    const store = open(dataDir, { busyTimeoutMs: 50 });
    await fill(store, 1);
    const child = startChild('hold-write-lock.ts', join(dataDir, 'strata.db'));
    await child.nextLine();
    await expect(store.appendTurns(advancementCommand(2))).rejects.toMatchObject({ code: 'store_failed' });
    expect((await store.turnsInRange('sess_1', 1, 9, 99)).map((turn) => turn.sequence)).toEqual([1, 2, 3]);
    await child.kill();
    expect(await store.appendTurns(advancementCommand(2))).toMatchObject({ status: 'stored' });
  });

  it('does not start while another program holds the database locked', async () => {
    const dataDir = temporaryDirectory();
    await open(dataDir).close();
    const child = startChild('hold-write-lock.ts', join(dataDir, 'strata.db'));
    await child.nextLine();
    const attempt = () => open(dataDir, { busyTimeoutMs: 50 });
    expect(attempt).toThrow(expect.objectContaining({ code: 'data_dir_owned' }));
    await child.kill();
    expect(existsSync(join(dataDir, 'strata.db'))).toBe(true);
    await fill(open(dataDir));
  });
});

describe('what may never change', () => {
  it.each([
    ["UPDATE turn SET preview = 'x'", 'turns are never rewritten'],
    ['DELETE FROM turn', 'turns are never deleted'],
    ["UPDATE content SET body = x''", 'contents are never rewritten'],
    ['DELETE FROM content', 'contents of turns are never deleted'],
    ["UPDATE call SET trace = x''", 'traces are never rewritten'],
    ["UPDATE checkpoint SET record = x''", 'checkpoints are never rewritten'],
    ['DELETE FROM checkpoint', 'checkpoints are never deleted'],
  ])('the database itself refuses %s', async (sql, message) => {
    const dataDir = temporaryDirectory();
    const store = open(dataDir);
    await fill(store);
    await store.addCall(sampleTrace('call_1'), [], {});
    await store.addCheckpoint(sampleCheckpoint(1), 'sess_1');
    const db = new Database(join(dataDir, 'strata.db'));
    onTestFinished(() => void db.close());
    expect(() => db.exec(sql)).toThrow(message);
  });

  it('keeps the body of a turn that was a live message before', async () => {
    const dataDir = temporaryDirectory();
    const store = open(dataDir);
    await store.openSession(sampleIdentity(), 1, 'sess_1');
    const turn = sampleTurn(1);
    await store.putContents([turn]);
    await store.addCall(sampleTrace('call_1'), [turn], {});
    await store.appendTurns({ sessionUid: 'sess_1', at: 1, turns: [turn] });
    await store.addCall(sampleTrace('call_2'), [], {});
    await store.pruneCalls(1);
    expect((await store.readBodies([turn.contentHash])).get(turn.contentHash)).toBe(turn.body);
  });
});
