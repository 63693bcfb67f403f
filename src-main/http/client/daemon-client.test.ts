import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../../src-shared/model/config.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import { commitTurnRoute } from '../../../src-shared/protocol/turns.ts';
import { inspectorLinkRoute } from '../../../src-shared/protocol/inspector-session.ts';
import { exportRoute, sessionsRoute, sessionTurnsRoute } from '../../../src-shared/protocol/sessions.ts';
import { createEventLog } from '../../engine/events/event-log.ts';
import { silentLogger } from '../../logger.ts';
import { writeEndpoint } from '../endpoint-file.ts';
import { startHttpHost, type HttpHost } from '../http-host.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';
import { createDaemonClient } from './daemon-client.ts';

async function start(
  dataDir: string,
  api: Partial<EngineApi> = {},
): Promise<HttpHost & { events: ReturnType<typeof createEventLog> }> {
  const events = createEventLog({ capacity: 100, streamId: 'run' });
  const host = await startHttpHost({
    api: api as EngineApi, // Only the routes that the test calls.
    events,
    limits: configSchema.parse({}).limits,
    dataDir,
    port: 0,
    inspectorDir: undefined,
    version: '1.0.0',
    pid: process.pid,
    startedAt: Date.now(),
    now: () => Date.now(),
    logger: silentLogger,
  });
  onTestFinished(async () => {
    await host.drain(0);
    await host.close();
  });
  return { ...host, events };
}

const commit = {
  session_id: 's',
  format: 'openclaw',
  advancement_key: 'k',
  messages: [{ role: 'user', content: 'x' }],
} as const;

describe('the client of the daemon', () => {
  it('calls routes by their descriptors and parses the answers', async () => {
    const dataDir = await temporaryDirectory();
    const seen: unknown[] = [];
    await start(dataDir, {
      commitTurn: async (input) => {
        seen.push(input.body);
        return { status: 'committed', turn_ids: ['t'], stored: 1 };
      },
      sessionTurns: async (input) => {
        seen.push(input);
        return { items: [], total: 0 };
      },
      exportSession: async () => '{"a":1}\n',
    });
    const client = createDaemonClient({ dataDir });
    const reply = await client.call(commitTurnRoute, { body: { ...commit, messages: [...commit.messages] } });
    expect(reply).toEqual({ status: 'committed', turn_ids: ['t'], stored: 1 });
    await client.call(sessionTurnsRoute, { params: { id: 'a/b?c#d' }, query: { limit: 3, raw: 'true' } });
    expect(seen).toEqual([
      commit,
      { params: { id: 'a/b?c#d' }, query: { limit: 3, order: 'asc', raw: true }, body: {} },
    ]);
    expect(await client.call(exportRoute, { params: { id: 's' } })).toBe('{"a":1}\n');
    expect((await client.call(inspectorLinkRoute)).url).toContain('/#code=');
  });

  it("throws the daemon's own errors", async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir, {
      commitTurn: () =>
        Promise.reject(new EngineError('unknown_messages', 'Send them.', { details: { indexes: [2] } })),
    });
    const calling = createDaemonClient({ dataDir }).call(commitTurnRoute, { body: { ...commit, messages: [] } });
    await expect(calling).rejects.toMatchObject({ code: 'invalid_request' });
    const second = createDaemonClient({ dataDir }).call(commitTurnRoute, { body: { ...commit, messages: [{}] } });
    await expect(second).rejects.toMatchObject({ code: 'unknown_messages', details: { indexes: [2] } });
  });

  it('says so when no daemon runs, when one died, and when its port is silent', async () => {
    const dataDir = await temporaryDirectory();
    const client = createDaemonClient({ dataDir });
    await expect(client.call(sessionsRoute)).rejects.toMatchObject({ code: 'daemon_unreachable' });
    const endpoint = { started_at: '', token_file: join(dataDir, 'token'), version: '1', url: 'http://127.0.0.1:1' };
    await writeFile(join(dataDir, 'token'), 'x'.repeat(40));
    for (const pid of [2 ** 22 + 12_345, process.pid]) {
      await writeEndpoint(dataDir, { ...endpoint, pid });
      await expect(client.call(sessionsRoute)).rejects.toMatchObject({ code: 'daemon_unreachable' });
    }
  });

  it('reads the token again, once, when it was made anew', async () => {
    const dataDir = await temporaryDirectory();
    const api = { sessions: async () => ({ items: [], total: 0 }) };
    const first = await start(dataDir, api);
    const client = createDaemonClient({ dataDir });
    await client.call(sessionsRoute);
    await first.drain(0);
    await first.close();
    await rm(join(dataDir, 'token'));
    await start(dataDir, api);
    expect((await client.call(sessionsRoute)).total).toBe(0);
    await writeFile(join(dataDir, 'token'), 'y'.repeat(64));
    const stranger = createDaemonClient({ dataDir });
    await expect(stranger.call(sessionsRoute)).rejects.toMatchObject({ code: 'unauthorized' });
  });

  it('does not send a call twice to a daemon that may have carried it out', async () => {
    const dataDir = await temporaryDirectory();
    let calls = 0;
    const server = createServer((request, response) => {
      calls += 1;
      if (calls === 1) response.end('{"items":[],"total":0}');
      else request.socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => server.closeAllConnections());
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' && address ? address.port : 0;
    await writeFile(join(dataDir, 'token'), 'x'.repeat(40));
    await writeEndpoint(dataDir, {
      url: `http://127.0.0.1:${port}`,
      pid: process.pid,
      started_at: 'same',
      token_file: join(dataDir, 'token'),
      version: '1',
    });
    const client = createDaemonClient({ dataDir });
    await client.call(sessionsRoute);
    const second = client.call(commitTurnRoute, { body: { ...commit, messages: [{}] } });
    await expect(second).rejects.toMatchObject({ code: 'daemon_unreachable' });
    expect(calls).toBe(2);
  });

  it('gives up at its deadline', async () => {
    const dataDir = await temporaryDirectory();
    const gate = Promise.withResolvers<{ items: []; total: number }>();
    await start(dataDir, { sessions: () => gate.promise });
    const calling = createDaemonClient({ dataDir }).call(sessionsRoute, {}, { timeoutMs: 30 });
    await expect(calling).rejects.toMatchObject({ code: 'deadline_exceeded' });
    gate.resolve({ items: [], total: 0 });
  });

  it('refuses an answer that the route does not promise', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir, { sessions: () => Promise.resolve({ total: 'many' } as never) });
    await expect(createDaemonClient({ dataDir }).call(sessionsRoute)).rejects.toMatchObject({ code: 'internal' });
  });

  it('names a missing path parameter', async () => {
    const dataDir = await temporaryDirectory();
    await start(dataDir);
    await expect(createDaemonClient({ dataDir }).call(exportRoute)).rejects.toThrow('"id"');
  });

  it('reads live events, resumes, and ends when asked to', async () => {
    const dataDir = await temporaryDirectory();
    const { events } = await start(dataDir);
    const client = createDaemonClient({ dataDir });
    events.publish({ type: 'health.changed' });
    events.publish({ type: 'session.changed', session_uid: 'u' });
    const stop = new AbortController();
    const seen: string[] = [];
    for await (const { id, event } of client.events({ lastEventId: 'run-1', signal: stop.signal })) {
      seen.push(`${id} ${event.type}`);
      if (seen.length === 1) events.publish({ type: 'health.changed' });
      else stop.abort();
    }
    expect(seen).toEqual(['run-2 session.changed', 'run-3 health.changed']);
  });
});
