import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StandingSnapshot } from '../../engine/ports/standing-store.ts';
import { openSessionStore } from '../open-session-store.ts';

let dataDir: string;
let store: ReturnType<typeof openSessionStore>;
const open = () => openSessionStore({ dataDir, backups: 1, now: () => 1_000 });

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-standing-'));
  store = open();
});

afterEach(async () => {
  await store.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function reopen(): Promise<void> {
  await store.close();
  store = open();
}

/** Of a session that is in the store. */
async function snapshot(more: Partial<StandingSnapshot> = {}): Promise<StandingSnapshot> {
  const identity = { userId: 'default', agentId: 'main', sessionKey: 'agent:main:main', sessionId: 's1' };
  const { uid: sessionUid } = await store.openSession(identity, 1_000, 'sess_1');
  const parts = [{ kind: 'profile' as const, name: 'profile', text: 'Ann 😀 “quoted”', uris: ['strata://a'] }];
  return { sessionUid, epoch: 0, takenAt: 1_000, basis: 'b1', parts, ...more };
}

describe('snapshots of standing memory', () => {
  it('are read as they were written, also after a restart', async () => {
    const written = await snapshot();
    expect(await store.standing.findSnapshot(written.sessionUid, 0)).toBeUndefined();
    await store.standing.putSnapshot(written);
    expect(await store.standing.findSnapshot(written.sessionUid, 0)).toEqual(written);
    await reopen();
    expect(await store.standing.findSnapshot(written.sessionUid, 0)).toEqual(written);
  });

  it('a session has one, of its newest epoch', async () => {
    const first = await snapshot();
    await store.standing.putSnapshot(first);
    const second = { ...first, epoch: 1, takenAt: 2_000, basis: 'b2', parts: [] };
    await store.standing.putSnapshot(second);
    expect(await store.standing.findSnapshot(first.sessionUid, 0)).toBeUndefined();
    expect(await store.standing.findSnapshot(first.sessionUid, 1)).toEqual(second);
  });
});

describe('grants of sub-agents', () => {
  const grant = { userId: 'default', childKey: 'agent:main:subagent:1', parentKey: 'agent:main:main', at: 5 };

  it('are read as they were written, by user and child, also after a restart', async () => {
    await store.standing.putGrant({ ...grant, access: 'shared' });
    await reopen();
    expect(await store.standing.grantOf('default', grant.childKey)).toEqual({ ...grant, access: 'shared' });
    expect(await store.standing.grantOf('other', grant.childKey)).toBeUndefined();
    expect(await store.standing.grantOf('default', grant.parentKey)).toBeUndefined();
  });

  it('without an access leave it to the configuration', async () => {
    await store.standing.putGrant({ ...grant, access: undefined });
    expect(await store.standing.grantOf('default', grant.childKey)).toEqual({ ...grant, access: undefined });
  });

  it('the newest of a child holds', async () => {
    await store.standing.putGrant({ ...grant, access: 'all' });
    await store.standing.putGrant({ ...grant, access: 'none', parentKey: 'agent:main:other', at: 9 });
    const found = await store.standing.grantOf('default', grant.childKey);
    expect(found).toEqual({ ...grant, access: 'none', parentKey: 'agent:main:other', at: 9 });
  });

  it('names that are no Unicode text find what was written under them', async () => {
    const childKey = 'agent:main:subagent:\ud800';
    await store.standing.putGrant({ ...grant, childKey, access: 'all' });
    expect((await store.standing.grantOf('default', childKey))?.access).toBe('all');
  });
});
