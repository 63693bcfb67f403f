import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostMessage, MessageOrRef } from '../src-shared/protocol/host-message.ts';
import { messageKey } from './messages/message-key.ts';
import { forgetSharedState } from './testing/forget-shared-state.ts';
import { handedOver } from './testing/handed-over.ts';
import { recordings } from './testing/recordings.ts';
import { replayRecording } from './testing/replay-recording.ts';
import { ScriptedDaemon } from './testing/scripted-daemon.ts';
import { ScriptedHost } from './testing/scripted-host.ts';

let daemon: ScriptedDaemon;
let host: ScriptedHost;
const storing = ['/v1/commit-turn', '/v1/after-turn', '/v1/ingest', '/v1/bootstrap'];

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
  host = new ScriptedHost();
  host.register({ dataDir: daemon.dataDir });
  host.register({ dataDir: daemon.dataDir });
});

afterEach(() => daemon.remove());

function storedKeys(): string[] {
  const keys = new Set<string>();
  for (const { path, body } of daemon.calls) {
    if (!storing.includes(path)) continue;
    for (const message of (body['messages'] ?? []) as MessageOrRef[]) {
      keys.add('ref' in message && typeof message.ref === 'string' ? message.ref : messageKey(message));
    }
  }
  return [...keys];
}

describe.each(recordings())('replay of $name', ({ name, calls }) => {
  it('reaches the daemon whole, each message once, and as the transcript has it', async () => {
    await replayRecording(host, calls);
    expect(daemon.complaints).toEqual([]);
    expect(storedKeys().sort()).toEqual(handedOver(calls).map(messageKey).sort());
  });

  it('sends each body at most once', async () => {
    await replayRecording(host, calls);
    const bodies = daemon.calls.flatMap(({ body }) =>
      ((body['messages'] ?? []) as MessageOrRef[]).filter((message) => 'role' in message),
    );
    const keys = bodies.map((message) => messageKey(message as HostMessage));
    expect(keys).toEqual([...new Set(keys)]);
  });

  it('gives the host its own objects back', async () => {
    for (const { given, returned } of await replayRecording(host, calls)) {
      expect(returned.length).toBe(given.length);
      returned.forEach((message, position) => expect(message).toBe(given[position]));
    }
  });

  it('goes through without a daemon, and everything is delivered when it is back', async () => {
    await daemon.down();
    for (const { given, returned } of await replayRecording(host, calls)) expect(returned).toBe(given);
    await daemon.up();
    await (await host.engine()).bootstrap({ sessionId: 'other' });
    const own = calls.filter((call) => call.name === 'commitTurn' || call.name === 'afterTurn');
    const keys = new Set(storedKeys());
    for (const call of own) {
      const start = call.name === 'afterTurn' ? Number(call.payload['prePromptMessageCount']) : 0;
      const expected = handedOver([
        ...calls.filter(({ kind }) => kind === 'hook'),
        { ...call, payload: { ...call.payload, messages: (call.payload.messages ?? []).slice(start) } },
      ]);
      for (const message of expected) expect(keys).toContain(messageKey(message));
    }
    expect(name).toMatch(/^2026\./);
  });
});

describe('resets in recordings', () => {
  it('the recorded reset and deletion reach the daemon once each', async () => {
    const recorded = recordings().find(({ name }) => name === '2026.9.6-tool-loop-reset-delete');
    await replayRecording(host, recorded?.calls ?? []);
    expect(daemon.bodiesOf('/v1/session-end').map((body) => body['reason'])).toEqual(['reset', 'deleted']);
  });
});
