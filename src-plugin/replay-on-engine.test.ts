import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startHost, type Host } from '../src-main/host.ts';
import type { HostMessage } from '../src-shared/protocol/host-message.ts';
import { messageKey } from './messages/message-key.ts';
import { createPluginRuntime } from './plugin-runtime.ts';
import { forgetSharedState } from './testing/forget-shared-state.ts';
import { handedOver } from './testing/handed-over.ts';
import { recordings, relabelled } from './testing/recordings.ts';
import { replayRecording } from './testing/replay-recording.ts';
import { ScriptedHost } from './testing/scripted-host.ts';

let dataDir: string;
let daemon: Host;
let host: ScriptedHost;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-replay-'));
  daemon = await open();
});

beforeEach(newHostProcess);

afterAll(async () => {
  await daemon.close();
  await rm(dataDir, { recursive: true, force: true });
});

const open = (): Promise<Host> => startHost({ dataDir, port: 0, mode: 'headless', version: 'test' });

function newHostProcess(): void {
  forgetSharedState();
  host = new ScriptedHost();
  // Long enough for a machine that runs other things as well: what is measured here is what is stored.
  host.register({ dataDir, timeoutMs: 20_000 });
}

/** A daemon that was asked before it was warm lets the next calls wait in the spool; the host's next turn delivers them. */
async function delivered(): Promise<void> {
  const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const { spool } = createPluginRuntime({ dataDir, timeoutMs: 20_000 }, quiet, undefined);
  await expect.poll(() => spool.deliver(20_000), { timeout: 60_000, interval: 200 }).toBe(0);
}

/** Keys of all stored messages of a label's sessions. */
async function storedKeys(label: string): Promise<string[]> {
  await delivered();
  const query = { order: 'asc' as const, raw: true, limit: 1_000 };
  const sessions = await daemon.api.sessions({ params: {}, query: { limit: 1_000 }, body: {} });
  const keys: string[] = [];
  for (const { session_uid: id, session_id: name } of sessions.items) {
    if (!name.startsWith(`${label}/`)) continue;
    const turns = await daemon.api.sessionTurns({ params: { id }, query, body: {} });
    keys.push(...turns.items.map(({ raw }) => messageKey(raw as HostMessage)));
  }
  return keys;
}

const all = recordings();
const generations = all.filter(({ name }) => /9\.6-tool-loop|8\.2-tool-loop|7\.1-tool-loop/.test(name));

describe.each(all)('$name on a real engine', ({ name, calls }) => {
  it('S07: is stored whole, each message once, and a second time adds nothing', async () => {
    const label = `whole-${name}`;
    await replayRecording(host, relabelled(calls, label));
    const first = await storedKeys(label);
    expect(first.toSorted()).toEqual(handedOver(calls).map(messageKey).toSorted());
    await replayRecording(host, relabelled(calls, label));
    expect(await storedKeys(label)).toEqual(first);
  });
});

describe.each(generations)('$name', ({ name, calls }) => {
  it('S86: is known to a daemon that was restarted, and to a host process that was', async () => {
    const label = `restart-${name}`;
    await replayRecording(host, relabelled(calls, label));
    const first = await storedKeys(label);
    await daemon.close();
    daemon = await open();
    newHostProcess();
    await replayRecording(host, relabelled(calls, label));
    expect(await storedKeys(label)).toEqual(first);
  });

  it('waits for a daemon that is away, and is stored once all the same', async () => {
    const label = `away-${name}`;
    await daemon.close();
    await replayRecording(host, relabelled(calls, label));
    daemon = await open();
    newHostProcess();
    await replayRecording(host, relabelled(calls, label));
    expect((await storedKeys(label)).toSorted()).toEqual(handedOver(calls).map(messageKey).toSorted());
  });
});

describe('a transcript that the engine never saw', () => {
  it('S12, H03: is taken in at the next bootstrap, and the turn after it adds only itself', async () => {
    const label = 'transcript';
    const calls = relabelled(all.find(({ name }) => name === '2026.9.6-transcript-delta')?.calls ?? [], label);
    const delta = calls.find(({ name }) => name === 'visibleDelta')?.payload;
    const entries = (delta?.['entries'] ?? []) as { message: HostMessage }[];
    host.readTranscript = ({ cursor }) => Promise.resolve(cursor === undefined ? delta : { ...delta, entries: [] });
    await replayRecording(host, calls);
    const first = await storedKeys(label);
    expect(first).toEqual([...entries.map(({ message }) => message), ...handedOver(calls)].map(messageKey));
    await replayRecording(host, calls);
    expect(await storedKeys(label)).toEqual(first);
  });
});
