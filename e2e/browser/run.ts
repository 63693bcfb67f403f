import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { startHost, type Host } from '../../src-main/host.ts';
import { checkCalls, uidOf } from './check-calls.ts';
import { checkCheckpoints } from './check-checkpoints.ts';
import { checkInspection } from './check-inspection.ts';
import { checkJobs } from './check-jobs.ts';
import { checkLive } from './check-live.ts';
import { checkMemory } from './check-memory.ts';
import { checkRecall } from './check-recall.ts';
import { checkSessions } from './check-sessions.ts';
import { checkSignIn } from './check-sign-in.ts';
import { Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import { fillCompactions } from './fill-compactions.ts';
import { fillDaemon } from './fill-daemon.ts';
import { fillMemory } from './fill-memory.ts';
import { findBrowser } from './find-browser.ts';
import { openInspectorPage } from './inspector-page.ts';
import { putJobs } from './put-jobs.ts';

// The served inspector in a real browser over a real daemon. Any console error, refused script or failed request fails.

const inspectorDir = process.env['STRATA_INSPECTOR_DIR'] ?? resolve(import.meta.dirname, '../../out/renderer');
const limitMs = 240_000;

setTimeout(() => {
  console.log(`Stopped after ${limitMs / 1_000} s.\n0 passed, 1 failed`);
  process.exit(1);
}, limitMs).unref();

const found = await findBrowser();
console.log(`Browser: ${found.name}`);
const dataDir = await mkdtemp(join(tmpdir(), 'strata-browser-'));
// What is compacted when is the checks’ own business.
await writeFile(
  join(dataDir, 'config.yaml'),
  `compaction:
  triggers: { budget_share: 0, tokens_added: 0, turns: 0, interval_minutes: 0 }
`,
);
const start = (port: number): Promise<Host> =>
  startHost({ dataDir, port, mode: 'headless', version: '0.0.0-test', inspectorDir });
let host = await start(0);
/** Stops the daemon; what is answered starts it again at the same address. */
async function stopHost(): Promise<() => Promise<Host>> {
  const port = Number(new URL(host.url).port);
  await host.close();
  return async () => {
    host = await start(port);
    return host;
  };
}

const browser = await chromium.launch({
  executablePath: found.executablePath,
  args: [...found.args],
  env: { ...process.env, ...found.env },
});
const inspector = await openInspectorPage(browser);
const checks = new Checks(() => inspector.takeProblems());
try {
  await checkSignIn(checks, inspector, browser, host);
  const filled = await fillDaemon(daemonApi(host.url, host.token), 1_200);
  await checkSessions(checks, inspector, host, filled);
  await checkCalls(checks, inspector, host, filled);
  await checkInspection(checks, inspector, host, filled);
  const compacted = await fillCompactions(daemonApi(host.url, host.token));
  await checkCheckpoints(checks, inspector, host, compacted, filled.long);
  const memory = await fillMemory(daemonApi(host.url, host.token), dataDir);
  await checkMemory(checks, inspector, host, memory);
  await checkRecall(checks, inspector, host, memory);
  const uid = await uidOf(daemonApi(host.url, host.token), compacted.deep);
  // Nothing is open on the page that would miss the daemon.
  await inspector.page.goto('about:blank');
  const startWithJobs = await stopHost();
  const jobs = await putJobs(dataDir, uid);
  await startWithJobs();
  await checkJobs(checks, inspector, host, jobs);
  await checkLive(checks, inspector, host, filled, stopHost);
} catch (error) {
  checks.failed += 1;
  console.log(error);
} finally {
  await browser.close();
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
}
console.log(`${checks.passed} passed, ${checks.failed} failed`);
process.exitCode = checks.failed > 0 ? 1 : 0;
