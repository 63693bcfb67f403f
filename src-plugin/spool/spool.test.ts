import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DaemonLink } from '../daemon/daemon-link.ts';
import { readPluginConfig } from '../plugin-config.ts';
import { sharedState } from '../shared-state.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { Spool } from './spool.ts';

let daemon: ScriptedDaemon;
let now: number;
let warnings: string[];
const generous = 20_000;

beforeEach(async () => {
  forgetSharedState();
  now = Date.now();
  warnings = [];
  daemon = await ScriptedDaemon.start();
});

afterEach(() => daemon.remove());

function openSpool(): Spool {
  const config = readPluginConfig({ dataDir: daemon.dataDir }, {});
  const shared = sharedState();
  const warn = (message: string) => warnings.push(message);
  return new Spool({ config, shared, link: new DaemonLink(config, shared), warn, now: () => now });
}

function turn(n: number): Record<string, unknown> {
  return { session_id: 's', format: 'openclaw', advancement_key: `key-${n}`, messages: [user(`turn ${n}`, n + 1)] };
}

function delivered(): unknown[] {
  return daemon.bodiesOf('/v1/commit-turn').map((body) => body['advancement_key']);
}

const dir = (): string => join(daemon.dataDir, 'spool');

describe('Spool', () => {
  it('delivers what waited in the order of its arrival, also when the clock went back', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    now -= 3_600_000;
    await spool.append('/v1/commit-turn', turn(1));
    await openSpool().append('/v1/commit-turn', turn(2));
    expect((await spool.state()).pending).toBe(3);
    expect(await spool.deliver(generous)).toBe(0);
    expect(delivered()).toEqual(['key-0', 'key-1', 'key-2']);
    expect(await spool.state()).toEqual({ pending: 0, oldestAt: undefined, rejected: 0 });
  });

  it('keeps its files from other users', async () => {
    await openSpool().append('/v1/commit-turn', turn(0));
    const [name] = await readdir(dir());
    expect((await stat(dir())).mode & 0o777).toBe(0o700);
    expect((await stat(join(dir(), name ?? ''))).mode & 0o777).toBe(0o600);
  });

  it('loses nothing while the daemon is away, busy, or refuses the token', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    for (const error of ['busy', 'unauthorized', 'internal', 'shutting_down', 'disk_full', 'not_found'] as const) {
      daemon.script('/v1/commit-turn', () => ({ error }));
      expect(await spool.deliver(generous)).toBe(1);
    }
    await daemon.down();
    expect(await spool.deliver(generous)).toBe(1);
    await daemon.up();
    daemon.unscript('/v1/commit-turn');
    expect(await openSpool().deliver(generous)).toBe(0);
    expect(delivered()).toEqual(['key-0']);
  });

  it('moves a request aside that the daemon refuses for good, with the reason, and goes on', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    await spool.append('/v1/commit-turn', turn(1));
    daemon.script('/v1/commit-turn', (body) =>
      body['advancement_key'] === 'key-0' ? { error: 'advancement_conflict' } : undefined,
    );
    expect(await spool.deliver(generous)).toBe(0);
    expect(delivered()).toEqual(['key-1']);
    const rejected = await readdir(join(dir(), 'rejected'));
    expect(rejected).toHaveLength(2);
    const [request = '', reason = ''] = rejected.sort((a, b) => a.length - b.length);
    expect(JSON.parse(await readFile(join(dir(), 'rejected', request), 'utf8'))).toMatchObject({ body: turn(0) });
    expect(await readFile(join(dir(), 'rejected', reason), 'utf8')).toContain('advancement_conflict');
    expect(warnings.join()).toContain('rejected');
    expect(await spool.state()).toMatchObject({ pending: 0, rejected: 1 });
  });

  it('moves a request aside that the daemon again calls committed without naming all of it', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    daemon.script('/v1/commit-turn', () => ({ reply: { status: 'committed', turn_ids: [], stored: 0 } }));
    expect(await spool.deliver(generous)).toBe(0);
    expect(await spool.state()).toMatchObject({ pending: 0, rejected: 1 });
  });

  describe('a request that the daemon fails with', () => {
    const failing = ['key-0'];
    const deliver = async (spool: Spool, times: number, apart = 20_000) => {
      for (let time = 0; time < times; time += 1) {
        await spool.deliver(generous);
        now += apart;
      }
    };
    const fail = (keys: readonly string[]) =>
      daemon.script('/v1/commit-turn', (body) =>
        keys.includes(String(body['advancement_key'])) ? { error: 'internal' } : undefined,
      );

    it('is set aside after five deliveries over a minute, and does not hold up the others any longer', async () => {
      const spool = openSpool();
      for (let n = 0; n < 3; n += 1) await spool.append('/v1/commit-turn', turn(n));
      fail(failing);
      await deliver(spool, 4);
      expect(await spool.state()).toMatchObject({ pending: 3, rejected: 0 });
      await deliver(openSpool(), 1);
      expect(await spool.state()).toMatchObject({ pending: 0, rejected: 1 });
      expect(delivered()).toEqual(['key-1', 'key-2']);
      expect(warnings.join()).toContain('500 internal');
    });

    it('waits on where that is all within moments', async () => {
      const spool = openSpool();
      for (let n = 0; n < 2; n += 1) await spool.append('/v1/commit-turn', turn(n));
      fail(failing);
      await deliver(spool, 10, 1_000);
      expect(await spool.state()).toMatchObject({ pending: 2, rejected: 0 });
    });

    it('waits on where the daemon fails with every other one, too', async () => {
      const spool = openSpool();
      for (let n = 0; n < 3; n += 1) await spool.append('/v1/commit-turn', turn(n));
      fail(['key-0', 'key-1', 'key-2']);
      await deliver(spool, 40);
      expect(await spool.state()).toMatchObject({ pending: 3, rejected: 0 });
      daemon.unscript('/v1/commit-turn');
      expect(await spool.deliver(generous)).toBe(0);
      expect(delivered()).toEqual(['key-0', 'key-1', 'key-2']);
    });

    it('is set aside with a second one that stands behind it', async () => {
      const spool = openSpool();
      for (let n = 0; n < 3; n += 1) await spool.append('/v1/commit-turn', turn(n));
      fail(['key-0', 'key-1']);
      await deliver(spool, 12);
      expect(await spool.state()).toMatchObject({ pending: 0, rejected: 2 });
      expect(delivered()).toEqual(['key-2']);
    });

    it('is not set aside because the daemon is busy, stopping, or its disk is full', async () => {
      const spool = openSpool();
      for (let n = 0; n < 2; n += 1) await spool.append('/v1/commit-turn', turn(n));
      for (const error of ['busy', 'shutting_down', 'disk_full'] as const) {
        daemon.script('/v1/commit-turn', (body) => (body['advancement_key'] === 'key-0' ? { error } : undefined));
        await deliver(spool, 10);
      }
      expect(await spool.state()).toMatchObject({ pending: 2, rejected: 0 });
    });
  });

  it('moves damaged files aside', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    const texts = [
      '',
      '{',
      'null',
      '{"version":2}',
      '{"version":1,"path":"/v1/assemble","body":{}}',
      '{"version":1,"path":"/v1/ingest"}',
    ];
    for (const [n, text] of texts.entries()) {
      await writeFile(join(dir(), `00000000000000${n}-000000-00000000.json`), text);
    }
    await writeFile(join(dir(), 'notes.txt'), 'not ours');
    expect(await spool.deliver(generous)).toBe(0);
    expect(delivered()).toEqual(['key-0']);
    expect(await readdir(join(dir(), 'rejected'))).toHaveLength(texts.length * 2);
    expect(await readFile(join(dir(), 'notes.txt'), 'utf8')).toBe('not ours');
  });

  it('two instances in one process deliver once', async () => {
    const first = openSpool();
    for (let n = 0; n < 5; n += 1) await first.append('/v1/commit-turn', turn(n));
    const left = await Promise.all([first.deliver(generous), openSpool().deliver(generous)]);
    expect(left).toEqual([0, 0]);
    expect(delivered()).toHaveLength(5);
  });

  it('leaves the delivery to another process that is at it', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    await writeFile(join(dir(), '.delivering'), JSON.stringify({ pid: process.ppid, id: 'x' }));
    expect(await spool.deliver(generous)).toBe(1);
    expect(delivered()).toEqual([]);
  });

  it('takes over from a process that died, and from one that hangs', async () => {
    const spool = openSpool();
    await spool.append('/v1/commit-turn', turn(0));
    await writeFile(join(dir(), '.delivering'), JSON.stringify({ pid: 2 ** 22 - 3, id: 'x' }));
    expect(await spool.deliver(generous)).toBe(0);
    await spool.append('/v1/commit-turn', turn(1));
    await writeFile(join(dir(), '.delivering'), JSON.stringify({ pid: process.ppid, id: 'x' }));
    const longAgo = new Date(now - 60_000);
    await utimes(join(dir(), '.delivering'), longAgo, longAgo);
    expect(await spool.deliver(generous)).toBe(0);
    expect(delivered()).toEqual(['key-0', 'key-1']);
    expect(await readdir(dir())).toEqual([]);
  });

  it('stops at the end of its time and says how much is left', async () => {
    const spool = openSpool();
    for (let n = 0; n < 3; n += 1) await spool.append('/v1/commit-turn', turn(n));
    daemon.script('/v1/commit-turn', () => 'later');
    expect(await spool.deliver(50)).toBe(3);
  });

  it('knows whether the reset of a session waits', async () => {
    const spool = openSpool();
    await spool.append('/v1/session-end', { session_id: 's', reason: 'reset' });
    expect(await spool.holds('/v1/session-end', 's')).toBe(true);
    expect(await spool.holds('/v1/session-end', 'other')).toBe(false);
    expect(await spool.holds('/v1/ingest', 's')).toBe(false);
  });

  it('fails an append that cannot be made durable, and leaves nothing half written behind', async () => {
    await mkdir(daemon.dataDir, { recursive: true });
    await writeFile(dir(), 'a file where the directory should be');
    await expect(openSpool().append('/v1/commit-turn', turn(0))).rejects.toThrow();
  });
});
