import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { session, user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';

let daemon: ScriptedDaemon;
let host: ScriptedHost;
const context = { ...session, agentId: 'main' };

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
  host = new ScriptedHost();
  // As the real host does: several registrations in one process, each with its hooks.
  for (let times = 0; times < 3; times += 1) host.register({ dataDir: daemon.dataDir });
});

afterEach(async () => {
  expect(daemon.complaints).toEqual([]);
  await daemon.remove();
});

async function events(): Promise<Record<string, unknown>[]> {
  await (await host.engine()).dispose();
  const all = daemon.bodiesOf('/v1/host-events').flatMap((body) => body['events'] as Record<string, unknown>[]);
  return all.filter(({ type }) => type !== 'plugin_registered');
}

describe('resets and ends of sessions', () => {
  it('S75: a reset that shows in before_reset and in session_end is one reset', async () => {
    await host.fire('before_reset', { reason: 'reset' }, context);
    await host.fire('session_end', { ...session, reason: 'reset', nextSessionId: 's1' }, context);
    expect(daemon.bodiesOf('/v1/session-end')).toEqual([
      { session_id: 's1', session_key: 'agent:main:main', agent_id: 'main', reason: 'reset' },
    ]);
  });

  it('a reset that only shows in session_end counts as well, and so does the next one', async () => {
    await host.fire('session_end', { ...session, reason: 'reset', nextSessionId: 's1' }, context);
    await host.fire('session_end', { ...session, reason: 'reset', nextSessionId: 's1' }, context);
    expect(daemon.bodiesOf('/v1/session-end')).toHaveLength(2);
  });

  it('passes on the other reasons, and the id that follows', async () => {
    await host.fire('session_end', { ...session, reason: 'daily', nextSessionId: 's2' }, context);
    await host.fire('session_end', { ...session }, context);
    expect(daemon.bodiesOf('/v1/session-end').map((body) => [body['reason'], body['next_session_id']])).toEqual([
      ['daily', 's2'],
      ['unknown', undefined],
    ]);
  });

  it('a reset waits in the spool while the daemon is away, in order with the turns', async () => {
    await daemon.down();
    const engine = await host.engine();
    await engine.commitTurn({ ...session, advancementKey: 'k1', messages: [user('before')] });
    await host.fire('before_reset', { reason: 'reset' }, context);
    await engine.commitTurn({ ...session, advancementKey: 'k2', messages: [user('after')] });
    await daemon.up();
    await engine.bootstrap(session);
    const order = daemon.calls.filter(({ path }) => path !== '/v1/host-events' && path !== '/health');
    expect(order.map(({ path, body }) => body['advancement_key'] ?? path)).toEqual([
      'k1',
      '/v1/session-end',
      'k2',
      '/v1/bootstrap',
    ]);
  });

  it('the shutdown of the host leaves nothing waiting, and comes after everything without harm', async () => {
    await daemon.down();
    await host.fire('session_end', { ...session, reason: 'shutdown' }, context);
    await daemon.up();
    await (await host.engine()).bootstrap(session);
    expect(daemon.bodiesOf('/v1/session-end')).toEqual([]);
  });
});

describe('model calls', () => {
  const call = (callId: string) => ({ runId: 'r1', callId, ...session });

  it('H01: reports the first model call of each run, whoever built its context', async () => {
    await host.fire('model_call_started', call('c1'), context);
    await host.fire('model_call_started', call('c2'), context);
    await host.fire('model_call_started', { ...call('c3'), runId: 'r2' }, context);
    expect(await events()).toEqual([
      { type: 'turn_seen', session_id: 's1', session_key: 'agent:main:main', agent_id: 'main', run_id: 'r1' },
      { type: 'turn_seen', session_id: 's1', session_key: 'agent:main:main', agent_id: 'main', run_id: 'r2' },
    ]);
  });

  it('S45: reports usage with cache reads, model calls and what the host put around our list', async () => {
    await host.fire('model_call_started', call('c1'), context);
    await host.fire('model_call_started', call('c2'), context);
    const note = { role: 'custom', customType: 'openclaw.runtime-context', content: '1234567890' };
    await host.fire('llm_input', {
      runId: 'r1',
      systemPrompt: 'x'.repeat(100),
      prompt: 'hello',
      historyMessages: [user('hi'), note, null],
      tools: [],
    });
    const usage = { input: 10, output: 2, cacheRead: 90, cacheWrite: 3 };
    await host.fire('llm_output', { runId: 'r1', sessionId: 's1', model: 'm', usage }, context);
    expect((await events()).filter(({ type }) => type === 'usage')).toEqual([
      {
        type: 'usage',
        session_id: 's1',
        session_key: 'agent:main:main',
        agent_id: 'main',
        run_id: 'r1',
        model: 'm',
        input: 10,
        output: 2,
        cache_read: 90,
        cache_write: 3,
        model_calls: 2,
        host_text_chars: 117,
      },
    ]);
  });

  it('does not report usage that the host does not know', async () => {
    await host.fire('llm_output', { runId: 'r1', sessionId: 's1', model: 'm' }, context);
    expect(await events()).toEqual([]);
  });

  it('gives up on observations that cannot be sent, without harm', async () => {
    await daemon.down();
    await host.fire('model_call_started', call('c1'), context);
    expect(await events()).toEqual([]);
  });
});

describe('every hook', () => {
  it('answers nothing, so that it changes nothing of the host', async () => {
    const returned = [
      ...(await host.fire('before_message_write', { message: user('x') }, context)),
      ...(await host.fire('session_start', session, context)),
      ...(await host.fire('before_reset', {}, {})),
      ...(await host.fire('llm_output', { runId: 'r', sessionId: 's', model: 'm' }, context)),
    ];
    expect(returned.every((value) => value === undefined)).toBe(true);
  });

  it('H07: a host that refuses a registration, or lacks the method, still gets the engine', async () => {
    const { registerStrata } = await import('../register-strata.ts');
    const engines: string[] = [];
    const refuse = (): never => {
      throw new Error('already registered');
    };
    const logger = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const registerContextEngine = (id: string) => void engines.push(id);
    registerStrata({ logger, registerContextEngine, registerTool: refuse, registerCommand: refuse, on: refuse });
    registerStrata({ logger, registerContextEngine });
    registerStrata({ logger, registerContextEngine: refuse });
    expect(engines).toEqual(['strata', 'strata']);
  });
});
