import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { daemonApi } from '../browser/daemon-api.ts';
import { prepareElectron, type ElectronProgram } from './prepare.ts';
import { startDaemon, type Daemon } from './start-daemon.ts';
import { startDisplay } from './start-display.ts';
import { runSuite, type Test } from './suite.ts';

const root = resolve(import.meta.dirname, '../..');
const shots = join(root, '.cache', 'e2e-electron');
const who = { session_id: 'desktop-1', session_key: 'agent:main:main', format: 'openclaw' };

interface Answer {
  readonly ok: boolean;
  readonly value?: Record<string, unknown>;
  readonly error?: { readonly code: string; readonly message: string };
}

/** What the preload exposes, as the page sees it. */
interface Bridge {
  call(name: string, input: unknown): Promise<Answer>;
  onEvent(listener: (event: unknown) => void): () => void;
  readonly info: Record<string, unknown>;
}

declare const window: { strata: Bridge; events: unknown[]; open(url: string): unknown };

class Desktop {
  readonly app: ElectronApplication;
  readonly page: Page;
  readonly problems: string[];

  private constructor(app: ElectronApplication, page: Page, problems: string[]) {
    this.app = app;
    this.page = page;
    this.problems = problems;
  }

  static async open(electron: ElectronProgram, dataDir: string, display: string): Promise<Desktop> {
    const app = await _electron.launch({
      executablePath: electron.program,
      args: [...launchFlags(), ...electron.appArgs],
      env: launchEnvironment(dataDir, display),
      timeout: 60_000,
    });
    const problems: string[] = [];
    app.on('window', (page) => watch(page, problems));
    const page = await app.firstWindow();
    watch(page, problems);
    await page.waitForLoadState('domcontentloaded');
    return new Desktop(app, page, problems);
  }

  call(name: string, input: unknown): Promise<Answer> {
    return this.page.evaluate(([route, parts]) => window.strata.call(route as string, parts), [name, input]);
  }

  /** Closes the window as a person would; answers the exit code of the program. */
  async quit(): Promise<number | null> {
    const process = this.app.process();
    const exit = once(process, 'exit') as Promise<[number | null]>;
    await this.app.close();
    return process.exitCode ?? (await exit)[0];
  }
}

function watch(page: Page, problems: string[]): void {
  page.removeAllListeners('console');
  page.removeAllListeners('pageerror');
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
}

/** Chromium refuses to sandbox for root; the app asks for the sandbox all the same. */
function launchFlags(): readonly string[] {
  return [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--disable-gpu', '--disable-dev-shm-usage'];
}

function launchEnvironment(dataDir: string, display: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value;
  // Set by the cache's npm and by test runners; Electron would start as a plain Node.
  delete env['ELECTRON_RUN_AS_NODE'];
  return { ...env, STRATA_HOME: dataDir, DISPLAY: display };
}

async function fill(daemon: Daemon): Promise<void> {
  const api = daemonApi(daemon.url, daemon.token);
  const at = Date.now() - 60_000;
  for (let index = 0; index < 6; index += 1) {
    const messages = [
      { role: 'user', content: `Question ${index}: which port does the proxy use?`, timestamp: at + index * 2_000 },
      {
        role: 'assistant',
        content: [{ type: 'text', text: `Port 844${index}.` }],
        timestamp: at + index * 2_000 + 1_000,
      },
    ];
    await api.post('/v1/commit-turn', { ...who, advancement_key: `a${index}`, messages });
  }
  await api.post('/v1/assemble', { ...who, messages: [], history: 'window', token_budget: 8_000, prompt: 'And now?' });
}

/** The window on a running daemon (spec E4). */
function attachedTests(
  desktop: Desktop,
  daemon: Daemon,
  electron: ElectronProgram,
  dataDir: string,
  display: string,
): readonly Test[] {
  const { app, page } = desktop;
  return [
    [
      'the window opens on app://inspector/ with the page of the inspector',
      async () => {
        assert.equal(new URL(page.url()).host, 'inspector');
        assert.equal(new URL(page.url()).protocol, 'app:');
        await page.waitForFunction('document.querySelector("#root")?.childElementCount > 0');
      },
    ],
    [
      'the page is sandboxed, isolated and without Node',
      async () => {
        const preferences = await app.evaluate(({ BrowserWindow }) => {
          const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
            getLastWebPreferences(): Record<string, unknown>;
          };
          return contents.getLastWebPreferences();
        });
        const expected = {
          sandbox: true,
          contextIsolation: true,
          nodeIntegration: false,
          webSecurity: true,
          webviewTag: false,
        };
        for (const [name, value] of Object.entries(expected)) assert.equal(preferences[name], value, name);
        assert.deepEqual(await page.evaluate('[typeof require, typeof process, typeof module]'), [
          'undefined',
          'undefined',
          'undefined',
        ]);
        assert.deepEqual(await page.evaluate('Object.keys(window.strata).sort()'), ['call', 'info', 'onEvent']);
      },
    ],
    [
      'the page shows the session that the daemon stored',
      async () => {
        await page.getByText('agent:main:main').first().waitFor({ timeout: 20_000 });
        const sessions = await desktop.call('sessions', {});
        assert.equal(sessions.ok, true);
        assert.equal((sessions.value?.['items'] as unknown[]).length, 1);
      },
    ],
    [
      'errors keep their code over IPC, and routes of other doors are not there',
      async () => {
        assert.equal((await desktop.call('session', { params: { id: 'nobody' } })).error?.code, 'unknown_session');
        assert.equal((await desktop.call('sessions', { query: { limit: 'many' } })).error?.code, 'invalid_request');
        for (const name of ['inspectorLink', 'events', 'toString', '__proto__']) {
          assert.equal((await desktop.call(name, {})).error?.code, 'not_found', name);
        }
      },
    ],
    [
      'a turn that is committed elsewhere arrives as a live event',
      async () => {
        await page.evaluate(() => {
          window.events = [];
          window.strata.onEvent((event) => window.events.push(event));
        });
        const message = { role: 'user', content: 'live', timestamp: Date.now() };
        await daemonApi(daemon.url, daemon.token).post('/v1/commit-turn', {
          ...who,
          advancement_key: 'live',
          messages: [message],
        });
        await page.waitForFunction('window.events.some((event) => event.type === "turns.committed")');
      },
    ],
    [
      'nothing was reported on the console, and no policy was violated',
      async () => {
        await mkdir(shots, { recursive: true });
        await page.screenshot({ path: join(shots, 'attached.png') });
        assert.deepEqual(desktop.problems, []);
      },
    ],
    ['a second start of the same data directory ends by itself', () => secondStartEnds(electron, dataDir, display)],
    [
      'the page can neither leave its origin nor open windows nor get permissions',
      async () => {
        for (const url of [
          'https://example.invalid/',
          'app://inspector.evil/',
          'file:///etc/hostname',
          'data:text/html,x',
        ]) {
          await page.evaluate((target) => void Reflect.set(globalThis, 'location', target), url).catch(() => undefined);
        }
        assert.equal(await page.evaluate(() => window.open('app://inspector/')), null);
        assert.equal(new URL(page.url()).host, 'inspector');
        assert.equal(await page.evaluate('Notification.requestPermission()'), 'denied');
        assert.equal(app.windows().length, 1);
      },
    ],
    [
      'the page cannot connect to the daemon past IPC',
      async () => {
        const fetched = await page.evaluate(
          `fetch(${JSON.stringify(`${daemon.url}/health`)}).then(() => "reached", () => "refused")`,
        );
        assert.equal(fetched, 'refused');
      },
    ],
    [
      'closing the window ends the program and leaves the daemon running',
      async () => {
        assert.equal(await desktop.quit(), 0);
        assert.equal((await fetch(`${daemon.url}/health`)).status, 200);
      },
    ],
  ];
}

async function secondStartEnds(electron: ElectronProgram, dataDir: string, display: string): Promise<void> {
  const args = [...launchFlags(), ...electron.appArgs];
  const child = spawn(electron.program, args, { env: launchEnvironment(dataDir, display), stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [number | null];
  assert.equal(code, 0);
}

/** A window without an engine still says why. */
async function showsStartFailure(electron: ElectronProgram, display: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-electron-'));
  try {
    await writeFile(join(dataDir, 'config.yaml'), 'prot: 1\n');
    const desktop = await Desktop.open(electron, dataDir, display);
    const text = await desktop.page.innerText('body');
    await desktop.page.screenshot({ path: join(shots, 'start-failure.png') });
    assert.match(text, /Strata did not start/);
    // A substitute cannot load the engine at all, which is another reason to be told in the same place.
    assert.match(text, electron.kind === 'official' ? /prot/ : /needs Node 24/);
    assert.equal(await desktop.quit(), 0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Only with the official program: the desktop app owns the data directory itself. */
async function hostsItself(electron: ElectronProgram, display: string): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-electron-'));
  try {
    const desktop = await Desktop.open(electron, dataDir, display);
    const health = await desktop.call('health', {});
    assert.equal(health.value?.['mode'], 'desktop');
    assert.equal(await desktop.quit(), 0);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  execFileSync(process.execPath, [join(root, 'scripts/build-if-stale.mjs')], { stdio: 'inherit' });
  const electron = await prepareElectron();
  console.log(`Electron: ${electron.kind} (${electron.program})`);
  const display = await startDisplay();
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-electron-'));
  const daemon = await startDaemon(dataDir);
  let desktop: Desktop | undefined;
  try {
    await fill(daemon);
    desktop = await Desktop.open(electron, dataDir, display.name);
    const own: readonly Test[] =
      electron.kind === 'official'
        ? [['the app hosts the engine itself where no daemon runs', () => hostsItself(electron, display.name)]]
        : [];
    const outcome = await runSuite([
      ...attachedTests(desktop, daemon, electron, dataDir, display.name),
      ['a start that fails shows the reason in the window', () => showsStartFailure(electron, display.name)],
      ...own,
    ]);
    console.log(`Screenshots: ${shots}`);
    console.log(`${outcome.passed} passed, ${outcome.failed} failed`);
    process.exitCode = outcome.failed > 0 ? 1 : 0;
  } finally {
    await desktop?.quit().catch(() => undefined);
    await daemon.stop();
    await display.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
