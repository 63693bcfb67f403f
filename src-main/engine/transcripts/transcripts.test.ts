import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import {
  assistantMessage,
  conversation,
  exchange,
  toolCallMessage,
  toolResultMessage,
  userMessage,
} from '../testing/messages.ts';

const exported = (fixture: EngineFixture, id = 'session-1'): Promise<string> =>
  fixture.send('exportSession', { params: { id } });
const imported = (fixture: EngineFixture, jsonl: string) => fixture.send('importSession', { body: { jsonl } });

/** Another machine that takes the transcript in. */
async function copied(jsonl: string): Promise<EngineFixture> {
  const fixture = await openEngineFixture();
  await imported(fixture, jsonl);
  return fixture;
}

async function checkpointsOf(fixture: EngineFixture): Promise<readonly CompactCheckpoint[]> {
  return (await fixture.send('sessionCheckpoints', { params: { id: 'session-1' } })).items;
}

const image = 'iVBORw0KGgo'.repeat(400);
const turn = [
  { role: 'user', content: [{ type: 'image', data: image, mimeType: 'image/png' }], timestamp: 1_793_600_000_000 },
  toolCallMessage('call_1', 2, { text: 'a\u2028b\u0000c\ud800' }),
  toolResultMessage('call_1', 'found', 3),
  { ...assistantMessage('Done.', 4), thinkingSignature: 'sig', __openclaw: { runId: 'r' } },
];

/** A session with everything: epochs, advancements of several kinds, a checkpoint, entries, heartbeats, two formats. */
async function lived(): Promise<EngineFixture> {
  const fixture = await openEngineFixture();
  const log = logSteps(fixture);
  await log.commit('before', conversation(2));
  await log.end('reset');
  await log.after(turn.slice(0, 2));
  await log.commit('mixed', turn);
  await log.commit('all known', turn.slice(0, 2));
  await log.bootstrap([assistantMessage('Announced.', 9)], { entry_ids: ['entry-9'] });
  const spoken = [
    { role: 'user', content: 'yes' },
    { role: 'user', content: 'yes' },
  ];
  await log.commit('openai', spoken, { format: 'openai' });
  await log.commit('heartbeat', [userMessage('poll', 10)], { is_heartbeat: true });
  for (let number = 3; number < 23; number += 1) await log.commit(`turn ${number}`, exchange(number));
  const reply = await fixture.send('compact', {
    body: { session_id: 'session-1', session_key: 'agent:main:main', force: true, token_budget: 300 },
  });
  expect(reply.compacted).toBe(true);
  return fixture;
}

describe('export and import', () => {
  it('give every turn, epoch, advancement and checkpoint again, byte for byte', async () => {
    const original = await lived();
    const jsonl = await exported(original);
    const copy = await copied(jsonl);
    expect(await exported(copy)).toBe(jsonl);
    expect(await logSteps(copy).records()).toEqual(await logSteps(original).records());
    expect(await checkpointsOf(copy)).toEqual(await checkpointsOf(original));
    expect(await checkpointsOf(copy)).toHaveLength(1);
    const [a, b] = await Promise.all([logSteps(original).find(), logSteps(copy).find()]);
    const lasting = ['session_uid', 'uri', 'epoch', 'turn_count', 'epoch_turn_count', 'epoch_tokens'] as const;
    for (const field of lasting) expect(b?.[field]).toEqual(a?.[field]);
  });

  it.each([
    ['before', conversation(2), 'openclaw'],
    ['mixed', turn, 'openclaw'],
    ['all known', turn.slice(0, 2), 'openclaw'],
    ['turn 5', exchange(5), 'openclaw'],
  ])('let the host repeat the advancement "%s" as a duplicate', async (key, messages, format) => {
    const copy = logSteps(await copied(await exported(await lived())));
    const before = await copy.records();
    expect(await copy.commit(key, messages, { format })).toMatchObject({ status: 'duplicate', stored: 0 });
    await expect(copy.commit(key, [userMessage('other', 99)])).rejects.toMatchObject({ code: 'advancement_conflict' });
    expect(await copy.records()).toEqual(before);
  });

  it('S08: the second import of a transcript takes in nothing', async () => {
    const original = await lived();
    const jsonl = await exported(original);
    const count = (await logSteps(original).records()).length;
    const copy = await openEngineFixture();
    expect(await imported(copy, jsonl)).toEqual({ session_uid: 'sess_1', imported: count, skipped: 0 });
    expect(await imported(copy, jsonl)).toEqual({ session_uid: 'sess_1', imported: 0, skipped: count });
    expect(await imported(original, jsonl)).toMatchObject({ imported: 0, skipped: count });
    expect(await exported(copy)).toBe(jsonl);
  });

  it('S76: a session that was reset and has no turn since stays reset', async () => {
    const original = await openEngineFixture();
    await logSteps(original).commit('a', conversation(2));
    await logSteps(original).end('reset');
    const copy = await copied(await exported(original));
    expect(await logSteps(copy).find()).toMatchObject({ epoch: 1, turn_count: 4, epoch_turn_count: 0 });
  });

  it('take a session without turns', async () => {
    const original = await openEngineFixture();
    await logSteps(original).bootstrap([]);
    const copy = await copied(await exported(original));
    expect(await logSteps(copy).find()).toMatchObject({ turn_count: 0 });
  });

  it('keep turns of one advancement together however many there are', async () => {
    const original = await openEngineFixture();
    const many = Array.from({ length: 1_200 }, (_, index) => userMessage(`m${index}`, index));
    await logSteps(original).commit('large', many);
    const copy = logSteps(await copied(await exported(original)));
    expect((await copy.commit('large', many)).status).toBe('duplicate');
    expect(await copy.messages()).toEqual(many);
  });

  it('can be repeated after an import that was cut off, wherever that was, epochs and checkpoints included', async () => {
    const original = await lived();
    const jsonl = await exported(original);
    let failed = 0;
    for (let writes = 1; ; writes += 4) {
      let left = writes;
      const copy = await openEngineFixture({
        wrapStore: (store) =>
          new Proxy(store, {
            get: (target, name: keyof SessionStore) => {
              const isWrite = name === 'appendTurns' || name === 'startEpoch' || name === 'addCheckpoint';
              if (isWrite && left-- <= 0) return () => Promise.reject(new EngineError('disk_full', 'No space left.'));
              return target[name].bind(target);
            },
          }),
      });
      const outcome = await imported(copy, jsonl).catch((error: unknown) => error);
      left = Infinity;
      if (!(outcome instanceof Error)) break;
      failed += 1;
      await imported(copy, jsonl);
      expect(await exported(copy)).toBe(jsonl);
    }
    expect(failed).toBeGreaterThan(5);
  });

  it('go on where a shorter transcript of the session ended, over a reset', async () => {
    const original = await openEngineFixture();
    const log = logSteps(original);
    await log.commit('a', exchange(1));
    const copy = await copied(await exported(original));
    await log.after([userMessage('unanswered', 15)]);
    await log.end('reset');
    await log.commit('b', exchange(2));
    const jsonl = await exported(original);
    expect(await imported(copy, jsonl)).toMatchObject({ imported: 3, skipped: 2 });
    expect(await exported(copy)).toBe(jsonl);
  });

  it('leave a stored session alone that goes on after the transcript ends', async () => {
    const fixture = await openEngineFixture();
    const log = logSteps(fixture);
    await log.commit('a', exchange(1));
    const jsonl = await exported(fixture);
    await log.commit('b', exchange(2));
    expect(await imported(fixture, jsonl)).toMatchObject({ imported: 0, skipped: 2 });
    expect(await log.messages()).toEqual(conversation(2));
  });

  it('give the session another uid where its own is taken', async () => {
    const original = await openEngineFixture();
    await logSteps(original).commit('a', exchange(1));
    const jsonl = await exported(original);
    const copy = await openEngineFixture();
    await logSteps(copy, { session_id: 'other', session_key: '' }).commit('a', exchange(2));
    expect((await imported(copy, jsonl)).session_uid).not.toBe('sess_1');
    expect(await logSteps(copy).messages()).toEqual([...exchange(1)]);
  });

  it('bear what editors do to a file: a mark at its start, line breaks of Windows, empty lines', async () => {
    const jsonl = await exported(await lived());
    const edited = `\ufeff${jsonl.replaceAll('\n', '\r\n')}\r\n\r\n`;
    expect(await exported(await copied(edited))).toBe(jsonl);
  });

  it('give messages of every kind again as they were', async () => {
    const original = await openEngineFixture();
    const log = logSteps(original);
    const message = fc.record({ content: fc.jsonValue(), extra: fc.jsonValue(), timestamp: fc.nat() });
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 5 }), async (drafts) => {
        const plain = JSON.parse(JSON.stringify(drafts)) as HostMessage[];
        await log.ingest(plain.map((draft) => ({ role: 'user', ...draft })));
      }),
      { numRuns: 20 },
    );
    const jsonl = await exported(original);
    const copy = await copied(jsonl);
    expect(await exported(copy)).toBe(jsonl);
    expect(await logSteps(copy).messages()).toEqual(await log.messages());
  });
});

describe('a transcript that is not as exported', () => {
  /** A small one, by line: header, four turns, two advancements. */
  async function lines(): Promise<Record<string, unknown>[]> {
    const fixture = await openEngineFixture();
    await logSteps(fixture).commit('a', exchange(1));
    await logSteps(fixture).commit('b', exchange(2));
    const jsonl = await exported(fixture);
    return jsonl
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }
  type Lines = readonly Record<string, unknown>[];
  const changed = (all: Lines, at: number, fields: object): Lines =>
    all.map((line, index) => (index === at ? { ...line, ...fields } : line));
  const without = (all: Lines, at: number): Lines => all.filter((_, index) => index !== at);

  it.each<[string, number, (all: Lines) => Lines]>([
    ['no header', 1, (all) => without(all, 0)],
    ['two headers', 2, (all) => [all[0] ?? {}, ...all]],
    ['a header of a later version', 1, (all) => changed(all, 0, { version: 3 })],
    ['an empty session id', 1, (all) => changed(all, 0, { session_id: '' })],
    ['an epoch that its turns do not reach', 1, (all) => changed(all, 0, { epoch: 2 })],
    ['a missing turn', 3, (all) => without(all, 2)],
    ['turns in another order', 2, (all) => [all[0] ?? {}, all[2] ?? {}, all[1] ?? {}, ...all.slice(3)]],
    ['the same turn twice', 3, (all) => changed(all, 2, { identity: all[1]?.['identity'] })],
    ['an epoch that goes back', 5, (all) => changed(changed(all, 3, { epoch: 1 }), 4, { epoch: 0 })],
    ['a first epoch other than 0', 2, (all) => changed(all, 1, { epoch: 1 })],
    ['a time that no calendar has', 2, (all) => changed(all, 1, { timestamp: 1e300 })],
    ['a message without a role', 5, (all) => changed(all, 4, { message: { content: 'x' } })],
    ['a message that is a list', 5, (all) => changed(all, 4, { message: [] })],
    ['an unknown line', 6, (all) => changed(all, 5, { type: 'memory' })],
    ['an advancement twice', 7, (all) => changed(all, 6, { key: 'a' })],
    ['an advancement of turns that are not there', 7, (all) => changed(all, 6, { sequences: [3, 4, 5] })],
    ['an advancement without its turns', 7, (all) => changed(all, 6, { sequences: [3] })],
    ['an advancement with later turns', 6, (all) => changed(all, 5, { sequences: [1, 2, 3] })],
    ['an advancement in two places', 5, (all) => changed(all, 4, { advancement_key: 'a' })],
  ])('with %s is refused by line, and nothing changes', async (_, line, change) => {
    const jsonl = change(await lines())
      .map((fields) => JSON.stringify(fields))
      .join('\n');
    const fixture = await openEngineFixture();
    await expect(imported(fixture, jsonl)).rejects.toMatchObject({ code: 'import_invalid', details: { line } });
    expect((await fixture.send('sessions', {})).items).toEqual([]);
  });

  it.each([
    ['nothing', ''],
    ['text', 'hello'],
    ['an open bracket', '{"type":"strata.session"'],
    ['a number', '5'],
  ])('with %s in it is refused', async (_, jsonl) => {
    const fixture = await openEngineFixture();
    await expect(imported(fixture, jsonl)).rejects.toMatchObject({ code: 'import_invalid', details: { line: 1 } });
  });

  it('that is cut off in a line is refused, and nothing changes', async () => {
    const jsonl = await exported(await lived());
    const fixture = await openEngineFixture();
    for (const share of [0.3, 0.6, 0.99]) {
      const cut = jsonl.slice(0, Math.floor(jsonl.length * share));
      await expect(imported(fixture, cut)).rejects.toMatchObject({ code: 'import_invalid' });
    }
    expect((await fixture.send('sessions', {})).items).toEqual([]);
  });

  it('with a checkpoint of turns that are not there is refused', async () => {
    const jsonl = await exported(await lived());
    const fixture = await openEngineFixture();
    const wrong = (range: object) =>
      jsonl.replace(/"source_turn_range":\{[^}]*\}/, `"source_turn_range":${JSON.stringify(range)}`);
    for (const range of [
      { start_sequence: 5, end_sequence: 9_999 },
      { start_sequence: 9, end_sequence: 5 },
      { start_sequence: 0, end_sequence: 5 },
    ]) {
      await expect(imported(fixture, wrong(range))).rejects.toMatchObject({ code: 'import_invalid' });
    }
  });

  it('S11: of a session that is another one here is refused by the turn where they part', async () => {
    const original = await openEngineFixture();
    await logSteps(original).commit('a', exchange(1));
    await logSteps(original).commit('b', exchange(2));
    const jsonl = await exported(original);
    const here = await openEngineFixture();
    await logSteps(here).commit('a', exchange(1));
    await logSteps(here).commit('c', exchange(3));
    await expect(imported(here, jsonl)).rejects.toMatchObject({ code: 'import_invalid', details: { sequence: 3 } });
    expect(await logSteps(here).messages()).toEqual([...exchange(1), ...exchange(3)]);
  });

  it('S76: of a session that was reset here since is refused: what was said before does not come after', async () => {
    const original = await openEngineFixture();
    await logSteps(original).commit('a', exchange(1));
    await logSteps(original).commit('b', exchange(2));
    const jsonl = await exported(original);
    const here = await openEngineFixture();
    await logSteps(here).commit('a', exchange(1));
    await logSteps(here).end('reset');
    await expect(imported(here, jsonl)).rejects.toMatchObject({ code: 'import_invalid', details: { sequence: 3 } });
  });

  it('whose advancement is stored with other messages is refused', async () => {
    const all = await lines();
    const here = await openEngineFixture();
    await logSteps(here).commit('a', exchange(1));
    const jsonl = changed(all, 5, { payload_hash: 'f'.repeat(64) })
      .map((fields) => JSON.stringify(fields))
      .join('\n');
    await expect(imported(here, jsonl)).rejects.toMatchObject({ code: 'advancement_conflict' });
    expect(await logSteps(here).messages()).toEqual([...exchange(1)]);
  });
});
