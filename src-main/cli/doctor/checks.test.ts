import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import { checkDataDir } from './check-data-dir.ts';
import { checkHostLink } from './check-host-link.ts';
import { checkNode } from './check-node.ts';
import { checkOpenClawConfig } from './check-openclaw-config.ts';
import { readInspection } from './check-openclaw-runtime.ts';
import { checkSpool } from './check-spool.ts';

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'strata-doctor-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const now = new Date('2026-11-30T12:00:00Z');

function health(host: Partial<HealthReply['host']>, alarms: HealthReply['alarms'] = []): HealthReply {
  return {
    version: '0.1.0',
    ready: true,
    pid: 1,
    started_at: '2026-11-30T11:00:00Z',
    mode: 'headless',
    host: { bypassed_turns: 0, link: 'never', spooled_turns: 0, ...host },
    store: { schema_version: 1, sessions: 0, turns: 0, size_bytes: 0 },
    alarms,
  };
}

describe('the link to the host', () => {
  it('H01: a selected engine that turns bypass is broken, whatever the configuration says', () => {
    const [check] = checkHostLink(health({ link: 'bypassed', bypassed_turns: 3 }), now);
    expect(check).toMatchObject({ state: 'failed', message: expect.stringContaining('3 turns') });
    expect(check?.remedy).toContain('degraded to legacy');
  });

  it('H05: an engine that was never called is told apart from one that works', () => {
    expect(checkHostLink(health({}), now)).toMatchObject([{ state: 'warning' }]);
    const called = { link: 'active', last_call: 'assemble', last_call_at: '2026-11-30T11:59:30Z' } as const;
    expect(checkHostLink(health(called), now)).toMatchObject([
      { state: 'ok', message: expect.stringContaining('30 s ago') },
    ]);
  });

  it('calls of the past do not count as working once the plugin is not selected any more', () => {
    const called = { link: 'active', last_call: 'assemble', last_call_at: '2026-11-30T11:59:30Z' } as const;
    const gone = { id: 'plugin_selected', state: 'failed', message: '', remedy: 'Install.' } as const;
    expect(checkHostLink(health(called), now, [gone])).toMatchObject([
      { state: 'warning', message: expect.stringMatching(/last 30 s ago.*no longer selected/), remedy: 'Install.' },
    ]);
  });

  it('H19: a host that went silent is a warning although it called once', () => {
    const alarm = { code: 'host_silent', severity: 'warning', message: 'Silent.', remedy: 'Look.', since: '' } as const;
    expect(checkHostLink(health({ link: 'active' }, [alarm]), now)).toMatchObject([
      { state: 'warning', message: 'Silent.' },
    ]);
  });
});

describe('the configuration of OpenClaw', () => {
  const place = { stateDir: '/h/.openclaw', configPath: '/h/.openclaw/openclaw.json', program: undefined };
  const plugins = (pluginDir: string) => ({
    load: { paths: [pluginDir] },
    entries: { strata: { enabled: true, hooks: { allowConversationAccess: true }, config: { dataDir: '/data' } } },
    slots: { contextEngine: 'strata' },
  });
  const check = (value: object) =>
    checkOpenClawConfig(place, { kind: 'json', text: '', value: JSON.parse(JSON.stringify(value)) }, '/data');
  const broken = (value: object) =>
    check(value)
      .filter(({ state }) => state !== 'ok')
      .map(({ id }) => id);

  let pluginDir = '';
  beforeEach(async () => {
    pluginDir = join(dir, 'out', 'openclaw-plugin');
    await mkdir(pluginDir, { recursive: true });
    for (const name of ['index.js', 'openclaw.plugin.json']) await writeFile(join(pluginDir, name), '');
  });

  it('is fine when the plugin is there, enabled, permitted and selected', () => {
    expect(broken({ plugins: plugins(pluginDir) })).toEqual([]);
  });

  it.each([
    ['plugins are off', { enabled: false }, ['plugin_enabled']],
    ['the plugin is denied', { deny: ['strata'] }, ['plugin_enabled']],
    ['another list of plugins is allowed', { allow: ['other'] }, ['plugin_enabled']],
    ['another engine is selected', { slots: { contextEngine: 'other' } }, ['plugin_selected']],
    ['no engine is selected', { slots: {} }, ['plugin_selected']],
    ['the build is gone', { load: { paths: ['/gone/out/openclaw-plugin'] } }, ['plugin_installed']],
    ['nothing is installed', { load: {} }, ['plugin_installed']],
  ])('says so when %s', (_name, change, expected) => {
    expect(broken({ plugins: { ...plugins(pluginDir), ...change } })).toEqual(expected);
  });

  it('says so when model calls are hidden from the plugin, or it looks into another data directory', () => {
    const entry = { enabled: true, config: { dataDir: '/elsewhere' } };
    expect(broken({ plugins: { ...plugins(pluginDir), entries: { strata: entry } } })).toEqual([
      'plugin_hooks',
      'plugin_data_dir',
    ]);
  });

  it('does not guess about a file that it cannot read', () => {
    const checks = checkOpenClawConfig(place, { kind: 'not-json', text: '//', reason: 'comments' }, '/data');
    expect(checks).toMatchObject([{ state: 'warning', message: expect.stringContaining('comments') }]);
  });
});

describe('what OpenClaw itself says', () => {
  const answer = (value: unknown) => ({ code: 0, stdout: `warning line\n${JSON.stringify(value)}`, stderr: '' });

  it('is fine when the plugin is loaded and active', () => {
    expect(readInspection(answer({ plugin: { status: 'loaded', activated: true, version: '0.1.0' } }))).toMatchObject({
      state: 'ok',
    });
  });

  it('asks for the consent that the host waits for', () => {
    const said = {
      code: 1,
      stdout: '',
      stderr: 'Plugin "strata" requires capability consent; disable and re-enable it',
    };
    expect(readInspection(said)).toMatchObject({
      id: 'openclaw_consent',
      state: 'failed',
      remedy: expect.stringContaining('--accept-capabilities'),
    });
  });

  it.each([
    [
      'load error',
      answer({ plugin: { status: 'error', error: 'SyntaxError in index.js' } }),
      'SyntaxError in index.js',
    ],
    ['inactive', answer({ plugin: { status: 'loaded', activated: false } }), 'not run'],
    ['unknown', { code: 1, stdout: '', stderr: 'Plugin not found: strata' }, 'does not know'],
  ])('reports a plugin that does not run: %s', (_name, run, text) => {
    expect(readInspection(run)).toMatchObject({ state: 'failed', message: expect.stringContaining(text) });
  });

  it.each([
    ['in an object', '{\n  "error": "Plugin not found: strata"\n}\n'],
    ['in an object of an object', '{\n  "ok": false,\n  "error": {\n    "message": "Plugin not found: strata"\n  }\n}'],
    ['before an object', 'Plugin not found: strata\n{\n}\n'],
  ])('says what the host said %s, not its last bracket', (_name, stdout) => {
    expect(readInspection({ code: 1, stdout, stderr: '' }).message).toBe(
      'OpenClaw does not know the plugin: Plugin not found: strata',
    );
  });

  it('only warns when the host could not be asked', () => {
    expect(readInspection({ code: undefined, stdout: '', stderr: 'Stopped: no answer' })).toMatchObject({
      state: 'warning',
    });
  });
});

describe('the data directory', () => {
  it('names the sync service that would damage the database', async () => {
    const synced = join(dir, 'Dropbox', 'strata');
    await mkdir(synced, { recursive: true, mode: 0o700 });
    const checks = await checkDataDir(synced);
    expect(checks).toContainEqual(
      expect.objectContaining({ id: 'sync_folder', state: 'warning', message: expect.stringContaining('Dropbox') }),
    );
  });

  it('says that it is not there yet, and nothing more', async () => {
    expect(await checkDataDir(join(dir, 'none'))).toMatchObject([{ id: 'data_dir', state: 'failed' }]);
  });

  it('names the wrong key of config.yaml', async () => {
    await writeFile(join(dir, 'config.yaml'), 'prot: 1\n');
    const checks = await checkDataDir(dir);
    expect(checks).toContainEqual(
      expect.objectContaining({ id: 'config', state: 'failed', message: expect.stringContaining('prot') }),
    );
  });
});

describe('the rest', () => {
  it('refuses a Node that would crash the database library', () => {
    expect(checkNode('v20.20.2')).toMatchObject([{ state: 'failed' }]);
    expect(checkNode('v24.21.0')).toMatchObject([{ state: 'ok' }]);
  });

  it('counts turns that wait for delivery', async () => {
    expect(await checkSpool(dir, true)).toMatchObject([{ state: 'ok' }]);
    await mkdir(join(dir, 'spool'));
    await writeFile(join(dir, 'spool', '0001.json'), '{}');
    expect(await checkSpool(dir, true)).toMatchObject([
      { state: 'warning', message: expect.stringContaining('1 undelivered') },
    ]);
  });
});
