import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EngineError } from '../src-shared/model/engine-error.ts';
import { assembleRoute } from '../src-shared/protocol/assemble.ts';
import { callMessagesRoute, callRoute } from '../src-shared/protocol/calls.ts';
import { compactRoute } from '../src-shared/protocol/compact.ts';
import { healthRoute } from '../src-shared/protocol/health.ts';
import {
  exportRoute,
  importRoute,
  sessionRoute,
  sessionsRoute,
  sessionTurnsRoute,
} from '../src-shared/protocol/sessions.ts';
import { bootstrapRoute, commitTurnRoute } from '../src-shared/protocol/turns.ts';
import { startHost, type Host, type HostOptions } from './host.ts';
import { createDaemonClient } from './http/client/daemon-client.ts';
import { readEndpoint } from './http/endpoint-file.ts';
import { temporaryDirectory } from './http/testing/temporary-directory.ts';

async function start(dataDir: string, options: Partial<HostOptions> = {}): Promise<Host> {
  const host = await startHost({ dataDir, port: 0, mode: 'headless', version: '1.0.0', ...options });
  onTestFinished(async () => host.close());
  return host;
}

const identity = { session_id: 's1', session_key: 'agent:main:main', format: 'openai' } as const;

function turn(n: number) {
  return {
    ...identity,
    advancement_key: `turn-${n}`,
    messages: [
      { role: 'user', content: `question ${n}` },
      { role: 'assistant', content: `answer ${n}` },
    ],
  };
}

describe('the host on a fresh directory', () => {
  it('makes everything it needs, for its owner only', async () => {
    const dataDir = join(await temporaryDirectory(), 'home');
    const host = await start(dataDir);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    for (const file of ['config.yaml', 'token', 'endpoint.json', 'strata.db']) {
      expect([file, (await stat(join(dataDir, file))).mode & 0o777]).toEqual([file, 0o600]);
    }
    expect(await readFile(join(dataDir, 'token'), 'utf8')).toBe(host.token);
    expect(await readEndpoint(dataDir)).toMatchObject({
      url: host.url,
      pid: process.pid,
      token_file: join(dataDir, 'token'),
      version: '1.0.0',
    });
  });

  it('answers health without a token and without saying where things are', async () => {
    const dataDir = await temporaryDirectory();
    const host = await start(dataDir);
    const text = await (await fetch(`${host.url}/health`)).text();
    expect(healthRoute.reply.parse(JSON.parse(text))).toMatchObject({
      ready: true,
      mode: 'headless',
      version: '1.0.0',
    });
    expect(text).not.toContain(dataDir);
    expect(text).not.toContain(host.token);
  });

  it('makes inspector links that sign in once', async () => {
    const host = await start(await temporaryDirectory());
    const link = new URL(await host.inspectorLink());
    expect(link.origin).toBe(host.url);
    const signIn = async (): Promise<Response> =>
      fetch(`${host.url}/v1/inspector/sessions`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ code: link.hash.replace('#code=', '') }),
      });
    const response = await signIn();
    const { token } = (await response.json()) as { token: string };
    const sessions = await fetch(`${host.url}/v1/sessions`, { headers: { Authorization: `Bearer ${token}` } });
    expect(sessions.status).toBe(200);
    expect((await signIn()).status).toBe(401);
  });
});

describe('the whole way over HTTP', () => {
  it('stores turns, assembles, and shows what it decided', async () => {
    const dataDir = await temporaryDirectory();
    const host = await start(dataDir);
    const client = createDaemonClient({ dataDir });
    expect(await client.call(commitTurnRoute, { body: turn(1) })).toMatchObject({ status: 'committed', stored: 2 });
    expect(await client.call(commitTurnRoute, { body: turn(1) })).toMatchObject({ status: 'duplicate', stored: 0 });
    const reply = await client.call(assembleRoute, {
      body: { ...identity, messages: [{ role: 'user', content: 'question 2' }], token_budget: 10_000 },
    });
    expect(reply.messages?.map((message) => message['content'])).toEqual(['question 1', 'answer 1', 'question 2']);
    const { trace } = await client.call(callRoute, { params: { id: reply.call_id } });
    expect(trace.decisions.length).toBeGreaterThan(0);
    const { messages } = await client.call(callMessagesRoute, { params: { id: reply.call_id } });
    expect(messages.map(({ message }) => message)).toEqual(reply.messages);
    const { items } = await client.call(sessionsRoute);
    expect(items.map((session) => session.turn_count)).toEqual([2]);
    expect((await host.api.sessions({ params: {}, query: { limit: 10 }, body: {} })).items).toEqual(items);
  });

  it('gives messages back byte for byte, in turns and in the export', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const client = createDaemonClient({ dataDir });
    const text =
      '{"zeta":"\\ud83d","role":"user","__openclaw":{"id":"e1"},"content":[{"type":"text","text":"a\\u0000b 👩‍💻"}],"timestamp":1790000000000}';
    const message = JSON.parse(text) as { role: string };
    await client.call(commitTurnRoute, {
      body: { session_id: 's1', format: 'openclaw', advancement_key: 'k', messages: [message] },
    });
    const turns = await client.call(sessionTurnsRoute, { params: { id: 's1' }, query: { raw: 'true' } });
    expect(JSON.stringify(turns.items[0]?.raw)).toBe(text);
    expect(await client.call(exportRoute, { params: { id: 's1' } })).toContain(text);
  });

  it('S08: takes a transcript in twice and stores it once', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const client = createDaemonClient({ dataDir });
    const messages = Array.from({ length: 50 }, (_, n) => ({
      role: n % 2 === 0 ? 'user' : 'assistant',
      content: `m${n}`,
    }));
    const body = { ...identity, messages, entry_ids: messages.map((_, n) => `e${n}`), cursor: 'c1' };
    expect((await client.call(bootstrapRoute, { body })).imported).toBe(50);
    expect(await client.call(bootstrapRoute, { body })).toMatchObject({ imported: 0, last_sequence: 50 });
  });

  it('exports a session and takes it in elsewhere', async () => {
    const [from, to] = [await temporaryDirectory(), await temporaryDirectory()];
    await Promise.all([start(from), start(to)]);
    const source = createDaemonClient({ dataDir: from });
    await source.call(commitTurnRoute, { body: turn(1) });
    const jsonl = await source.call(exportRoute, { params: { id: 's1' } });
    const target = createDaemonClient({ dataDir: to });
    expect(await target.call(importRoute, { body: { jsonl } })).toMatchObject({ imported: 2, skipped: 0 });
    const again = await target.call(exportRoute, { params: { id: 's1' } });
    const turnLines = (text: string): string[] => text.trimEnd().split('\n').slice(1); // The first says when.
    expect(turnLines(again)).toEqual(turnLines(jsonl));
    expect(turnLines(again)).toHaveLength(3); // Two turns and their advancement.
  });

  it('compacts, and says so when there is nothing to compact', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const client = createDaemonClient({ dataDir });
    await client.call(commitTurnRoute, { body: turn(1) });
    const reply = await client.call(compactRoute, { body: { session_id: 's1', session_key: identity.session_key } });
    expect(reply.compacted).toBe(false);
    expect(reply.reason).toBeTruthy();
  });

  it.each([
    ['an unknown session', sessionRoute, { params: { id: 'nobody' } }, 'unknown_session'],
    ['an unknown call', callRoute, { params: { id: 'call_0' } }, 'unknown_call'],
  ] as const)('answers %s with its own code', async (_, route, input, code) => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    await expect(createDaemonClient({ dataDir }).call(route, input)).rejects.toMatchObject({ code });
  });

  it('asks for the bodies of references that it does not know', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const calling = createDaemonClient({ dataDir }).call(assembleRoute, {
      body: { ...identity, messages: [{ role: 'user', content: 'x' }, { ref: '0'.repeat(64) }] },
    });
    await expect(calling).rejects.toMatchObject({ code: 'unknown_messages', details: { indexes: [1] } });
  });

  it('stores odd messages as they are, or refuses them with a code, and goes on', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const client = createDaemonClient({ dataDir });
    const odd: Record<string, Record<string, unknown>> = {
      '200,000 characters': { role: 'user', content: 'word '.repeat(40_000) },
      'no content': { role: 'user' },
      'empty content': { role: 'user', content: '' },
      'an unknown role': { role: 'oracle', content: 'x' },
      'an unknown part': { role: 'user', content: [{ type: 'hologram', data: { deep: [1] } }] },
      'content that is no content': { role: 'assistant', content: 7 },
      'no role': { content: 'x' },
    };
    const outcomes: Record<string, string> = {};
    for (const [name, message] of Object.entries(odd)) {
      outcomes[name] = await client
        .call(commitTurnRoute, { body: { ...identity, advancement_key: name, messages: [message] } })
        .then((reply) => `${reply.status} ${reply.stored}`)
        .catch((error: unknown) => (error instanceof EngineError ? error.code : 'no typed error'));
    }
    const { 'no role': noRole, ...others } = outcomes;
    expect(noRole).toBe('invalid_request');
    expect(new Set(Object.values(others))).toEqual(new Set(['committed 1']));
    expect(Object.keys(others)).toHaveLength(6);
    expect(await client.call(commitTurnRoute, { body: turn(1) })).toMatchObject({ stored: 2 });
  });

  it('reads back a tool call that came without arguments', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const client = createDaemonClient({ dataDir });
    const content = [{ type: 'toolCall', id: 'c1', name: 'list' }];
    const openclaw = {
      session_id: 's1',
      format: 'openclaw',
      advancement_key: 'a',
      messages: [{ role: 'assistant', content }],
    };
    const openai = {
      session_id: 's1',
      format: 'openai',
      advancement_key: 'b',
      messages: [
        { role: 'assistant', content: null, tool_calls: [{ id: 'c2', type: 'function', function: { name: 'list' } }] },
      ],
    };
    for (const body of [openclaw, openai] as const) {
      await client.call(commitTurnRoute, { body: commitTurnRoute.body.parse(body) });
    }
    const { items } = await client.call(sessionTurnsRoute, { params: { id: 's1' } });
    expect(items.map(({ turn: { tool_calls } }) => tool_calls)).toEqual(
      Array(2).fill([{ tool_name: 'list', arguments: {} }]),
    );
  });

  it('announces what was stored to who listens', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    const client = createDaemonClient({ dataDir });
    const stop = new AbortController();
    const types: string[] = [];
    const listening = (async () => {
      for await (const { event } of client.events({ signal: stop.signal, lastEventId: 'earlier-0' })) {
        types.push(event.type);
        if (event.type === 'stream.gap') await client.call(commitTurnRoute, { body: turn(1) });
        if (event.type === 'turns.committed') stop.abort();
      }
    })();
    await listening;
    expect(types[0]).toBe('stream.gap');
    expect(types).toContain('turns.committed');
  });
});

describe('stopping and starting again', () => {
  it('S86: keeps every turn, and knows the keys it has seen', async () => {
    const dataDir = await temporaryDirectory();
    const first = await start(dataDir);
    const client = createDaemonClient({ dataDir });
    await client.call(commitTurnRoute, { body: turn(1) });
    await first.close();
    await start(dataDir);
    expect(await client.call(commitTurnRoute, { body: turn(1) })).toMatchObject({ status: 'duplicate' });
    expect((await client.call(sessionsRoute)).items[0]?.turn_count).toBe(2);
  });

  it('takes endpoint.json away and keeps the token', async () => {
    const dataDir = await temporaryDirectory();
    const host = await start(dataDir);
    await host.close();
    expect(existsSync(join(dataDir, 'endpoint.json'))).toBe(false);
    expect(existsSync(join(dataDir, 'strata.db-wal'))).toBe(false);
    expect((await start(dataDir)).token).toBe(host.token);
  });

  it('ends event streams and frees the port', async () => {
    const dataDir = await temporaryDirectory();
    const host = await start(dataDir);
    const response = await fetch(`${host.url}/v1/events`, { headers: { Authorization: `Bearer ${host.token}` } });
    await host.close();
    expect(await response.text()).toBe(':\n\n');
    await expect(fetch(`${host.url}/health`)).rejects.toThrow();
  });

  it('may be closed twice at the same time', async () => {
    const host = await start(await temporaryDirectory());
    await Promise.all([host.close(), host.close()]);
    await host.close();
  });

  it('lets calls that run finish', async () => {
    const dataDir = await temporaryDirectory();
    const host = await start(dataDir);
    const client = createDaemonClient({ dataDir });
    await client.call(commitTurnRoute, { body: turn(0) });
    const calls = Array.from({ length: 20 }, async (_, n) =>
      client.call(commitTurnRoute, { body: turn(n + 1) }).then(
        () => 1,
        () => 0,
      ),
    );
    await Promise.race(calls);
    await host.close();
    const stored = (await Promise.all(calls)).reduce<number>((sum, ok) => sum + ok, 1);
    await start(dataDir);
    const { items } = await createDaemonClient({ dataDir }).call(sessionsRoute);
    expect(items[0]?.turn_count).toBeGreaterThanOrEqual(2 * stored);
  });

  it('replaces the endpoint of a daemon that died', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(
      join(dataDir, 'endpoint.json'),
      JSON.stringify({ url: 'http://127.0.0.1:1', pid: 4_206_000, started_at: '', token_file: '', version: '0' }),
    );
    const host = await start(dataDir);
    expect((await readEndpoint(dataDir))?.url).toBe(host.url);
  });
});

describe('a start that cannot succeed', () => {
  it('refuses a directory that another host owns, and leaves that host alone', async () => {
    const dataDir = await temporaryDirectory();
    const owner = await start(dataDir);
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'data_dir_owned' });
    expect((await fetch(`${owner.url}/health`)).status).toBe(200);
    expect((await readEndpoint(dataDir))?.url).toBe(owner.url);
  });

  it('lets the directory go when the configuration is wrong', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'config.yaml'), 'prot: 1\n');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'invalid_config' });
    await writeFile(join(dataDir, 'config.yaml'), 'user_id: me\n');
    await start(dataDir);
  });

  it('lets the directory go when the token cannot be read', async () => {
    const dataDir = await temporaryDirectory();
    await writeFile(join(dataDir, 'token'), 'short');
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'data_dir_blocked' });
    await writeFile(join(dataDir, 'token'), 'x'.repeat(40));
    expect((await start(dataDir)).token).toBe('x'.repeat(40));
  });

  it('refuses a file in the place of the directory', async () => {
    const file = join(await temporaryDirectory(), 'file');
    await writeFile(file, '');
    await expect(start(file)).rejects.toMatchObject({ code: 'data_dir_blocked' });
  });

  it('refuses a directory in the place of endpoint.json and lets everything go', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'endpoint.json', 'x'), { recursive: true });
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'data_dir_blocked' });
    await expect(start(dataDir)).rejects.toMatchObject({ code: 'data_dir_blocked' });
  });
});
