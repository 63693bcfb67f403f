import { copyFileSync, existsSync, readFileSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Migration } from '../migrations/migration.ts';
import { migrations } from '../migrations/migrations.ts';
import { openSessionStore, type OpenSessionStore, type SessionStoreOptions } from '../open-session-store.ts';
import { advancementCommand, sampleIdentity } from '../testing/samples.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { checkIntegrity } from './check-integrity.ts';

const at = Date.UTC(2026, 10, 3, 10, 15);

function open(dataDir: string, over: Partial<SessionStoreOptions> = {}): OpenSessionStore {
  const store = openSessionStore({ dataDir, backups: 2, now: () => at, ...over });
  onTestFinished(() => store.close());
  return store;
}

async function filledDir(advancements = 12): Promise<string> {
  const dataDir = temporaryDirectory();
  const store = open(dataDir);
  await store.openSession(sampleIdentity(), 1_000, 'sess_1');
  for (let number = 1; number <= advancements; number += 1) await store.appendTurns(advancementCommand(number));
  await store.close();
  return dataDir;
}

const damages: Readonly<Record<string, (file: string) => void>> = {
  'a corrupt header': (file) => overwrite(file, 0, Buffer.from('This is not a database at all.')),
  'a file that is cut off': (file) => truncateSync(file, Math.floor(statSync(file).size / 2)),
  'a file cut off within its first page': (file) => truncateSync(file, 700),
  'a damaged schema page': (file) => overwrite(file, 100, Buffer.alloc(900, 0xff)),
  'text in place of a database': (file) => writeFileSync(file, 'hello'.repeat(100)),
};

function overwrite(file: string, offset: number, bytes: Buffer): void {
  const content = readFileSync(file);
  bytes.copy(content, offset);
  writeFileSync(file, content);
}

describe('a damaged database', () => {
  it.each(Object.keys(damages))('with %s is set aside, and the newest sound backup restored', async (title) => {
    const dataDir = await filledDir();
    const store = open(dataDir);
    const backup = await store.backUp();
    await store.appendTurns(advancementCommand(13));
    await store.close();
    const file = join(dataDir, 'strata.db');
    damages[title]?.(file);
    const damaged = readFileSync(file);
    const restored = open(dataDir);
    const { recovery } = restored;
    expect(recovery).toMatchObject({ at, restoredFrom: backup, setAside: `${file}.corrupt-20261103T101500000Z` });
    expect(readFileSync(recovery?.setAside ?? '')).toEqual(damaged);
    expect(recovery?.message).toContain('what was stored after it is missing');
    expect(await restored.stats()).toMatchObject({ sessions: 1, turns: 36 });
    expect(await restored.appendTurns(advancementCommand(13))).toMatchObject({ status: 'stored' });
  });

  it('without a backup is set aside, and the store begins anew', async () => {
    const dataDir = await filledDir();
    damages['a corrupt header']?.(join(dataDir, 'strata.db'));
    const fresh = open(dataDir);
    expect(fresh.recovery).toMatchObject({ restoredFrom: undefined });
    expect(fresh.recovery?.message).toContain('the store began anew');
    expect(fresh.wasUnclean).toBe(false);
    expect(await fresh.stats()).toMatchObject({ sessions: 0, turns: 0 });
  });

  it('is reported once, and remembered in the database', async () => {
    const dataDir = await filledDir();
    damages['a corrupt header']?.(join(dataDir, 'strata.db'));
    await open(dataDir).close();
    expect(open(dataDir).recovery).toBeUndefined();
    const db = new Database(join(dataDir, 'strata.db'), { readonly: true });
    onTestFinished(() => void db.close());
    const stored = db.prepare("SELECT value FROM meta WHERE name = 'last_recovery'").pluck().get() as string;
    expect(JSON.parse(stored)).toMatchObject({ at });
  });

  it('never overwrites what was set aside before, and takes its WAL along', async () => {
    const dataDir = await filledDir();
    const file = join(dataDir, 'strata.db');
    for (let time = 0; time < 2; time += 1) {
      writeFileSync(file, `broken ${time}`.repeat(200));
      writeFileSync(`${file}-wal`, `wal ${time}`);
      await open(dataDir).close();
    }
    const aside = `${file}.corrupt-20261103T101500000Z`;
    expect([aside, `${aside}-1`].map((path) => readFileSync(path, 'utf8').slice(0, 8))).toEqual([
      'broken 0',
      'broken 1',
    ]);
    expect(readFileSync(`${aside}-1-wal`, 'utf8')).toBe('wal 1');
  });

  it('skips backups that are damaged, cut off or of another program', async () => {
    const dataDir = await filledDir(20);
    const store = open(dataDir);
    const good = await store.backUp();
    await store.close();
    const later = (day: number) => join(dataDir, 'backups', `strata-2027010${day}T000000000Z-v3.db`);
    writeFileSync(later(1), 'garbage'.repeat(1_000));
    copyFileSync(good, later(2));
    truncateSync(later(2), 20_000);
    copyFileSync(good, later(3));
    overwrite(later(3), statSync(later(3)).size / 2, Buffer.alloc(4_096, 0x55));
    const other = new Database(later(4));
    other.exec('CREATE TABLE theirs (x)');
    other.close();
    damages['a corrupt header']?.(join(dataDir, 'strata.db'));
    const restored = open(dataDir);
    expect(restored.recovery?.restoredFrom).toBe(good);
    expect(await restored.stats()).toMatchObject({ turns: 60 });
  });

  it('is noticed when the file became empty although there are backups', async () => {
    const dataDir = await filledDir();
    const store = open(dataDir);
    const backup = await store.backUp();
    await store.close();
    truncateSync(join(dataDir, 'strata.db'), 0);
    expect(open(dataDir).recovery?.restoredFrom).toBe(backup);
  });

  it('found while the store is open stops writes, keeps reads, and is checked at the next start', async () => {
    const dataDir = await filledDir(60);
    const file = join(dataDir, 'strata.db');
    const first = open(dataDir);
    const backup = await first.backUp();
    await first.close();
    overwrite(file, 4_096 * (lastPageOf(file, 'turn') - 1), Buffer.alloc(4_096, 0x55));
    const store = open(dataDir);
    expect(store.recovery).toBeUndefined();
    await expect(store.turnsInRange('sess_1', 1, 999, 999)).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(store.patchSession('sess_1', {})).rejects.toMatchObject({ code: 'store_corrupt' });
    await expect(store.backUp()).rejects.toMatchObject({ code: 'store_corrupt' });
    expect(await store.lookUpSessions('sess_1')).toHaveLength(1);
    await store.close();
    const next = open(dataDir);
    expect(next.recovery?.restoredFrom).toBe(backup);
    expect(existsSync(`${file}.suspect`)).toBe(false);
    expect(await next.turnsInRange('sess_1', 1, 999, 999)).toHaveLength(180);
  });

  it('forgets a suspicion that the check does not confirm', async () => {
    const dataDir = await filledDir(2);
    const mark = join(dataDir, 'strata.db.suspect');
    writeFileSync(mark, 'SQLITE_CORRUPT');
    const store = open(dataDir);
    expect([store.recovery, existsSync(mark)]).toEqual([undefined, false]);
    expect(await store.stats()).toMatchObject({ turns: 6 });
  });
});

/** Number of the page with the last rows of a table. */
function lastPageOf(file: string, table: string): number {
  const db = new Database(file, { readonly: true });
  const page = db.prepare('SELECT pageno FROM dbstat WHERE name = ? ORDER BY path DESC LIMIT 1').pluck().get(table);
  db.close();
  return Number(page);
}

describe('backups', () => {
  it('keeps the newest ones, each a complete database of its own', async () => {
    const dataDir = await filledDir(2);
    let now = at;
    const store = open(dataDir, { now: () => (now += 1_000) });
    const made = [await store.backUp(), await store.backUp(), await store.backUp()];
    expect(readdirSync(join(dataDir, 'backups')).map((name) => join(dataDir, 'backups', name))).toEqual(made.slice(1));
    expect(checkIntegrity(made[2] ?? '')).toEqual([]);
    expect(statSync(made[2] ?? '').mode & 0o777).toBe(0o600);
  });

  it('gives two backups of the same moment different names, and clears away unfinished ones', async () => {
    const dataDir = await filledDir(2);
    const store = open(dataDir, { backups: 5 });
    const first = await store.backUp();
    writeFileSync(`${first}.tmp`, 'unfinished');
    const second = await store.backUp();
    expect(new Set([first, second]).size).toBe(2);
    expect(readdirSync(join(dataDir, 'backups'))).toHaveLength(2);
  });

  it('copies while turns are being stored', async () => {
    const dataDir = await filledDir(30);
    const store = open(dataDir);
    const backup = store.backUp();
    for (let number = 31; number <= 40; number += 1) await store.appendTurns(advancementCommand(number));
    expect(checkIntegrity(await backup)).toEqual([]);
    expect(await store.stats()).toMatchObject({ turns: 120 });
  });
});

const nextStep: Migration = {
  version: migrations.length + 1,
  name: 'a step of tomorrow',
  up: (db) => db.script("ALTER TABLE session ADD COLUMN mood TEXT NOT NULL DEFAULT 'calm'"),
};

describe('migrating', () => {
  it('backs up first, and keeps every row', async () => {
    const dataDir = await filledDir(5);
    const old = open(dataDir);
    const before = await old.turnsInRange('sess_1', 1, 99, 99);
    await old.close();
    const migrated = open(dataDir, { migrations: [...migrations, nextStep] });
    expect(await migrated.stats()).toMatchObject({ schemaVersion: migrations.length + 1, turns: 15 });
    expect(await migrated.turnsInRange('sess_1', 1, 99, 99)).toEqual(before);
    const [backup = ''] = readdirSync(join(dataDir, 'backups'));
    expect(backup).toBe(`strata-20261103T101500000Z-v${migrations.length}.db`);
    expect(checkIntegrity(join(dataDir, 'backups', backup))).toEqual([]);
  });

  it('takes a database that has only the log to the present schema with identical turns', async () => {
    const dataDir = temporaryDirectory();
    makeGoldenLog(join(dataDir, 'strata.db'));
    const store = open(dataDir);
    expect(await store.stats()).toMatchObject({ schemaVersion: migrations.length, sessions: 1, turns: 1 });
    const [turn] = await store.turnsBefore('sess_old', { epoch: 0, limit: 9 });
    expect(turn).toMatchObject({ turnId: 'turn_old', identity: 'i', sequence: 1, tokens: 3, role: 'user' });
    expect(await store.readBodies([turn?.contentHash ?? ''])).toEqual(new Map([['ab'.repeat(32), '"old"']]));
    expect(readdirSync(join(dataDir, 'backups'))).toEqual(['strata-20261103T101500000Z-v1.db']);
  });

  it('backs up nothing when the database is new or up to date', async () => {
    const dataDir = await filledDir(1);
    await open(dataDir).close();
    expect(existsSync(join(dataDir, 'backups'))).toBe(false);
  });

  it('changes nothing when a step fails, or leaves a reference without its target', async () => {
    const dataDir = await filledDir(2);
    const orphan = 'INSERT INTO epoch (session_no, epoch, start_sequence, started_at) VALUES (99, 0, 0, 0)';
    for (const sql of ['CREATE TABLE half (x); SELECT nonsense', `CREATE TABLE half (x); ${orphan}`]) {
      const failing: Migration = { ...nextStep, up: (db) => db.script(sql) };
      const attempt = () => open(dataDir, { migrations: [...migrations, failing] });
      expect(attempt).toThrow(expect.objectContaining({ code: 'store_failed' }));
    }
    const store = open(dataDir);
    expect(await store.stats()).toMatchObject({ schemaVersion: migrations.length, turns: 6 });
    expect(checkIntegrity(join(dataDir, 'strata.db'))).toEqual([]);
  });

  it('refuses a list of steps with a gap', () => {
    const gap = [...migrations, { ...nextStep, version: migrations.length + 2 }];
    expect(() => open(temporaryDirectory(), { migrations: gap })).toThrow(
      expect.objectContaining({ code: 'internal' }),
    );
  });

  it('refuses a database from the future and leaves it byte for byte', async () => {
    const dataDir = temporaryDirectory();
    await open(dataDir, { migrations: [...migrations, nextStep] }).close();
    const before = readFileSync(join(dataDir, 'strata.db'));
    expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'store_from_future' }));
    expect(readFileSync(join(dataDir, 'strata.db'))).toEqual(before);
  });

  it.each([
    ['an application id', 'PRAGMA application_id = 7; CREATE TABLE theirs (x)'],
    ['no application id', 'CREATE TABLE theirs (x)'],
  ])('refuses the database of another program with %s and leaves it byte for byte', (_, sql) => {
    const dataDir = temporaryDirectory();
    const file = join(dataDir, 'strata.db');
    const other = new Database(file);
    other.exec(sql);
    other.close();
    const before = readFileSync(file);
    expect(() => open(dataDir)).toThrow(expect.objectContaining({ code: 'data_dir_blocked' }));
    expect(readFileSync(file)).toEqual(before);
  });
});

/** A database as the first schema version left it, written without the store. */
function makeGoldenLog(file: string): void {
  const db = new Database(file);
  db.pragma('journal_mode = WAL');
  migrations[0]?.up({
    script: (sql) => void db.exec(sql),
    query: (sql) => db.prepare(sql),
    command: () => {
      throw new Error('the first step runs scripts only');
    },
  });
  db.exec(`
    PRAGMA application_id = ${0x53545241};
    PRAGMA user_version = 1;
    INSERT INTO session (session_no, uid, user_id, agent_id, session_id, session_key, epoch, created_at,
      last_active_at, last_sequence, epoch_start, epoch_tokens, checkpoint_count, call_count)
      VALUES (1, 'sess_old', 'u', 'a', 's', 'k', 0, 1, 1, 1, 0, 3, 0, 0);
    INSERT INTO epoch VALUES (1, 0, 0, 1);
    INSERT INTO content VALUES (1, x'${'ab'.repeat(32)}', x'${'cd'.repeat(32)}', 3, 0, 0, CAST('"old"' AS BLOB));
    INSERT INTO turn VALUES (1, 1, 'turn_old', 0, 'i', x'${'cd'.repeat(32)}', x'${'ab'.repeat(32)}', NULL, NULL,
      'user', 'openclaw', 1, 3, 3, 'old', '[]', NULL, 0, 0);
  `);
  db.close();
}
