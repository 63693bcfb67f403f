import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { configSchema } from '../../src-shared/model/config.ts';
import type { EngineApi } from '../../src-shared/protocol/api.ts';
import { createEventLog } from '../engine/events/event-log.ts';
import { createLogger } from '../logger.ts';
import { readEndpoint } from './endpoint-file.ts';
import { startHttpHost, type HttpHost } from './http-host.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

interface Started extends HttpHost {
  readonly logged: string[];
}

async function start(dataDir: string, sessions: EngineApi['sessions'], port = 0): Promise<Started> {
  const logged: string[] = [];
  const host = await startHttpHost({
    api: { sessions } as EngineApi, // The only route that is called here.
    events: createEventLog({ capacity: 10, streamId: 's' }),
    limits: configSchema.parse({}).limits,
    dataDir,
    port,
    inspectorDir: undefined,
    version: '1.0.0',
    pid: process.pid,
    startedAt: 0,
    now: () => 0,
    logger: createLogger({ level: 'info', now: () => 0, write: (line) => logged.push(line) }),
  });
  onTestFinished(async () => {
    await host.drain(0);
    await host.close();
  });
  return { ...host, logged };
}

const none: EngineApi['sessions'] = async () => ({ items: [], total: 0 });

describe('the served endpoint', () => {
  it('does not wait for ever for a call that hangs, and cuts it off', async () => {
    const dataDir = await temporaryDirectory();
    const reached = Promise.withResolvers<void>();
    const host = await start(dataDir, async () => {
      reached.resolve();
      return new Promise(() => undefined);
    });
    const call = fetch(`${host.url}/v1/sessions`, { headers: { Authorization: `Bearer ${host.token}` } });
    const failed = expect(call).rejects.toThrow();
    await reached.promise;
    await host.drain(20);
    expect(host.logged.join('')).toContain('requests_cut_off');
    await host.close();
    await failed;
    expect(await readEndpoint(dataDir)).toBeUndefined();
  });

  it('refuses what arrives on an open connection while it stops', async () => {
    const dataDir = await temporaryDirectory();
    const gate = Promise.withResolvers<void>();
    const reached = Promise.withResolvers<void>();
    const host = await start(dataDir, async (input) => {
      reached.resolve();
      await gate.promise;
      return none(input);
    });
    const call = fetch(`${host.url}/v1/sessions`, { headers: { Authorization: `Bearer ${host.token}` } });
    await reached.promise;
    const drained = host.drain(10_000);
    await expect(fetch(`${host.url}/health`)).rejects.toThrow();
    gate.resolve();
    expect((await call).status).toBe(200);
    await drained;
    expect(host.logged).toEqual([]);
  });

  it('publishes the port that it really got', async () => {
    const [first, second] = [await temporaryDirectory(), await temporaryDirectory()];
    const owner = await start(first, none);
    const wanted = Number(new URL(owner.url).port);
    const host = await start(second, none, wanted);
    expect(host.url).not.toBe(owner.url);
    expect((await readEndpoint(second))?.url).toBe(host.url);
    expect(host.inspectorLink()).toContain(host.url);
    expect(
      (await fetch(`${host.url}/v1/sessions`, { headers: { Authorization: `Bearer ${host.token}` } })).status,
    ).toBe(200);
    expect(host.logged.join('')).toContain('"event":"port_taken"');
  });

  it('stops listening when endpoint.json cannot be written', async () => {
    const dataDir = await temporaryDirectory();
    await mkdir(join(dataDir, 'endpoint.json', 'x'), { recursive: true });
    const blocker = await start(await temporaryDirectory(), none);
    const port = Number(new URL(blocker.url).port);
    await blocker.drain(0);
    await blocker.close();
    await expect(start(dataDir, none, port)).rejects.toMatchObject({ code: 'data_dir_blocked' });
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});
