import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hash } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { assistant, session, user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';

let daemon: ScriptedDaemon;
let host: ScriptedHost;
const context = { ...session, agentId: 'main' };
const whole = Array.from({ length: 3_000 }, (_, at) => `row ${at} of the report`).join('\n');
/** As the host cuts it before it asks. */
const cut = `${whole.slice(0, 15_000)}\n[… cut by the host …]`;

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
  host = new ScriptedHost();
  daemon.script('/v1/tool-result', (body) => {
    daemon.calls.push({ path: '/v1/tool-result', body });
    return { reply: { externalised: true, uri: 'strata://tool-result/x', characters: 1, tokens: 1 } };
  });
});

afterEach(async () => {
  expect(daemon.complaints).toEqual([]);
  await daemon.remove();
});

function register(config: Record<string, unknown> = {}): void {
  host.register({ dataDir: daemon.dataDir, ...config });
}

function result(text: string, over: Record<string, unknown> = {}): HostMessage {
  const content = [{ type: 'text', text }];
  return { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content, isError: false, timestamp: 5, ...over };
}

/** One tool call as the host reports it. @returns the message that it would write */
async function call(given: string, shown: HostMessage, event: Record<string, unknown> = {}): Promise<HostMessage> {
  const content = [{ type: 'text', text: given }];
  await host.fire('after_tool_call', { toolName: 'read', toolCallId: 'c1', result: { content } }, context);
  const asked = { toolName: 'read', toolCallId: 'c1', message: shown, ...event };
  const [answer] = (await host.fire('tool_result_persist', asked, context)) as [{ message: HostMessage } | undefined];
  return answer?.message ?? shown;
}

async function settled(): Promise<void> {
  await (await host.engine()).dispose();
}

const textOf = (message: HostMessage) => (message['content'] as { text: string }[])[0]?.text ?? '';
const uriOf = (content: unknown) => `strata://tool-result/${hash('sha256', JSON.stringify(content), 'hex')}`;

describe('tool_result_persist', () => {
  it('S01: a large result is on disk whole before a synopsis with its address takes its place', async () => {
    await daemon.down();
    register();
    const written = await call(whole, result(cut, { details: { path: 'x' } }));
    expect(textOf(written)).toContain(uriOf([{ type: 'text', text: whole }]));
    expect(textOf(written)).toContain(`(${whole.length} characters)`);
    expect(textOf(written).length).toBeLessThan(2_500);
    expect(written).toMatchObject({
      toolCallId: 'c1',
      toolName: 'read',
      isError: false,
      timestamp: 5,
      details: { path: 'x' },
    });
    const dir = join(daemon.dataDir, 'spool');
    const [name = ''] = await readdir(dir);
    const entry = JSON.parse(await readFile(join(dir, name), 'utf8')) as { path: string; body: HostMessage };
    expect(entry.path).toBe('/v1/tool-result');
    expect(entry.body).toMatchObject({
      session_id: 's1',
      session_key: session.sessionKey,
      agent_id: 'main',
      replaced: true,
    });
    expect(textOf(entry.body['message'] as HostMessage)).toBe(whole);
  });

  it('answers at once: the host takes a promise for no answer', () => {
    register();
    const [answer] = host.fireSync('tool_result_persist', { toolCallId: 'c1', message: result(whole) }, context);
    expect(answer).toMatchObject({ message: { role: 'toolResult' } });
  });

  it('the daemon gets it right after, and before the turn that names it', async () => {
    register();
    const written = await call(whole, result(cut));
    const engine = await host.engine();
    await engine.commitTurn({
      ...session,
      advancementKey: 'k1',
      messages: [user('read it'), written, assistant('done')],
    });
    await settled();
    const stored = daemon.calls.filter(({ path }) => path === '/v1/tool-result' || path === '/v1/commit-turn');
    expect(stored.map(({ path }) => path)).toEqual(['/v1/tool-result', '/v1/commit-turn']);
    expect((stored[1]?.body['messages'] as HostMessage[])[1]).toEqual(written);
    expect(await readdir(join(daemon.dataDir, 'spool'))).toEqual([]);
  });

  it('while the daemon is away results and turns wait in their order', async () => {
    await daemon.down();
    register();
    const engine = await host.engine();
    await engine.commitTurn({ ...session, advancementKey: 'k1', messages: [user('one', 1)] });
    const written = await call(whole, result(cut));
    await engine.commitTurn({ ...session, advancementKey: 'k2', messages: [user('two', 2), written] });
    await daemon.up();
    await engine.bootstrap(session);
    const order = daemon.calls.filter(({ path }) => /commit|tool-result/.test(path));
    expect(order.map(({ body }) => body['advancement_key'] ?? body['tool_call_id'])).toEqual(['k1', 'c1', 'k2']);
  });

  it('the same result gives the same bytes, whoever computes it', async () => {
    register();
    const first = await call(whole, result(cut));
    forgetSharedState();
    expect(await call(whole, result(cut))).toEqual(first);
    await settled();
  });

  it('images stay in the message, and are stored with the whole', async () => {
    register();
    const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };
    const content = [{ type: 'text', text: whole }, image];
    const written = await call('', result('', { content }));
    expect(written['content']).toEqual([{ type: 'text', text: textOf(written) }, image]);
    expect(textOf(written)).toContain(uriOf(content));
    await settled();
  });

  it.each([
    ['a small result', result('x'.repeat(16_000)), {}, {}],
    ['an error', result(whole, { isError: true }), {}, {}],
    ['what the host made up for a call that was cut off', result(whole), { isSynthetic: true }, {}],
    ['a page of memory_expand', result(whole), { toolName: 'memory_expand' }, {}],
    ['a message that is no result', { ...result(whole), role: 'user' }, {}, {}],
    ['every result, where externaliseToolResults is off', result(whole), {}, { externaliseToolResults: false }],
    ['every result, where nothing is captured', result(whole), {}, { autoCapture: false }],
    ['a result below toolResultThresholdChars', result(whole), {}, { toolResultThresholdChars: 1_000_000 }],
    ['what cannot be written as JSON', result(whole, { content: [{ type: 'text', text: whole }, { n: 1n }] }), {}, {}],
  ])('leaves %s as it is', async (_, shown, event, config) => {
    register(config);
    const asked = { toolName: 'read', toolCallId: 'c1', message: shown, ...event };
    expect(await host.fire('tool_result_persist', asked, context)).toEqual([undefined]);
    await settled();
    expect(daemon.bodiesOf('/v1/tool-result')).toEqual([]);
  });

  it('S02: where the whole cannot be made durable the message stays, and the host hears why', async () => {
    register();
    // A file where the directory should be.
    await writeFile(join(daemon.dataDir, 'spool'), '');
    expect(await call(whole, result(cut))).toEqual(result(cut));
    expect(host.warnings.join()).toContain('stays in the context');
    await rm(join(daemon.dataDir, 'spool'));
    await mkdir(join(daemon.dataDir, 'spool'));
    expect(textOf(await call(whole, result(cut)))).toContain('strata://tool-result/');
    await settled();
  });

  it('a result that something else has changed on the way is taken as it is shown', async () => {
    register();
    const changed = `redacted\n${whole}`;
    expect(textOf(await call(whole, result(changed)))).toContain(uriOf([{ type: 'text', text: changed }]));
    await settled();
  });

  it('several registrations replace it once', async () => {
    for (let times = 0; times < 3; times += 1) register();
    const content = [{ type: 'text', text: whole }];
    await host.fire('after_tool_call', { toolName: 'read', toolCallId: 'c1', result: { content } }, context);
    // As the host does: each handler gets the message of the one before, in an event of its own.
    let message = result(cut);
    for (const listener of host.listenersOf('tool_result_persist')) {
      const answer = listener({ toolCallId: 'c1', message } as never, context) as { message: HostMessage } | undefined;
      message = answer?.message ?? message;
    }
    await settled();
    expect(daemon.bodiesOf('/v1/tool-result')).toHaveLength(1);
    expect(textOf(message)).toContain(uriOf(content));
  });

  it('a result that the daemon does not take now waits; one that it never takes is kept aside', async () => {
    register();
    daemon.script('/v1/tool-result', () => ({ error: 'busy' }));
    await call(whole, result(cut));
    await settled();
    const dir = join(daemon.dataDir, 'spool');
    expect(await readdir(dir)).toHaveLength(1);
    daemon.script('/v1/tool-result', () => ({ error: 'invalid_request' }));
    await (await host.engine()).bootstrap(session);
    const aside = await readdir(join(dir, 'rejected'));
    expect(aside.filter((name) => name.endsWith('.json'))).toHaveLength(1);
  });
});

describe('hosts before 2026.9.3, which show a running turn as they hold it in memory', () => {
  it('the turn is stored with the result as it is written', async () => {
    register();
    const written = await call(whole, result(cut));
    const engine = await host.engine();
    const messages = [user('read it', 1), result(whole), assistant('done', 6)];
    await engine.afterTurn({ ...session, messages, prePromptMessageCount: 0 });
    await settled();
    expect((daemon.bodiesOf('/v1/after-turn')[0]?.['messages'] as HostMessage[])[1]).toEqual(written);
  });

  it('a copy that was shortened for an earlier call of the turn is not stored as something new', async () => {
    register();
    const text =
      '[Strata keeps this result of read whole (9 characters) at strata://session/u/s/turn/3. To read it call …]\nSynopsis: …';
    const engine = await host.engine();
    const messages = [user('a', 1), result(text, { timestamp: 2 }), user('b', 3), assistant('c', 4)];
    await engine.afterTurn({ ...session, messages, prePromptMessageCount: 2 });
    const sent = daemon.bodiesOf('/v1/after-turn')[0]?.['messages'] as unknown[];
    expect(JSON.stringify(sent)).not.toContain('Strata keeps');
    expect(sent).toHaveLength(3);
    await settled();
  });
});
