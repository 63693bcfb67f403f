import { join } from 'node:path';
import { readFileSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { openSessionStore } from '../open-session-store.ts';
import { advancementCommand, sampleIdentity } from '../testing/samples.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { checkIntegrity } from './check-integrity.ts';

async function filledFile(): Promise<string> {
  const dataDir = temporaryDirectory();
  const store = openSessionStore({ dataDir, backups: 1 });
  await store.openSession(sampleIdentity(), 1_000, 'sess_1');
  for (let number = 1; number <= 5; number += 1) await store.appendTurns(advancementCommand(number));
  await store.close();
  return join(dataDir, 'strata.db');
}

/** Changes the database past its own guards. */
function tamper(file: string, sql: string): void {
  const db = new Database(file);
  db.pragma('foreign_keys = OFF');
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all() as string[];
  for (const trigger of triggers) db.exec(`DROP TRIGGER ${trigger}`);
  db.exec(sql);
  db.close();
}

it('finds nothing wrong with a sound database', async () => {
  expect(checkIntegrity(await filledFile())).toEqual([]);
});

it('checks beside the running owner', async () => {
  const dataDir = temporaryDirectory();
  const store = openSessionStore({ dataDir, backups: 1 });
  onTestFinished(() => store.close());
  await store.openSession(sampleIdentity(), 1_000, 'sess_1');
  await store.appendTurns(advancementCommand(1));
  expect(checkIntegrity(join(dataDir, 'strata.db'))).toEqual([]);
  expect(await store.appendTurns(advancementCommand(2))).toMatchObject({ status: 'stored' });
});

it.each([
  ['a gap in the numbering', 'DELETE FROM turn WHERE sequence = 3', /counts 15 turns, the log has 14/],
  ['a turn without its body', 'DELETE FROM content WHERE content_no = 2', /Turn 2 of session sess_1 has lost its body/],
  ['a changed body', 'UPDATE content SET body = CAST(\'"x"\' AS BLOB) WHERE content_no = 1', /does not have the hash/],
  ['a broken reference', 'DELETE FROM session', /points to a missing row of session/],
])('finds %s', async (_, sql, problem) => {
  const file = await filledFile();
  tamper(file, sql);
  expect(checkIntegrity(file).join('\n')).toMatch(problem);
});

it('finds a damaged page', async () => {
  const file = await filledFile();
  const content = readFileSync(file);
  content.fill(0x55, 4_096 * 6, 4_096 * 8);
  writeFileSync(file, content);
  expect(checkIntegrity(file)).not.toEqual([]);
});

it('says so when there is no database, or none at all in the file', () => {
  const path = join(temporaryDirectory(), 'strata.db');
  expect(checkIntegrity(path)).toEqual([`${path} does not exist.`]);
  writeFileSync(path, 'not a database'.repeat(100));
  expect(checkIntegrity(path)).toEqual([expect.stringContaining('damaged')]);
});
