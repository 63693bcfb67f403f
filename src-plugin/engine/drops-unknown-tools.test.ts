import { expect, it } from 'vitest';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { session, user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';
import { dropsUnknownTools } from './drops-unknown-tools.ts';

it.each([
  ['2026.3.7', true],
  ['2026.8.2', true],
  ['2026.9.6', false],
  ['2026.10.1', false],
  ['2027.1.0-beta', false],
  ['dev', false],
  [undefined, false],
])('of %s: %s', (version, expected) => {
  expect(dropsUnknownTools(version)).toBe(expected);
});

it('a host that drops calls of unknown tools gets what was recalled as a text', async () => {
  const daemon = await ScriptedDaemon.start();
  for (const [version, form] of [
    ['2026.8.2', 'text'],
    ['2026.9.6', undefined],
  ] as const) {
    forgetSharedState();
    const host = new ScriptedHost();
    host.version = version;
    host.register({ dataDir: daemon.dataDir, timeoutMs: 20_000, recallLimit: 3 });
    await (await host.engine()).assemble({ ...session, messages: [user('old')], tokenBudget: 1_000, prompt: 'next' });
    const { recall } = daemon.bodiesOf('/v1/assemble').at(-1) ?? {};
    expect(recall).toEqual({ limit: 3, ...(form === undefined ? {} : { form }) });
  }
  await daemon.remove();
});
