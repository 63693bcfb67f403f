import { homedir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import manifest from './openclaw.plugin.json' with { type: 'json' };
import packageJson from './package.json' with { type: 'json' };
import { readPluginConfig } from './plugin-config.ts';

describe('readPluginConfig', () => {
  it('finds the data directory by its own key, then by STRATA_HOME, then in the home directory', () => {
    expect(readPluginConfig({ dataDir: '/a' }, { STRATA_HOME: '/b' }).dataDir).toBe('/a');
    expect(readPluginConfig({}, { STRATA_HOME: '/b' }).dataDir).toBe('/b');
    expect(readPluginConfig(undefined, {}).dataDir).toBe(join(homedir(), '.strata'));
    expect(readPluginConfig({ dataDir: '~/x' }, {}).dataDir).toBe(join(homedir(), 'x'));
  });

  it('S66: takes the directory of configPath where it is the daemon’s config.yaml, after dataDir, before STRATA_HOME', () => {
    const env = { STRATA_HOME: '/b' };
    expect(readPluginConfig({ configPath: '/a/config.yaml' }, env).dataDir).toBe('/a');
    expect(readPluginConfig({ configPath: '/a/config.yaml', dataDir: '/c' }, env).dataDir).toBe('/c');
    expect(readPluginConfig({ configPath: '/a/ov.conf' }, env).dataDir).toBe('/b');
  });

  it('S66: gives timeoutMs, autoCapture, agentId, port, baseUrl, apiKey, mode and memoryExpandMaxResults their place', () => {
    const config = readPluginConfig(
      {
        timeoutMs: 500,
        autoCapture: false,
        agentId: 'a',
        port: 1234,
        baseUrl: 'http://h:1/',
        apiKey: 'k',
        mode: 'remote',
        memoryExpandMaxResults: 3,
      },
      {},
    );
    expect(config).toMatchObject({
      assembleTimeoutMs: 500,
      storeTimeoutMs: 2_000,
      autoCapture: false,
      agentId: 'a',
      port: 1234,
      baseUrl: 'http://h:1',
      apiKey: 'k',
      mode: 'remote',
      memoryExpandMaxResults: 3,
    });
  });

  it('takes values of the wrong type as absent', () => {
    const config = readPluginConfig({ timeoutMs: '5', port: 70_000, baseUrl: 7, autoCapture: 'no', mode: 'x' }, {});
    expect(config).toMatchObject({
      assembleTimeoutMs: 2_500,
      port: undefined,
      baseUrl: undefined,
      autoCapture: true,
      mode: 'local',
    });
  });
});

describe('the manifest', () => {
  it('accepts every key of the earlier plugin and the new ones', () => {
    const keys =
      'mode configPath port baseUrl apiKey agentId timeoutMs autoRecall autoCapture recallLimit recallScoreThreshold recallMaxContentChars recallPreferAbstract recallTokenBudget recentRawTurnCount assembleRecallWindow compactCommitThreshold memoryExpandMaxResults externaliseToolResults toolResultThresholdChars dataDir';
    expect(Object.keys(manifest.configSchema.properties).sort()).toEqual(keys.split(' ').sort());
  });

  it('names the tools it registers, the slot it fills and the version of the package', () => {
    expect(manifest).toMatchObject({
      id: 'strata',
      kind: 'context-engine',
      contracts: { tools: ['memory_expand', 'memory_recall', 'memory_store', 'memory_forget'] },
    });
    expect(manifest.version).toBe(packageJson.version);
    expect(packageJson.openclaw.extensions).toEqual(['./index.js']);
  });
});
