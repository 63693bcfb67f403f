import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findOpenClaw } from './find-openclaw.ts';
import { installPlugin, planInstall } from './install-plugin.ts';
import { planUninstall, uninstallPlugin } from './uninstall-plugin.ts';

const settings = { pluginDir: '/opt/strata/out/openclaw-plugin', config: {} };
const now = new Date('2026-11-30T00:24:12Z');

let dir = '';
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'strata-install-'));
  await mkdir(join(dir, '.openclaw'));
  await mkdir(join(dir, 'data'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const place = (path = '') => findOpenClaw({ HOME: dir, PATH: path });
const config = () => join(dir, '.openclaw', 'openclaw.json');
const options = () => ({ dataDir: join(dir, 'data'), now });

async function install(path = '') {
  const plan = await planInstall(place(path), settings);
  if (plan.kind !== 'change') throw new Error(`expected a change, got ${plan.kind}`);
  return installPlugin(place(path), settings, plan, options());
}

/** An `openclaw` that answers like the real one and notes what it was asked. */
async function fakeHost(script: string): Promise<string> {
  const bin = join(dir, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'openclaw'), `#!/bin/sh\necho "$@" >> "${dir}/asked"\n${script}\n`);
  await chmod(join(bin, 'openclaw'), 0o755);
  return `${bin}:/usr/bin:/bin`;
}

describe('installing the plugin into OpenClaw', () => {
  it('writes the configuration of a host that has none yet', async () => {
    expect(await install()).toEqual({ backup: undefined, by: 'file', hostProblem: undefined });
    expect(JSON.parse(await readFile(config(), 'utf8'))).toMatchObject({
      plugins: { slots: { contextEngine: 'strata' } },
    });
  });

  it('keeps a copy of the file, its indentation and its other keys', async () => {
    const text = '{\n    "gateway": {\n        "port": 18790\n    }\n}\n';
    await writeFile(config(), text);
    const { backup } = await install();
    expect(backup).toBe(`${config()}.before-strata-20261130-002412`);
    expect(await readFile(backup ?? '', 'utf8')).toBe(text);
    expect(await readFile(config(), 'utf8')).toMatch(/^\{\n {4}"gateway": \{\n {8}"port": 18790/);
  });

  it('has nothing to do the second time', async () => {
    await install();
    expect(await planInstall(place(), settings)).toEqual({ kind: 'nothing-to-do' });
  });

  it('leaves a file with comments untouched and says what a person must write', async () => {
    await writeFile(config(), '{\n  // mine\n  gateway: {},\n}\n');
    const plan = await planInstall(place(), settings);
    expect(plan.kind).toBe('by-hand');
    expect(await readdir(join(dir, '.openclaw'))).toEqual(['openclaw.json']);
  });

  it('keeps a linked configuration a link', async () => {
    await writeFile(join(dir, 'dotfile.json'), '{}');
    await symlink(join(dir, 'dotfile.json'), config());
    await install();
    expect(await readFile(join(dir, 'dotfile.json'), 'utf8')).toContain('"strata"');
  });

  it('lets the host install and record the consent, then adds the keys that the host does not set', async () => {
    const path = await fakeHost(
      `echo '{"meta":1,"plugins":{"entries":{"strata":{"enabled":true}}}}' > "${config()}"; exit 0`,
    );
    expect(await install(path)).toMatchObject({ by: 'openclaw' });
    expect(await readFile(join(dir, 'asked'), 'utf8')).toBe(
      `plugins install -l ${settings.pluginDir} --force --accept-capabilities\n`,
    );
    expect(JSON.parse(await readFile(config(), 'utf8'))).toMatchObject({
      meta: 1,
      plugins: { entries: { strata: { enabled: true, hooks: { allowConversationAccess: true } } } },
    });
  });

  it('asks a host again without the options that it does not know', async () => {
    const path = await fakeHost(`case "$*" in *--force*) echo "error: unknown option '--force'" >&2; exit 1;; esac`);
    expect(await install(path)).toMatchObject({ by: 'openclaw' });
  });

  it('writes the configuration itself when the host refuses, and tells why it did', async () => {
    const path = await fakeHost('echo "Plugin not compatible" >&2; exit 1');
    expect(await install(path)).toMatchObject({ by: 'file', hostProblem: 'Plugin not compatible' });
    expect(await readFile(config(), 'utf8')).toContain('"strata"');
  });
});

describe('taking the plugin out of OpenClaw', () => {
  it('gives the slot back to the engine that held it, also after two installations', async () => {
    const text = { plugins: { slots: { contextEngine: 'rival' } } };
    await writeFile(config(), JSON.stringify(text));
    await install();
    const moved = { ...settings, pluginDir: '/new/out/openclaw-plugin' };
    const again = await planInstall(place(), moved);
    if (again.kind !== 'change') throw new Error('expected a change');
    await installPlugin(place(), moved, again, { ...options(), now: new Date('2026-12-01T00:00:00Z') });

    const plan = await planUninstall(place(), join(dir, 'data'));
    if (plan.kind !== 'change') throw new Error('expected a change');
    await uninstallPlugin(place(), plan, new Date('2026-12-02T00:00:00Z'));
    expect(JSON.parse(await readFile(config(), 'utf8'))).toEqual(text);
    expect(await planUninstall(place(), join(dir, 'data'))).toEqual({ kind: 'nothing-to-do' });
  });
});

describe('findOpenClaw', () => {
  it('follows the rules of the host: config path, state directory, home', () => {
    expect(findOpenClaw({ HOME: '/h' }).configPath).toBe('/h/.openclaw/openclaw.json');
    expect(findOpenClaw({ HOME: '/h', OPENCLAW_STATE_DIR: '~/s' }).configPath).toBe('/h/s/openclaw.json');
    expect(findOpenClaw({ HOME: '/h', OPENCLAW_STATE_DIR: '/s', OPENCLAW_CONFIG_PATH: '/c.json' })).toMatchObject({
      stateDir: '/s',
      configPath: '/c.json',
    });
  });
});
