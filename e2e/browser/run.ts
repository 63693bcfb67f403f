import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { chromium } from 'playwright-core';
import { startHost, type Host } from '../../src-main/host.ts';
import { checkCalls } from './check-calls.ts';
import { checkLive } from './check-live.ts';
import { checkSessions } from './check-sessions.ts';
import { checkSignIn } from './check-sign-in.ts';
import { Checks } from './checks.ts';
import { daemonApi } from './daemon-api.ts';
import { fillDaemon } from './fill-daemon.ts';
import { findBrowser } from './find-browser.ts';
import { openInspectorPage } from './inspector-page.ts';

// The served inspector in a real browser over a real daemon. Any console error, refused script or failed request fails.

const inspectorDir = resolve(import.meta.dirname, '../../out/renderer');
const limitMs = 85_000;

setTimeout(() => {
  console.log(`Stopped after ${limitMs / 1_000} s.\n0 passed, 1 failed`);
  process.exit(1);
}, limitMs).unref();

const found = await findBrowser();
console.log(`Browser: ${found.name}`);
const dataDir = await mkdtemp(join(tmpdir(), 'strata-browser-'));
const start = (port: number): Promise<Host> =>
  startHost({ dataDir, port, mode: 'headless', version: '0.0.0-test', inspectorDir });
let host = await start(0);
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
  await checkLive(checks, inspector, host, filled, async () => {
    const port = Number(new URL(host.url).port);
    await host.close();
    return async () => {
      host = await start(port);
      return host;
    };
  });
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
