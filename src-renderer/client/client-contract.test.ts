import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import { startHost, type Host } from '../../src-main/host.ts';
import { createHttpClient } from './create-http-client.ts';
import { createIpcClient } from './create-ipc-client.ts';
import { createSessionToken } from './session-token.ts';
import { clientContract } from './testing/client-contract.ts';
import { bridgeOver } from './testing/bridge-over.ts';
import { takeLinkCode } from './take-link-code.ts';

let dataDir = '';
let host: Host;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-client-'));
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: '0.0.0-test' });
});

afterEach(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

const publish = (event: LiveEvent) => host.events.publish(event);

function httpClient(onSignedOut: () => void = () => undefined) {
  const token = createSessionToken(undefined);
  const client = createHttpClient({ origin: host.url, token, fetch, onSignedOut });
  return { client, token };
}

describe('the HTTP client', () => {
  clientContract(() => {
    const { client, token } = httpClient();
    token.set(host.token);
    return { client, publish };
  });

  it('exchanges the code of a one-time link for a session', async () => {
    const { client, token } = httpClient();
    const link = takeLinkCode(await host.inspectorLink());
    await client.signIn(link?.code ?? '');
    expect(token.get()).toMatch(/^[0-9a-f]{64}$/);
    expect((await client.call('sessions')).total).toBe(0);
  });

  it('fails when the code was used before', async () => {
    const link = takeLinkCode(await host.inspectorLink());
    await httpClient().client.signIn(link?.code ?? '');
    const { client, token } = httpClient();
    await expect(client.signIn(link?.code ?? '')).rejects.toMatchObject({ name: 'ClientError' });
    expect(token.get()).toBeUndefined();
  });

  it('says that its session ended when the daemon refuses the token', async () => {
    let ended = 0;
    const { client, token } = httpClient(() => (ended += 1));
    token.set('f'.repeat(64));
    await expect(client.call('sessions')).rejects.toMatchObject({ code: 'unauthorized' });
    expect(ended).toBe(1);
  });

  it('shows a refused stream as signed out', async () => {
    const { client } = httpClient();
    const status = await new Promise<string>((resolve) => {
      const stop = client.subscribe(
        () => undefined,
        (state) => {
          if (state.status === 'connecting') return;
          queueMicrotask(() => stop());
          resolve(state.status);
        },
      );
    });
    expect(status).toBe('signed_out');
  });

  it('fails as unreachable, with what to do, when nobody listens', async () => {
    const client = createHttpClient({ origin: 'http://127.0.0.1:9', token: createSessionToken(undefined), fetch });
    await expect(client.call('health')).rejects.toMatchObject({
      code: 'unreachable',
      remedy: expect.stringContaining('npm start') as string,
    });
  });
});

describe('the IPC client', () => {
  clientContract(() => ({ client: createIpcClient(bridgeOver(host.api, host.events)), publish }));

  it('fails as unreachable when the bridge breaks', async () => {
    const bridge = { ...bridgeOver(host.api, host.events), call: () => Promise.reject(new Error('destroyed')) };
    await expect(createIpcClient(bridge).call('health')).rejects.toMatchObject({ code: 'unreachable' });
  });

  it('fails when an answer is not what the route promises', async () => {
    const bridge = {
      ...bridgeOver(host.api, host.events),
      call: () => Promise.resolve({ ok: true as const, value: { version: 1 } }),
    };
    await expect(createIpcClient(bridge).call('health')).rejects.toMatchObject({ code: 'invalid_reply' });
  });
});
