import { writeFileSync } from 'node:fs';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readPluginConfig } from '../plugin-config.ts';
import { sharedState } from '../shared-state.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { DaemonLink } from './daemon-link.ts';
import { commitTurnRoute, healthRoute, maintainRoute, prefetchRoute } from './plugin-routes.ts';

let daemon: ScriptedDaemon;
let now = 1_000_000;
const limits = { timeoutMs: 2_000 };
const body = { session_id: 's' };

beforeEach(async () => {
  forgetSharedState();
  now = 1_000_000;
  daemon = await ScriptedDaemon.start();
});

afterEach(() => daemon.remove());

function link(config: Record<string, unknown> = {}): DaemonLink {
  return new DaemonLink(readPluginConfig({ dataDir: daemon.dataDir, ...config }, {}), sharedState(), () => now);
}

describe('DaemonLink', () => {
  it('finds address and token in the data directory', async () => {
    expect(await link().call(maintainRoute, body, limits)).toMatchObject({ ok: true });
    expect(daemon.bodiesOf('/v1/maintain')).toEqual([body]);
  });

  it('follows a daemon that came back on another port', async () => {
    const sender = link();
    await sender.call(maintainRoute, body, limits);
    const other = await ScriptedDaemon.start();
    await daemon.publish({ pid: process.pid, url: other.url });
    other.token = daemon.token;
    expect(await sender.call(maintainRoute, body, limits)).toMatchObject({ ok: true });
    expect(other.bodiesOf('/v1/maintain')).toHaveLength(1);
    await other.remove();
  });

  it('reads the token once more when it is refused', async () => {
    daemon.token = 'token-2';
    daemon.onUnauthorized = () => writeFileSync(join(daemon.dataDir, 'token'), 'token-2');
    expect(await link().call(maintainRoute, body, limits)).toMatchObject({ ok: true });
  });

  it('returns the refusal when the token stays wrong', async () => {
    daemon.token = 'not in the file';
    expect(await link().call(maintainRoute, body, limits)).toMatchObject({
      ok: false,
      failure: { kind: 'refused', code: 'unauthorized' },
    });
    expect(await link().isHealthy()).toBe(false);
  });

  it('does not ask a process that is gone', async () => {
    await daemon.publish({ pid: 2 ** 22 - 3 });
    const result = await link().call(maintainRoute, body, limits);
    expect(result).toMatchObject({ ok: false, failure: { kind: 'away' } });
    expect(daemon.calls).toHaveLength(0);
  });

  it('does not carry the token to another machine that endpoint.json names', async () => {
    await daemon.publish({ pid: process.pid, url: 'http://192.0.2.1:80' });
    const result = await link().call(maintainRoute, body, limits);
    expect(result).toMatchObject({
      ok: false,
      failure: { kind: 'away', message: expect.stringContaining('this machine') as string },
    });
  });

  it('S66: baseUrl and apiKey take the place of the data directory', async () => {
    const empty = await mkdtemp(join(tmpdir(), 'strata-empty-'));
    const sender = link({ dataDir: empty, mode: 'remote', baseUrl: daemon.url, apiKey: daemon.token });
    expect(await sender.call(maintainRoute, body, limits)).toMatchObject({ ok: true });
    expect(await link({ dataDir: empty, mode: 'remote' }).call(maintainRoute, body, limits)).toMatchObject({
      ok: false,
      failure: { message: expect.stringContaining('baseUrl') as string },
    });
  });

  it('S66: port wins over endpoint.json', async () => {
    const port = Number(new URL(daemon.url).port);
    await writeFile(
      join(daemon.dataDir, 'endpoint.json'),
      JSON.stringify({ url: 'http://127.0.0.1:1', pid: process.pid }),
    );
    expect(await link({ port }).call(maintainRoute, body, limits)).toMatchObject({ ok: true });
  });

  it('a daemon that hangs costs one timeout, then calls fail at once until it is tried again', async () => {
    daemon.script('/v1/maintain', () => 'later');
    const sender = link();
    expect(await sender.call(maintainRoute, body, { timeoutMs: 40 })).toMatchObject({ failure: { kind: 'timeout' } });
    // With a limit far beyond the test's own, an answer can only come from the breaker.
    expect(await sender.call(maintainRoute, body, { timeoutMs: 600_000 })).toMatchObject({ failure: { kind: 'away' } });
    daemon.unscript('/v1/maintain');
    now += 1_001;
    expect(await sender.call(maintainRoute, body, limits)).toMatchObject({ ok: true });
    expect(await sender.call(maintainRoute, body, limits)).toMatchObject({ ok: true });
  });

  it('S65: a search of memory that takes too long keeps no other call from the daemon', async () => {
    daemon.script('/v1/prefetch', () => 'later');
    const prefetch = { session_id: 's1', prompt: 'theme?' };
    const slow = await link().call(prefetchRoute, prefetch, { timeoutMs: 40, mayBeSlow: true });
    expect(slow).toMatchObject({ ok: false, failure: { kind: 'timeout' } });
    expect(await link().isHealthy()).toBe(true);
    const commit = { session_id: 's1', advancement_key: 'k', format: 'openclaw' as const, messages: [user('q')] };
    expect(await link().call(commitTurnRoute, commit, { timeoutMs: 5_000 })).toMatchObject({ ok: true });
  });

  it('a probe that a busy daemon answers too late leaves the next call its own time', async () => {
    daemon.script('/health', () => 'later');
    expect(await link().isHealthy()).toBe(false);
    expect(await link().call(maintainRoute, body, limits)).toMatchObject({ ok: true });
  });

  it('asks a restarted daemon at once although its predecessor hung', async () => {
    daemon.script('/v1/maintain', () => 'later');
    const sender = link();
    await sender.call(maintainRoute, body, { timeoutMs: 40 });
    daemon.unscript('/v1/maintain');
    await writeFile(
      join(daemon.dataDir, 'endpoint.json'),
      JSON.stringify({ url: daemon.url, pid: process.pid, started_at: 'later' }),
    );
    expect(await sender.call(maintainRoute, body, limits)).toMatchObject({ ok: true });
  });

  it('one instance of the plugin knows what another has found out about a hanging daemon', async () => {
    daemon.script('/v1/maintain', () => 'later');
    await link().call(maintainRoute, body, { timeoutMs: 40 });
    expect(await link().call(maintainRoute, body, { timeoutMs: 600_000 })).toMatchObject({ failure: { kind: 'away' } });
  });

  it('is healthy while the daemon is ready, and remembers the answer for a moment', async () => {
    expect(await link().isHealthy()).toBe(true);
    await daemon.down();
    expect(await link().isHealthy()).toBe(true);
    now += 2_001;
    expect(await link().isHealthy()).toBe(false);
  });

  it('H09: takes no answer that is not of the protocol', async () => {
    const answers = ['', 'null', '[]', '"x"', '<html>', '{}', '{"ready":"yes"}', '{"ready":true', '1e999'];
    for (const text of answers) {
      daemon.script('/health', () => ({ text }));
      expect(await link().call(healthRoute, undefined, limits)).toMatchObject({
        ok: false,
        failure: { kind: 'malformed' },
      });
    }
    daemon.script('/health', () => ({ text: '{"error":"no"}', status: 500 }));
    expect(await link().call(healthRoute, undefined, limits)).toMatchObject({
      failure: { kind: 'malformed', status: 500 },
    });
  });
});
