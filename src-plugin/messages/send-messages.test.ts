import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DaemonLink } from '../daemon/daemon-link.ts';
import { ingestRoute } from '../daemon/plugin-routes.ts';
import { readPluginConfig } from '../plugin-config.ts';
import { sharedState } from '../shared-state.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { assistant, user } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { messageKey } from './message-key.ts';
import { sendMessages } from './send-messages.ts';

let daemon: ScriptedDaemon;
const messages = [user('one'), assistant('two'), user('three', 3)];
const request = { session_id: 's', format: 'openclaw' as const };

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
});

afterEach(() => daemon.remove());

function send(refs: 'all' | number) {
  const shared = sharedState();
  const link = new DaemonLink(readPluginConfig({ dataDir: daemon.dataDir }, {}), shared);
  return sendMessages({ link, shared }, ingestRoute, request, messages, { refs, timeoutMs: 5_000 });
}

describe('sendMessages', () => {
  it('sends only the bodies that the daemon asks for', async () => {
    const first = messages[0] ?? {};
    daemon.knownBodies.set(messageKey(first), first);
    expect(await send('all')).toMatchObject({ ok: true });
    expect(daemon.bodiesOf('/v1/ingest')).toEqual([
      { ...request, messages: [{ ref: messageKey(first) }, messages[1], messages[2]] },
    ]);
  });

  it('sends a body that arrived before as a reference', async () => {
    await send(0);
    await send(0);
    expect(daemon.bodiesOf('/v1/ingest')[0]).toMatchObject({ messages });
    expect(daemon.bodiesOf('/v1/ingest')[1]).toEqual({
      ...request,
      messages: messages.map((message) => ({ ref: messageKey(message) })),
    });
  });

  it('sends everything whole to a daemon that forgot it', async () => {
    await send(0);
    daemon.knownBodies.clear();
    expect(await send(0)).toMatchObject({ ok: true });
    expect(daemon.bodiesOf('/v1/ingest')[1]).toMatchObject({ messages });
  });

  it('sends everything whole when the positions that are asked for make no sense', async () => {
    for (const indexes of [undefined, 'x', [], [99], [-1, 'a', null]]) {
      let refusals = 0;
      daemon.script('/v1/ingest', (body) => {
        const refs = (body['messages'] as object[]).some((message) => 'ref' in message);
        return refs && (refusals += 1) ? { error: 'unknown_messages', details: { indexes } } : undefined;
      });
      const result = await send('all');
      expect(result.ok).toBe(indexes !== undefined);
      expect(refusals).toBeLessThan(3);
    }
  });

  it('gives up on a daemon that never has enough', async () => {
    daemon.script('/v1/ingest', () => ({ error: 'unknown_messages', details: { indexes: [0] } }));
    expect(await send('all')).toMatchObject({ ok: false, failure: { code: 'unknown_messages' } });
  });
});
