import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AssembleParams, CommitTurnParams } from '../host-types.ts';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { messageKey } from '../messages/message-key.ts';
import { sharedState } from '../shared-state.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { assistant, session, user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';

let daemon: ScriptedDaemon;
let host: ScriptedHost;
const turn = [user('question', 10), assistant('answer', 11)];
const identity = { session_id: 's1', session_key: 'agent:main:main', agent_id: 'main' };

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
  host = new ScriptedHost();
  host.register({ dataDir: daemon.dataDir });
});

afterEach(async () => {
  expect(daemon.complaints).toEqual([]);
  await daemon.remove();
});

function commitParams(n = 0): CommitTurnParams {
  return {
    ...session,
    advancementKey: `key-${n}`,
    messages: n === 0 ? turn : [user(`question ${n}`, 10 + n), assistant(`answer ${n}`, 11 + n)],
    isHeartbeat: false,
    // The host's context carries its whole configuration; only model and budget may leave.
    runtimeContext: {
      modelId: 'm',
      tokenBudget: 32_000,
      config: { secret: 'SECRET' },
    } as CommitTurnParams['runtimeContext'],
  };
}

function assembleParams(messages = [user('old'), assistant('older answer')]): AssembleParams {
  return { ...session, messages, tokenBudget: 10_000, prompt: 'next', model: 'm', availableTools: new Set(['read']) };
}

const spoolNames = async (): Promise<string[]> =>
  (await readdir(join(daemon.dataDir, 'spool'))).filter((name) => name.endsWith('.json'));

describe('the engine', () => {
  it('H02: declares the transcript semantics without which hosts bypass it, and has every required member', async () => {
    const engine = await host.engine();
    expect(engine.info).toMatchObject({
      id: 'strata',
      transcriptSemantics: {
        currentTurnFence: 'before-current-turn-entry-v1',
        turnAdvancementIdempotency: 'atomic-idempotent-v1',
      },
    });
    for (const member of ['ingest', 'assemble', 'compact', 'commitTurn', 'afterTurn', 'bootstrap'] as const) {
      expect(typeof engine[member]).toBe('function');
    }
  });

  it('owns compaction only while the daemon is healthy', async () => {
    expect((await host.engine()).info.ownsCompaction).toBe(true);
    forgetSharedState();
    host.register({ dataDir: daemon.dataDir });
    await daemon.down();
    expect((await host.engine()).info.ownsCompaction).toBe(false);
  });

  it('reports its registration and the host once per process', async () => {
    const engine = await host.engine();
    await (await host.engine()).dispose();
    await engine.dispose();
    const events = daemon.bodiesOf('/v1/host-events').flatMap((body) => body['events'] as unknown[]);
    expect(events).toEqual([{ type: 'plugin_registered', plugin_version: '0.1.0', host_version: '2026.9.6' }]);
  });
});

describe('a daemon that was restarted', () => {
  it('is told of the plugin and the host again, once', async () => {
    await (await host.engine()).dispose();
    daemon.script('/health', () => ({ reply: { ready: true, started_at: '2026-11-02T10:00:00.000Z' } }));
    for (const probe of sharedState().probes.values()) probe.at = 0;
    await (await host.engine()).dispose();
    await (await host.engine()).dispose();
    const events = daemon.bodiesOf('/v1/host-events').flatMap((body) => body['events'] as unknown[]);
    expect(events).toHaveLength(2);
    expect(events[1]).toEqual(events[0]);
  });
});

describe('commitTurn', () => {
  it('S14, H07: goes on when the host loads it anew in mid-conversation, with old instances and new ones', async () => {
    const before = await host.engine();
    for (let reload = 0; reload < 5; reload += 1) host.register({ dataDir: daemon.dataDir });
    expect(await before.commitTurn(commitParams(1))).toEqual({ status: 'committed' });
    await before.dispose?.();
    const after = await host.engine();
    expect(await after.commitTurn(commitParams(2))).toEqual({ status: 'committed' });
    const keys = daemon.bodiesOf('/v1/commit-turn').map((body) => body['advancement_key']);
    expect(keys).toEqual(['key-1', 'key-2']);
    expect(host.warnings).toEqual([]);
  });

  it('S01: stores the whole turn, with model and budget and nothing else of the host', async () => {
    const engine = await host.engine();
    expect(await engine.commitTurn(commitParams())).toEqual({ status: 'committed' });
    expect(daemon.bodiesOf('/v1/commit-turn')).toEqual([
      {
        ...identity,
        advancement_key: 'key-0',
        format: 'openclaw',
        messages: turn,
        token_budget: 32_000,
        model: 'm',
        is_heartbeat: false,
      },
    ]);
    expect(JSON.stringify(daemon.calls)).not.toContain('SECRET');
  });

  it('passes on that a turn was stored before', async () => {
    daemon.script('/v1/commit-turn', () => ({ reply: { status: 'duplicate', turn_ids: [], stored: 0 } }));
    expect(await (await host.engine()).commitTurn(commitParams())).toEqual({ status: 'duplicate' });
  });

  it('keeps turns while the daemon is away, and delivers them in order before anything newer', async () => {
    await daemon.down();
    const engine = await host.engine();
    expect(await engine.commitTurn(commitParams(0))).toEqual({ status: 'committed' });
    expect(await engine.commitTurn(commitParams(1))).toEqual({ status: 'committed' });
    expect(await spoolNames()).toHaveLength(2);
    await daemon.up();
    expect(await (await host.engine()).commitTurn(commitParams(2))).toEqual({ status: 'committed' });
    const keys = daemon.bodiesOf('/v1/commit-turn').map((body) => body['advancement_key']);
    expect(keys).toEqual(['key-0', 'key-1', 'key-2']);
    expect(await spoolNames()).toEqual([]);
  });

  it('keeps the bodies of a waiting turn, whatever this process believes the daemon to know', async () => {
    const engine = await host.engine();
    await engine.commitTurn(commitParams());
    await daemon.down();
    await engine.commitTurn({ ...commitParams(), advancementKey: 'again' });
    await daemon.up();
    daemon.knownBodies.clear();
    await engine.bootstrap(session);
    expect(daemon.bodiesOf('/v1/commit-turn').at(-1)).toMatchObject({ advancement_key: 'again', messages: turn });
  });

  it('keeps the newer turn back while older ones cannot be delivered', async () => {
    await daemon.down();
    const engine = await host.engine();
    await engine.commitTurn(commitParams(0));
    await daemon.up();
    daemon.script('/v1/commit-turn', (body) => (body['advancement_key'] === 'key-0' ? { error: 'busy' } : undefined));
    await engine.commitTurn(commitParams(1));
    expect(daemon.bodiesOf('/v1/commit-turn')).toEqual([]);
    expect(await spoolNames()).toHaveLength(2);
  });

  it('keeps a turn aside that the daemon refuses for good, and does not make the host offer it forever', async () => {
    daemon.script('/v1/commit-turn', () => ({ error: 'advancement_conflict' }));
    expect(await (await host.engine()).commitTurn(commitParams())).toEqual({ status: 'committed' });
    expect(await spoolNames()).toEqual([]);
    expect(await readdir(join(daemon.dataDir, 'spool', 'rejected'))).toHaveLength(2);
    expect(host.warnings.join()).toContain('rejected');
  });

  it('throws when neither the daemon nor the spool could store the turn, so that the host keeps it', async () => {
    await daemon.down();
    await writeFile(join(daemon.dataDir, 'spool'), 'a file where the directory should be');
    await expect((await host.engine()).commitTurn(commitParams())).rejects.toThrow();
  });

  it('tells the daemon how much waits', async () => {
    const engine = await host.engine();
    daemon.script('/v1/commit-turn', () => ({ error: 'internal' }));
    await engine.commitTurn(commitParams());
    await engine.dispose();
    const events = daemon.bodiesOf('/v1/host-events').flatMap((body) => body['events'] as { type: string }[]);
    expect(events.find(({ type }) => type === 'spool_state')).toMatchObject({
      pending: 1,
      oldest_at: expect.any(String) as string,
    });
  });

  it('keeps a turn that the daemon calls committed without naming all of it', async () => {
    daemon.script('/v1/commit-turn', () => ({ reply: { status: 'committed', turn_ids: ['t0'], stored: 1 } }));
    expect(await (await host.engine()).commitTurn(commitParams())).toEqual({ status: 'committed' });
    expect(await spoolNames()).toHaveLength(1);
    expect(host.warnings.join()).toContain('2 messages were sent');
    daemon.script('/v1/commit-turn', () => ({ reply: { status: 'duplicate', turn_ids: [], stored: 0 } }));
    await (await host.engine()).bootstrap(session);
    expect(await spoolNames()).toEqual([]);
  });

  it('tells the daemon how many requests it refused for good, until somebody takes them away', async () => {
    const engine = await host.engine();
    daemon.script('/v1/commit-turn', () => ({ error: 'advancement_conflict' }));
    await engine.commitTurn(commitParams());
    daemon.unscript('/v1/commit-turn');
    await engine.commitTurn(commitParams(1));
    await rm(join(daemon.dataDir, 'spool', 'rejected'), { recursive: true });
    await engine.commitTurn(commitParams(2));
    await engine.commitTurn(commitParams(3));
    await engine.dispose();
    const events = daemon.bodiesOf('/v1/host-events').flatMap((body) => body['events'] as { type: string }[]);
    const state = { type: 'spool_state', pending: 0, rejected: 1 };
    expect(events.filter(({ type }) => type === 'spool_state')).toEqual([state, state, { ...state, rejected: 0 }]);
  });

  it('S66: stores nothing when autoCapture is off', async () => {
    host.register({ dataDir: daemon.dataDir, autoCapture: false });
    const engine = await host.engine();
    expect(await engine.commitTurn(commitParams())).toEqual({ status: 'committed' });
    await engine.afterTurn({ ...session, messages: turn, prePromptMessageCount: 0 });
    await engine.ingestBatch({ ...session, messages: turn });
    await engine.bootstrap(session);
    await engine.dispose();
    expect(
      daemon.calls.map(({ path }) => path).filter((path) => path !== '/health' && path !== '/v1/host-events'),
    ).toEqual([]);
  });
});

describe('assemble', () => {
  it("gives the host its own objects back, in the daemon's order, with the stable addition", async () => {
    const params = assembleParams();
    const inline = user('summary');
    daemon.script('/v1/assemble', () => ({
      reply: { call_id: 'c', plan: [{ inline }, { host: 1 }], estimated_tokens: 7, system_prompt_addition: 'ADD' },
    }));
    const result = await (await host.engine()).assemble(params);
    expect(result).toEqual({ messages: [inline, params.messages[1]], estimatedTokens: 7, systemPromptAddition: 'ADD' });
    expect(result.messages[1]).toBe(params.messages[1]);
  });

  it('asks for a plan over the full history, by references, and sends bodies only when asked', async () => {
    const params = assembleParams();
    await (await host.engine()).assemble(params);
    const [body] = daemon.bodiesOf('/v1/assemble');
    expect(body).toMatchObject({
      ...identity,
      history: 'full',
      reply: 'plan',
      host_count: 2,
      token_budget: 10_000,
      prompt: 'next',
      model: 'm',
      available_tools: ['read'],
      messages: params.messages,
    });
    const again = { ...params, messages: params.messages.map((message) => structuredClone(message)) };
    await (await host.engine()).assemble(again);
    expect(daemon.bodiesOf('/v1/assemble')[1]).toMatchObject({
      messages: params.messages.map((message) => ({ ref: messageKey(message) })),
    });
  });

  it('describes only the newest messages of a long list, by their positions', async () => {
    const messages = Array.from({ length: 3_000 }, (_, i) => user(`message ${i} ${'word '.repeat(100)}`, i));
    const result = await (await host.engine()).assemble({ ...assembleParams(messages), tokenBudget: 5_000 });
    const [body] = daemon.bodiesOf('/v1/assemble');
    const indexes = body?.['indexes'] as number[];
    expect(body?.['host_count']).toBe(3_000);
    expect(indexes.length).toBeLessThan(200);
    expect(indexes).toContain(0);
    expect(indexes.at(-1)).toBe(2_999);
    expect(result.messages.at(-1)).toBe(messages[2_999]);
  });

  it('S65: answers with the messages of the host when the daemon hangs, is away, or fails', async () => {
    host.register({ dataDir: daemon.dataDir, timeoutMs: 60 });
    const params = assembleParams();
    const engine = await host.engine();
    daemon.script('/v1/assemble', () => ({ error: 'strategy_failed' }));
    expect((await engine.assemble(params)).messages).toBe(params.messages);
    daemon.script('/v1/assemble', () => 'later');
    expect((await engine.assemble(params)).messages).toBe(params.messages);
    await daemon.down();
    expect((await engine.assemble(params)).messages).toBe(params.messages);
    expect(host.warnings.join()).toContain('own messages');
  });

  it('H09: takes no plan on trust', async () => {
    const plans: unknown[] = [
      undefined,
      null,
      'x',
      5,
      {},
      [null],
      [5],
      ['a'],
      [{}],
      [{ host: -1 }],
      [{ host: 1.5 }],
      [{ host: '0' }],
      [{ host: 2 }],
      [{ host: 0 }, { host: 0 }],
      [{ host: 1 }, { host: 0 }],
      [{ inline: null }],
      [{ inline: [] }],
      [{ inline: {} }],
      [{ inline: { role: 5 } }],
      [{ inline: 'text' }],
      [{ host: 0, inline: user('x') }],
      [],
      [{ host: 0 }],
      [{ inline: user('x') }],
    ];
    const params = assembleParams();
    const engine = await host.engine();
    for (const plan of plans) {
      daemon.script('/v1/assemble', () => ({ reply: { call_id: 'c', plan, estimated_tokens: 1 } }));
      expect((await engine.assemble(params)).messages).toBe(params.messages);
    }
    const good = { call_id: 'c', plan: [{ host: 1 }], estimated_tokens: 1 };
    const broken = [
      { ...good, call_id: 5 },
      { ...good, estimated_tokens: -1 },
      { ...good, estimated_tokens: null },
      { ...good, system_prompt_addition: {} },
      [],
      null,
      'x',
    ];
    for (const reply of broken) {
      daemon.script('/v1/assemble', () => ({ reply }));
      expect((await engine.assemble(params)).messages).toBe(params.messages);
    }
    for (const text of ['', '<html>', '{"call_id"', 'null']) {
      daemon.script('/v1/assemble', () => ({ text }));
      expect((await engine.assemble(params)).messages).toBe(params.messages);
    }
  });

  it('always returns a list, whatever the host passes', async () => {
    const engine = await host.engine();
    const odd = { ...session, messages: undefined } as unknown as AssembleParams;
    expect((await engine.assemble(odd)).messages).toEqual([]);
    await daemon.down();
    expect((await engine.assemble(odd)).messages).toEqual([]);
  });

  it.each([[[null]], [[undefined, 5]], [['x', user('a')]], [[[]]]])(
    "answers the host's own list when it holds what is no message: %j",
    async (list) => {
      const params = assembleParams(list as unknown as HostMessage[]);
      const engine = await host.engine();
      expect((await engine.assemble(params)).messages).toBe(params.messages);
      expect(daemon.bodiesOf('/v1/assemble')).toEqual([]);
      await daemon.down();
      expect((await engine.assemble(params)).messages).toBe(params.messages);
    },
  );

  it("answers the host's own list when the plugin itself fails", async () => {
    const messages = [user('old')];
    const params = {
      messages,
      tokenBudget: 5,
      get sessionKey(): string {
        throw new Error('odd');
      },
    };
    const engine = await host.engine();
    expect((await engine.assemble(params as unknown as AssembleParams)).messages).toBe(messages);
    expect(host.warnings.join()).toContain('assemble failed');
    expect((await engine.assemble(undefined as unknown as AssembleParams)).messages).toEqual([]);
  });

  it('H09: estimates a fallback upwards, tool arguments included', async () => {
    await daemon.down();
    const call = { type: 'toolCall', id: 'c', name: 'write', arguments: { text: '報告書'.repeat(1_000) } };
    const messages = [user('部署失败'.repeat(1_000)), { ...assistant(''), content: [call] }];
    const result = await (await host.engine()).assemble(assembleParams(messages));
    expect(result.estimatedTokens).toBeGreaterThan(7_000 * 1.2);
    expect((await (await host.engine()).assemble(assembleParams([user('a')]))).estimatedTokens).toBeGreaterThan(0);
  });

  it('S48: a fallback keeps the addition of the call before, so that the system prompt stays as it was', async () => {
    daemon.script('/v1/assemble', () => ({
      reply: { call_id: 'c', plan: [{ host: 1 }], estimated_tokens: 1, system_prompt_addition: 'ADD' },
    }));
    const engine = await host.engine();
    await engine.assemble(assembleParams());
    daemon.script('/v1/assemble', () => ({ error: 'internal' }));
    expect((await engine.assemble(assembleParams())).systemPromptAddition).toBe('ADD');
  });

  it('S64: does not describe its own summary as history when the host passes its list again in a tool loop', async () => {
    const summary = { role: 'compactionSummary', summary: 'ours', tokensBefore: 5, timestamp: 1 };
    const params = assembleParams();
    daemon.script('/v1/assemble', (body) =>
      body['indexes'] === undefined
        ? { reply: { call_id: 'c', plan: [{ inline: summary }, { host: 1 }], estimated_tokens: 7 } }
        : undefined,
    );
    const engine = await host.engine();
    const first = await engine.assemble(params);
    // The host's loop shows the list that it got, in copies, and what came to the turn since.
    const again = [...first.messages.map((message) => structuredClone(message)), user('pending', 9)];
    await engine.assemble({ ...params, messages: again });
    expect(daemon.bodiesOf('/v1/assemble').map((body) => [body['indexes'], body['host_count']])).toEqual([[[1, 2], 3]]);
    expect(JSON.stringify(daemon.calls)).not.toContain('ours');
  });

  it('never fills the gross window of a tool loop', async () => {
    const engine = await host.engine();
    for (const tokenBudget of [165_711, 199_958, 198_375]) await engine.assemble({ ...assembleParams(), tokenBudget });
    expect(daemon.bodiesOf('/v1/assemble').map((body) => body['token_budget'])).toEqual([165_711, 165_711, 164_128]);
  });

  it('reads the agent off the session key, and takes the configured one where there is none', async () => {
    host.register({ dataDir: daemon.dataDir, agentId: 'configured' });
    const engine = await host.engine();
    await engine.assemble({ ...assembleParams(), sessionKey: 'agent:writer:chat:1' });
    await engine.assemble({ ...assembleParams(), sessionKey: undefined });
    expect(daemon.bodiesOf('/v1/assemble').map((body) => [body['agent_id'], body['session_key']])).toEqual([
      ['writer', 'agent:writer:chat:1'],
      ['configured', undefined],
    ]);
  });

  it('H20: uses nothing of the daemon while a reset of this session waits to be delivered', async () => {
    await daemon.down();
    await host.fire('session_end', { ...session, reason: 'reset', nextSessionId: 's1' });
    await daemon.up();
    daemon.script('/v1/session-end', () => ({ error: 'busy' }));
    const params = assembleParams();
    expect((await (await host.engine()).assemble(params)).messages).toBe(params.messages);
    expect(daemon.bodiesOf('/v1/assemble')).toEqual([]);
    daemon.unscript('/v1/session-end');
    await (await host.engine()).assemble(params);
    expect(
      daemon.calls.map(({ path }) => path).filter((path) => path === '/v1/session-end' || path === '/v1/assemble'),
    ).toEqual(['/v1/session-end', '/v1/assemble']);
  });
});

describe('bootstrap', () => {
  const entry = (n: number) => ({ entryId: `e${n}`, message: user(`m${n}`, n), role: 'user', seq: n });

  it('takes in what the transcript has beyond the stored cursor, page by page', async () => {
    const asked: (string | undefined)[] = [];
    host.readTranscript = ({ cursor }) => {
      asked.push(cursor);
      const page =
        cursor === 'stored'
          ? { cursor: 'c1', hasMore: true, entries: [entry(1), entry(2)] }
          : { cursor: 'c2', hasMore: false, entries: [entry(3)] };
      return Promise.resolve({ kind: 'page', ...page });
    };
    daemon.script('/v1/bootstrap', (body) =>
      (body['messages'] as unknown[]).length === 0
        ? {
            reply: {
              imported: 0,
              skipped: 0,
              turn_ids: [],
              cursor: 'stored',
              session_uid: 'u',
              epoch: 0,
              last_sequence: 0,
            },
          }
        : undefined,
    );
    const engine = await host.engine();
    expect(await engine.bootstrap({ ...session, sessionTarget: { agentId: 'main' } })).toMatchObject({
      bootstrapped: true,
      importedMessages: 3,
    });
    expect(asked).toEqual(['stored', 'c1']);
    const sent = daemon
      .bodiesOf('/v1/bootstrap')
      .map((body) => [body['transcript'], body['cursor'], body['complete'], body['entry_ids']]);
    expect(sent).toEqual([
      ['page', 'c1', false, ['e1', 'e2']],
      ['page', 'c2', true, ['e3']],
    ]);
  });

  it('S08: sends nothing when there is nothing new', async () => {
    host.readTranscript = () => Promise.resolve({ kind: 'page', cursor: 'c', hasMore: false, entries: [] });
    const engine = await host.engine();
    await engine.bootstrap({ ...session, sessionTarget: { agentId: 'main' } });
    expect(daemon.bodiesOf('/v1/bootstrap')).toHaveLength(1);
  });

  it('S22: stops after a bounded number of pages and says that there is more', async () => {
    let pages = 0;
    host.readTranscript = () => {
      pages += 1;
      return Promise.resolve({ kind: 'page', cursor: `c${pages}`, hasMore: true, entries: [entry(pages)] });
    };
    const engine = await host.engine();
    const result = await engine.bootstrap({ ...session, sessionTarget: { agentId: 'main' } });
    expect(result.reason).toContain('more');
    expect(pages).toBe(20);
    expect(daemon.bodiesOf('/v1/bootstrap').at(-1)).toMatchObject({ complete: false, cursor: 'c20' });
  });

  it('S10: reads a rewritten transcript again from its start, and reports it', async () => {
    const asked: (string | undefined)[] = [];
    host.readTranscript = ({ cursor }) => {
      asked.push(cursor);
      return Promise.resolve(
        asked.length === 1
          ? { kind: 'reset', cursor: 'fresh' }
          : { kind: 'page', cursor: 'c', hasMore: false, entries: [entry(1)] },
      );
    };
    await (await host.engine()).bootstrap({ ...session, sessionTarget: { agentId: 'main' } });
    expect(asked).toEqual([undefined, 'fresh']);
    const sent = daemon.bodiesOf('/v1/bootstrap').map((body) => [body['transcript'], body['complete'], body['cursor']]);
    expect(sent).toEqual([
      [undefined, undefined, undefined],
      ['reset', true, 'c'],
    ]);
    expect(daemon.bodiesOf('/v1/bootstrap')[1]).toMatchObject({ messages: [entry(1).message] });
  });

  it('S10: reports a transcript that is empty after its reset', async () => {
    const answers = [{ kind: 'reset' }, { kind: 'page', cursor: 'c', hasMore: false, entries: [] }];
    host.readTranscript = () => Promise.resolve(answers.shift());
    await (await host.engine()).bootstrap({ ...session, sessionTarget: { agentId: 'main' } });
    expect(daemon.bodiesOf('/v1/bootstrap')).toMatchObject([
      {},
      { transcript: 'reset', complete: true, messages: [], cursor: 'c' },
    ]);
  });

  it('S10: reports a reset with the first messages behind it, and what follows as ordinary pages', async () => {
    const answers = [
      { kind: 'reset', cursor: 'fresh' },
      { kind: 'page', cursor: 'c0', hasMore: true, entries: [] },
      { kind: 'page', cursor: 'c1', hasMore: true, entries: [entry(1)] },
      { kind: 'page', cursor: 'c2', hasMore: false, entries: [entry(2)] },
    ];
    host.readTranscript = () => Promise.resolve(answers.shift());
    await (await host.engine()).bootstrap({ ...session, sessionTarget: { agentId: 'main' } });
    const sent = daemon.bodiesOf('/v1/bootstrap').map((body) => [body['transcript'], body['complete'], body['cursor']]);
    expect(sent.slice(1)).toEqual([
      ['reset', false, 'c1'],
      ['page', true, 'c2'],
    ]);
  });

  it('reports a transcript that is missing or cannot be read now, and does not fail', async () => {
    for (const answer of [
      { kind: 'missing' },
      { kind: 'unavailable', reason: 'projection_rebuilding' },
      undefined,
      'x',
      { kind: 'page' },
    ]) {
      host.readTranscript = () => Promise.resolve(answer);
      const engine = await host.engine();
      expect(await engine.bootstrap({ ...session, sessionTarget: { agentId: 'main' } })).toMatchObject({
        bootstrapped: true,
      });
    }
    host.readTranscript = () => Promise.reject(new Error('locked'));
    const engine = await host.engine();
    expect(await engine.bootstrap({ ...session, sessionTarget: { agentId: 'main' } })).toEqual({
      bootstrapped: false,
      reason: 'failed',
    });
  });

  it('S85: never touches what the host names as the session file', async () => {
    const params = { ...session, sessionFile: '/nowhere/agent:main:main', sessionTarget: { agentId: 'main' } };
    expect(await (await host.engine()).bootstrap(params)).toMatchObject({ bootstrapped: true });
    expect(JSON.stringify(daemon.calls)).not.toContain('nowhere');
  });
});

describe('afterTurn', () => {
  it('names the older messages by reference and sends the new ones', async () => {
    const older = [user('old', 1), assistant('older', 2)];
    const engine = await host.engine();
    await engine.ingestBatch({ ...session, messages: older });
    await engine.afterTurn({
      ...session,
      messages: [...older, ...turn],
      prePromptMessageCount: 2,
      tokenBudget: 64_000,
    });
    expect(daemon.bodiesOf('/v1/after-turn')).toEqual([
      {
        ...identity,
        format: 'openclaw',
        token_budget: 64_000,
        messages: [...older.map((message) => ({ ref: messageKey(message) })), ...turn],
      },
    ]);
  });

  it('S07: stores nothing twice when a host of 2026.8 tries a turn again after an overflow', async () => {
    const written = user('which facts?', 10);
    const offered = { role: 'user', content: [{ type: 'text', text: 'which facts?' }], timestamp: 20 };
    const hook = { sessionKey: session.sessionKey };
    await host.fire('before_message_write', { message: written }, hook);
    await host.fire('before_message_write', { message: offered }, hook);
    const summary = { role: 'compactionSummary', summary: 'Earlier.', tokensBefore: 9, timestamp: 15 };
    const engine = await host.engine();
    await engine.afterTurn({ ...session, messages: [summary, written, offered], prePromptMessageCount: 2 });
    const failed = '[assistant turn failed before producing content]';
    const repaired = {
      ...assistant('six facts', 12),
      content: [
        { type: 'text', text: failed },
        { type: 'text', text: 'six' },
      ],
    };
    const next = user('read it', 30);
    const again = await host.engine();
    await again.afterTurn({ ...session, messages: [summary, written, repaired, next], prePromptMessageCount: 3 });
    const bodies = daemon.bodiesOf('/v1/after-turn').flatMap((body) => body['messages'] as { ref?: string }[]);
    expect(bodies.filter(({ ref }) => ref === undefined)).toEqual([written, next]);
    expect(JSON.stringify(bodies)).not.toContain(messageKey(repaired));
  });

  it('S18: catches up on what the daemon lacks, and in a tool loop sends each body once', async () => {
    const engine = await host.engine();
    const list = [user('old', 1), assistant('older', 2), ...turn];
    await engine.afterTurn({ ...session, messages: list.slice(0, 3), prePromptMessageCount: 2 });
    await engine.afterTurn({ ...session, messages: list, prePromptMessageCount: 3 });
    const bodies = daemon.bodiesOf('/v1/after-turn').flatMap((body) => body['messages'] as object[]);
    expect(bodies).toEqual(list);
  });

  it('keeps only the new part when the daemon is away, and never throws', async () => {
    await daemon.down();
    const engine = await host.engine();
    await engine.afterTurn({ ...session, messages: [user('old', 1), ...turn], prePromptMessageCount: 1 });
    await daemon.up();
    await engine.bootstrap(session);
    expect(daemon.bodiesOf('/v1/after-turn')).toMatchObject([{ messages: turn }]);
    await daemon.down();
    await rm(join(daemon.dataDir, 'spool'), { recursive: true });
    await writeFile(join(daemon.dataDir, 'spool'), '');
    await engine.afterTurn({ ...session, messages: turn, prePromptMessageCount: 0 });
  });
});

describe('compact', () => {
  const params = {
    ...session,
    force: true,
    tokenBudget: 32_000,
    currentTokenCount: 99_999,
    compactionTarget: 'budget' as const,
  };

  it('S49: an overflow reaches the daemon with its numbers, and the host hears what it came to', async () => {
    const engine = await host.engine();
    const result = await engine.compact({ ...params, runtimeContext: { trigger: 'overflow', attempt: 2 } });
    expect(daemon.bodiesOf('/v1/compact')).toEqual([
      {
        ...identity,
        trigger: 'overflow',
        token_budget: 32_000,
        force: true,
        current_token_count: 99_999,
        target: 'budget',
        attempt: 2,
      },
    ]);
    expect(result).toEqual({
      ok: true,
      compacted: true,
      result: { tokensBefore: 100, tokensAfter: 40, details: { checkpointId: 'c1' } },
    });
    expect(host.delegated).toEqual([]);
  });

  it('S43: takes the net budget of the turn where it is the smaller one', async () => {
    const engine = await host.engine();
    await engine.assemble({ ...assembleParams(), tokenBudget: 11_704 });
    await engine.compact(params);
    expect(daemon.bodiesOf('/v1/compact')[0]).toMatchObject({ token_budget: 11_704, trigger: 'host' });
  });

  it('H14: says honestly that nothing was freed', async () => {
    daemon.script('/v1/compact', () => ({
      reply: { ok: true, compacted: false, reason: 'nothing_to_compact', tokens_before: 5, tokens_after: 5 },
    }));
    expect(await (await host.engine()).compact(params)).toMatchObject({
      ok: true,
      compacted: false,
      reason: 'nothing_to_compact',
    });
  });

  it('S49, H12: hands an overflow that came to nothing in the daemon to the runtime of the host', async () => {
    const overflow = { ...params, runtimeContext: { trigger: 'overflow' } };
    const engine = await host.engine();
    for (const reply of [
      { ok: true, compacted: false, reason: 'nothing_to_compact', tokens_before: 5, tokens_after: 5 },
      { ok: true, compacted: true, tokens_before: 5, tokens_after: 5 },
      { ok: false, compacted: false, reason: 'failed', tokens_before: 5, tokens_after: 5 },
    ]) {
      daemon.script('/v1/compact', () => ({ reply }));
      expect(await engine.compact(overflow)).toMatchObject({ compacted: true, reason: 'by the host' });
    }
    expect(host.delegated).toEqual([overflow, overflow, overflow]);
    host.delegate = () => Promise.reject(new Error('no runtime'));
    expect(await engine.compact(overflow)).toMatchObject({ ok: false, compacted: false });
  });

  it('H14: passes on a compaction that freed nothing as none, and for /compact asks nobody else', async () => {
    daemon.script('/v1/compact', () => ({
      reply: { ok: true, compacted: true, tokens_before: 40, tokens_after: 41, checkpoint_id: 'c1' },
    }));
    const engine = await host.engine();
    expect(await engine.compact({ ...params, runtimeContext: { trigger: 'manual' } })).toMatchObject({
      ok: true,
      compacted: false,
      reason: 'nothing_freed',
      result: { tokensBefore: 40, tokensAfter: 41 },
    });
    expect(host.delegated).toEqual([]);
  });

  it('H12: hands over to the runtime of the host while it does not own compaction, and when the daemon fails', async () => {
    const owning = await host.engine();
    daemon.script('/v1/compact', () => ({ error: 'store_failed' }));
    expect(await owning.compact(params)).toMatchObject({ compacted: true, reason: 'by the host' });
    await daemon.down();
    forgetSharedState();
    host.register({ dataDir: daemon.dataDir });
    expect(await (await host.engine()).compact(params)).toMatchObject({ compacted: true, reason: 'by the host' });
    expect(host.delegated).toEqual([params, params]);
  });

  it('S52: reports a failure of both instead of throwing', async () => {
    host.delegate = () => Promise.reject(new Error('no runtime'));
    await daemon.down();
    expect(await (await host.engine()).compact(params)).toMatchObject({
      ok: false,
      compacted: false,
      reason: expect.stringContaining('no runtime') as string,
    });
  });
});

describe('the rest of the life cycle', () => {
  it('never throws with the daemon away, and changes nothing', async () => {
    await daemon.down();
    const engine = await host.engine();
    expect(await engine.maintain(session)).toEqual({ changed: false, bytesFreed: 0, rewrittenEntries: 0 });
    expect(await engine.bootstrap(session)).toMatchObject({ bootstrapped: false });
    const spawn = await engine.prepareSubagentSpawn({ parentSessionKey: 'p', childSessionKey: 'c' });
    await spawn.rollback();
    await engine.onSubagentEnded({ childSessionKey: 'c', reason: 'completed' });
    await engine.dispose();
    await engine.dispose();
    await daemon.up();
  });

  it('reports sub-agents, their end and a start that was taken back', async () => {
    const engine = await host.engine();
    const spawn = await engine.prepareSubagentSpawn({
      parentSessionKey: 'p',
      childSessionKey: 'c',
      contextMode: 'fork',
    });
    await spawn.rollback();
    await engine.onSubagentEnded({ childSessionKey: 'c', reason: 'swept' });
    expect(daemon.bodiesOf('/v1/subagent/prepare')).toEqual([
      { parent_session_key: 'p', child_session_key: 'c', context_mode: 'fork' },
    ]);
    expect(daemon.bodiesOf('/v1/subagent/ended')).toEqual([
      { child_session_key: 'c', reason: 'rolled_back' },
      { child_session_key: 'c', reason: 'swept' },
    ]);
  });

  it('works with a data directory that does not exist or cannot be read', async () => {
    const closed = join(daemon.dataDir, 'closed');
    await mkdir(closed);
    await chmod(closed, 0o000);
    for (const dataDir of [join(daemon.dataDir, 'missing'), closed]) {
      host.register({ dataDir, port: 1 });
      const params = assembleParams();
      expect((await (await host.engine()).assemble(params)).messages).toBe(params.messages);
    }
    await chmod(closed, 0o700);
  });
});
