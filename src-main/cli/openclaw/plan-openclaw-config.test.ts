import { describe, expect, it } from 'vitest';
import { newlyDisabled, selectedEngine, withoutPlugin, withPlugin } from './plan-openclaw-config.ts';

const settings = { pluginDir: '/opt/strata/out/openclaw-plugin', config: {} };

describe('withPlugin', () => {
  it('loads, permits, enables and selects the plugin in an empty configuration', () => {
    expect(withPlugin({}, settings)).toEqual({
      plugins: {
        load: { paths: [settings.pluginDir] },
        entries: { strata: { enabled: true, hooks: { allowConversationAccess: true } } },
        slots: { contextEngine: 'strata' },
      },
    });
  });

  it('changes nothing the second time', () => {
    const once = withPlugin({ plugins: { load: { paths: ['/other'] } } }, settings);
    expect(withPlugin(once, settings)).toEqual(once);
  });

  it('leaves other plugins, other slots, other keys and the order of the load paths alone', () => {
    const before = {
      gateway: { port: 1 },
      plugins: {
        load: { paths: [settings.pluginDir, '/other'], deep: true },
        entries: { other: { enabled: true }, strata: { config: { timeoutMs: 900 }, hooks: { extra: 1 } } },
        slots: { memory: 'memory-core', contextEngine: 'legacy' },
      },
    };
    expect(withPlugin(before, settings)).toEqual({
      gateway: { port: 1 },
      plugins: {
        load: { paths: [settings.pluginDir, '/other'], deep: true },
        entries: {
          other: { enabled: true },
          strata: { enabled: true, config: { timeoutMs: 900 }, hooks: { extra: 1, allowConversationAccess: true } },
        },
        slots: { memory: 'memory-core', contextEngine: 'strata' },
      },
    });
  });

  it('replaces the build of another clone, because two plugins of one id are a conflict', () => {
    const before = { plugins: { load: { paths: ['/old/out/openclaw-plugin', '/other'] } } };
    expect(withPlugin(before, settings)).toMatchObject({
      plugins: { load: { paths: ['/other', settings.pluginDir] } },
    });
  });

  it('opens an allow list, a deny list and a global switch that would keep the plugin out', () => {
    const before = { plugins: { enabled: false, allow: ['other'], deny: ['strata', 'bad'] } };
    expect(withPlugin(before, settings)).toMatchObject({
      plugins: { enabled: true, allow: ['other', 'strata'], deny: ['bad'] },
    });
  });

  it('survives values of the wrong kind by putting right ones in their place', () => {
    const before = { plugins: { load: { paths: 'x' }, entries: [], slots: null } };
    expect(selectedEngine(withPlugin(before, settings))).toBe('strata');
  });
});

describe('withoutPlugin', () => {
  it('gives back the configuration that the installation found', () => {
    const before = {
      plugins: {
        load: { paths: ['/other'] },
        entries: { other: { enabled: true } },
        slots: { contextEngine: 'other' },
      },
    };
    expect(withoutPlugin(withPlugin(before, settings), { slot: 'other' })).toEqual(before);
    expect(withoutPlugin(withPlugin({ a: 1 }, settings), {})).toEqual({ a: 1 });
  });

  it('leaves the slot to whoever took it in the meantime', () => {
    const now = withPlugin({}, settings);
    const taken = { plugins: { ...(now['plugins'] as object), slots: { contextEngine: 'newer' } } };
    expect(selectedEngine(withoutPlugin(taken, { slot: 'old' }))).toBe('newer');
  });

  it('switches engines on again that the host had switched off for the slot', () => {
    const before = { plugins: { entries: { rival: { enabled: true }, off: { enabled: false } } } };
    const after = withPlugin(
      { plugins: { entries: { rival: { enabled: false }, off: { enabled: false } } } },
      settings,
    );
    const disabled = newlyDisabled(before, after);
    expect(disabled).toEqual(['rival']);
    expect(withoutPlugin(after, { disabled })).toEqual(before);
  });
});
