import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetSharedState } from './testing/forget-shared-state.ts';
import { assistant, session, user } from './testing/messages.ts';
import { ScriptedDaemon } from './testing/scripted-daemon.ts';
import { ScriptedHost } from './testing/scripted-host.ts';

let daemon: ScriptedDaemon;

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
});

afterEach(async () => {
  expect(daemon.complaints).toEqual([]);
  await daemon.remove();
});

function hostWith(config: Record<string, unknown>): ScriptedHost {
  forgetSharedState();
  const host = new ScriptedHost();
  // Long enough for a busy machine.
  host.register({ dataDir: daemon.dataDir, timeoutMs: 20_000, ...config });
  return host;
}

/** What the daemon is asked when a context is wanted. */
async function assembleBody(
  config: Record<string, unknown>,
  who: { sessionId: string; sessionKey?: string } = session,
): Promise<Record<string, unknown> | undefined> {
  const engine = await hostWith(config).engine();
  await engine.assemble({ ...who, messages: [user('old')], tokenBudget: 10_000, prompt: 'next' });
  return daemon.bodiesOf('/v1/assemble').at(-1);
}

async function commitBody(config: Record<string, unknown>): Promise<Record<string, unknown> | undefined> {
  const engine = await hostWith(config).engine();
  await engine.commitTurn({ ...session, advancementKey: 'k', messages: [user('q'), assistant('a')] });
  return daemon.bodiesOf('/v1/commit-turn').at(-1);
}

describe('a key of the earlier plugin', () => {
  it.each([
    [{ autoRecall: true }, { enabled: true }],
    [{ autoRecall: false }, { enabled: false }],
    [{ recallLimit: 3 }, { limit: 3 }],
    [{ recallScoreThreshold: 0.2 }, { min_score: 0.2 }],
    [{ recallMaxContentChars: 400 }, { max_item_characters: 400 }],
    [{ recallPreferAbstract: true }, { prefer_abstract: true }],
    [{ recallTokenBudget: 700 }, { max_tokens: 700 }],
    [{ assembleRecallWindow: 4 }, { window: 4 }],
  ])('S66: %j reaches the daemon with each call', async (config, recall) => {
    expect(await assembleBody({})).not.toHaveProperty('recall');
    expect(await assembleBody(config)).toMatchObject({ recall });
  });

  it('S66: recentRawTurnCount: so many newest turns nothing pushes out', async () => {
    expect(await assembleBody({})).not.toHaveProperty('recent_raw_turn_count');
    expect(await assembleBody({ recentRawTurnCount: 3 })).toMatchObject({ recent_raw_turn_count: 3 });
  });

  it('S66: compactCommitThreshold goes with each turn, of hosts with and without a commit', async () => {
    expect(await commitBody({})).not.toHaveProperty('compact_threshold');
    expect(await commitBody({ compactCommitThreshold: 7 })).not.toHaveProperty('compact_threshold');
    expect(await commitBody({ compactCommitThreshold: 0.5 })).toMatchObject({ compact_threshold: 0.5 });
    const engine = await hostWith({ compactCommitThreshold: 0 }).engine();
    await engine.afterTurn?.({
      ...session,
      sessionFile: 'f',
      messages: [user('q2', 5)],
      prePromptMessageCount: 0,
    } as never);
    expect(daemon.bodiesOf('/v1/after-turn').at(-1)).toMatchObject({ compact_threshold: 0 });
  });

  it('S66: autoCapture: false stores nothing', async () => {
    expect(await commitBody({ autoCapture: false })).toBeUndefined();
    expect(await commitBody({})).toBeDefined();
  });

  it('S66: agentId is the agent of sessions whose key names none, and of no others', async () => {
    expect(await assembleBody({ agentId: 'writer' }, { sessionId: 's1' })).toMatchObject({ agent_id: 'writer' });
    expect(await assembleBody({}, { sessionId: 's1' })).not.toHaveProperty('agent_id');
    expect(await assembleBody({ agentId: 'writer' })).toMatchObject({ agent_id: 'main' });
  });

  it('S66: timeoutMs: the daemon is told to answer before it, and the host has its own list when it does not', async () => {
    const body = await assembleBody({ timeoutMs: 900 });
    expect(body?.['deadline_ms']).toBeLessThan(900);
    expect((await assembleBody({ timeoutMs: 60_000 }))?.['deadline_ms']).toBeGreaterThan(30_000);
    daemon.script('/v1/assemble', () => 'later');
    const messages = [user('old')];
    const engine = await hostWith({ timeoutMs: 60 }).engine();
    expect((await engine.assemble({ ...session, messages, tokenBudget: 1_000 })).messages).toEqual(messages);
  });

  it('S66: mode: remote needs baseUrl, and takes no token of this machine', async () => {
    const host = hostWith({ mode: 'remote' });
    await (await host.engine()).assemble({ ...session, messages: [user('old')], tokenBudget: 1_000 });
    expect(host.warnings.join()).toContain('baseUrl');
    expect(await assembleBody({ mode: 'remote', baseUrl: daemon.url })).toBeUndefined();
    expect(await assembleBody({ mode: 'remote', baseUrl: daemon.url, apiKey: daemon.token })).toBeDefined();
  });

  it('S66: configPath: the daemon’s config.yaml leads to its data directory', async () => {
    expect(await assembleBody({ dataDir: '', configPath: join(daemon.dataDir, 'config.yaml') })).toBeDefined();
  });
});
