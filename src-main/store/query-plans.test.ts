import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSessionStore } from './open-session-store.ts';
import { callSql } from './tables/call-table.ts';
import { callUsageSql } from './tables/call-usage-table.ts';
import { checkpointSql } from './tables/checkpoint-table.ts';
import { contentSql } from './tables/content-table.ts';
import { jobSql } from './tables/job-table.ts';
import { sessionSql } from './tables/session-table.ts';
import { standInSql } from './tables/stand-in-table.ts';
import { toolResultSql } from './tables/tool-result-table.ts';
import { turnSql } from './tables/turn-table.ts';
import { sampleJob } from './testing/job-queue-contract.ts';
import { sampleIdentity, sampleTurns } from './testing/samples.ts';

let dataDir: string;
let db: Database.Database;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'strata-store-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  for (let session = 0; session < 20; session += 1) {
    await store.openSession(sampleIdentity({ sessionId: `s${session}` }), session, `sess_${session}`);
    await store.appendTurns({ sessionUid: `sess_${session}`, at: 1, turns: sampleTurns(1, 100) });
    for (let job = 0; job < 20; job += 1) await store.jobs.enqueue(sampleJob(session * 20 + job));
  }
  // Closing gathers the statistics that the planner goes by later.
  await store.close();
  db = new Database(join(dataDir, 'strata.db'), { readonly: true });
});
afterAll(() => {
  db.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const { count: _, totals: __, ...hotSessions } = sessionSql;
const { count: ___, counts: ____, ...hotJobs } = jobSql;
const statements = Object.entries({
  session: hotSessions,
  turn: turnSql,
  content: contentSql,
  checkpoint: checkpointSql,
  call: callSql,
  job: hotJobs,
  usage: callUsageSql,
  toolResult: toolResultSql,
  standIn: standInSql,
}).flatMap(([table, queries]) => Object.entries(queries).map(([name, sql]) => ({ title: `${table}.${name}`, sql })));

it.each(statements)('$title looks up what it needs and scans no table', ({ sql }) => {
  const plan = explain(sql);
  // json_each is the list of wanted keys, and a scan with LIMIT follows an index in the wanted order.
  const scans = plan.filter((step) => step.startsWith('SCAN') && !/^SCAN wanted|LIMIT/.test(step));
  const limited = /LIMIT/.test(sql) && !plan.some((step) => step.includes('TEMP B-TREE'));
  expect(limited ? [] : scans).toEqual([]);
  expect(plan.length).toBeGreaterThan(0);
});

it('reads the tail of a session from the clustered table without sorting', () => {
  expect(explain(turnSql.descending)).toEqual([
    'SEARCH turn USING PRIMARY KEY (session_no=? AND sequence>? AND sequence<?)',
  ]);
});

it('finds message keys in the index alone', () => {
  expect(explain(contentSql.infos)).toContain(
    'SEARCH content USING COVERING INDEX content_by_message_key (message_key=?)',
  );
});

it('reads calibration samples from their index alone', () => {
  expect(explain(callUsageSql.samples)).toEqual(['SEARCH call_usage USING COVERING INDEX call_usage_sample (model=?)']);
});

function explain(sql: string): readonly string[] {
  const names = [...sql.matchAll(/@(\w+)/g)].map((match) => match[1] ?? '');
  const positions = [...sql.matchAll(/\?/g)].map(() => 1);
  const statement = db.prepare<unknown[], { readonly detail: string }>(`EXPLAIN QUERY PLAN ${sql}`);
  const rows =
    names.length > 0 ? statement.all(Object.fromEntries(names.map((name) => [name, 1]))) : statement.all(...positions);
  return rows.map((row) => row.detail);
}
