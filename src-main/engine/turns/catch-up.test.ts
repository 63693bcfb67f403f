import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { assistantMessage, conversation, exchange, userMessage } from '../testing/messages.ts';

async function opened() {
  const fixture = await openEngineFixture();
  return { fixture, log: logSteps(fixture) };
}

const ids = (messages: readonly unknown[]): string[] => messages.map((_, index) => `entry-${index}`);
const said = (role: string, content: string): HostMessage => ({ role, content });
const openai = { format: 'openai' };

describe('bootstrap', () => {
  it('opens the session and answers what it knows, also when there is nothing to take in', async () => {
    const { log } = await opened();
    expect(await log.bootstrap([])).toEqual({
      imported: 0,
      skipped: 0,
      turn_ids: [],
      cursor: undefined,
      session_uid: 'sess_1',
      epoch: 0,
      last_sequence: 0,
    });
  });

  it('S08: takes in nothing the second time, also after a restart', async () => {
    const { fixture, log } = await opened();
    const transcript = conversation(200);
    const first = await log.bootstrap(transcript, { entry_ids: ids(transcript), cursor: 'c1' });
    expect(first).toMatchObject({ imported: 400, skipped: 0, cursor: 'c1', last_sequence: 400 });
    const tokens = (await log.find())?.epoch_tokens;
    await fixture.reopen();
    const second = await log.bootstrap(transcript, { entry_ids: ids(transcript), cursor: 'c1' });
    expect(second).toMatchObject({ imported: 0, skipped: 400, last_sequence: 400, session_uid: first.session_uid });
    expect((await log.find())?.epoch_tokens).toBe(tokens);
  });

  it('S08: two at once, as when a client repeats a slow request, take in everything once', async () => {
    const { log } = await opened();
    const transcript = Array.from({ length: 40 }, (_, index) => said(index % 2 === 0 ? 'user' : 'assistant', 'yes'));
    const replies = await Promise.all([log.bootstrap(transcript, openai), log.bootstrap(transcript, openai)]);
    expect(replies.map((reply) => reply.imported)).toEqual([40, 0]);
    expect(await log.messages()).toEqual(transcript);
  });

  it('S09: without the cursor the whole transcript is read again, and nothing is stored twice', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(20), { cursor: 'c1' });
    await log.bootstrap(conversation(21), { transcript: 'missing' });
    expect(await log.messages()).toEqual(conversation(21));
  });

  it('S10: a transcript that was rewritten, with other entry ids, adds nothing after a restart', async () => {
    const { fixture, log } = await opened();
    const transcript = conversation(20);
    await log.bootstrap(transcript, { entry_ids: ids(transcript), cursor: 'c1' });
    await fixture.reopen();
    const rewritten = transcript.slice(10).map((message) => ({ ...message, usage: { totalTokens: 0 } }));
    const reply = await log.bootstrap(rewritten, {
      entry_ids: rewritten.map((_, index) => `other-${index}`),
      transcript: 'reset',
      cursor: 'c2',
    });
    expect(reply).toMatchObject({ imported: 0, skipped: 30, epoch: 0, cursor: 'c2' });
  });

  it('S12: takes in what an earlier call left out, between turns that are stored', async () => {
    const { log } = await opened();
    await log.commit('a', exchange(1));
    const announced = assistantMessage('The sub-agent is done.', 15);
    await log.bootstrap([...exchange(1), announced]);
    await log.commit('b', exchange(2));
    expect(await log.messages()).toEqual([...exchange(1), announced, ...exchange(2)]);
  });

  it('S07: knows what was committed, and a commit knows what bootstrap took in', async () => {
    const { log } = await opened();
    await log.commit('a', exchange(1));
    expect(await log.bootstrap(conversation(2), { entry_ids: ['e1', 'e2', 'e3', 'e4'] })).toMatchObject({
      imported: 2,
      skipped: 2,
    });
    expect((await log.commit('b', exchange(2))).stored).toBe(0);
    expect((await log.records()).map((record) => record.entry_id)).toEqual([undefined, undefined, 'e3', 'e4']);
  });

  it('S22: is bounded by its caller, who says so: an alarm stands until the rest was taken in', async () => {
    const { fixture, log } = await opened();
    const codes = async () => (await fixture.send('health', {})).alarms.map((alarm) => alarm.code);
    await log.bootstrap(conversation(10), { complete: false, cursor: 'c1' });
    expect(await codes()).toEqual(['catch_up_incomplete']);
    await log.bootstrap(conversation(20).slice(20), { complete: true, cursor: 'c2' });
    expect(await codes()).toEqual([]);
    expect(await log.messages()).toEqual(conversation(20));
  });

  it('S22: goes on however large the gap is', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(2));
    // Nothing of this page is known, so nothing anchors it; it is taken in all the same.
    await log.bootstrap(conversation(3_000).slice(1_000));
    expect((await log.find())?.turn_count).toBe(5_004);
  });

  it('S35, H04: tells messages by what they are, not by their position in a list', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(5));
    await log.bootstrap([...conversation(6)].reverse());
    expect((await log.find())?.turn_count).toBe(12);
  });

  it('S47: stores messages of roles that it does not know, and refuses entries that are no messages by position', async () => {
    const { log } = await opened();
    const marker = { role: 'openclaw.cache-ttl', data: { until: 5 }, timestamp: 5 };
    await log.bootstrap([...exchange(1), marker, ...exchange(2)]);
    expect((await log.records()).map(({ turn }) => turn.role)).toEqual([
      'user',
      'assistant',
      'system',
      'user',
      'assistant',
    ]);
    await expect(log.bootstrap([...exchange(1), { type: 'custom' }])).rejects.toMatchObject({ details: { index: 2 } });
  });

  it('refuses entry ids that do not belong to the messages, before anything changes', async () => {
    const { log } = await opened();
    await log.bootstrap(conversation(2), { cursor: 'c1' });
    const before = await log.find();
    const wrong = { entry_ids: ['e1'], transcript: 'reset', cursor: 'c2' };
    await expect(log.bootstrap(exchange(9), wrong)).rejects.toMatchObject({ code: 'invalid_request' });
    expect(await log.find()).toEqual(before);
    expect((await log.bootstrap([])).cursor).toBe('c1');
  });

  it('remembers the cursor, also of a page without messages', async () => {
    const { fixture, log } = await opened();
    await log.bootstrap([], { cursor: 'c1' });
    await fixture.reopen();
    expect((await log.bootstrap([])).cursor).toBe('c1');
    expect((await log.ingest([], { cursor: 'c2' })).cursor).toBe('c2');
  });

  describe('of a list without times and ids', () => {
    it('S08: takes in only what follows the stored turns', async () => {
      const { log } = await opened();
      const first = [said('user', 'yes'), said('assistant', 'ok'), said('user', 'yes'), said('assistant', 'ok')];
      await log.bootstrap(first, openai);
      expect(await log.bootstrap(first, openai)).toMatchObject({ imported: 0, skipped: 4 });
      const longer = [...first, said('user', 'yes'), said('assistant', 'ok')];
      expect(await log.bootstrap(longer, openai)).toMatchObject({ imported: 2, skipped: 4 });
      expect(await log.messages()).toEqual(longer);
    });

    it('takes a list whose start its client has dropped for what it is', async () => {
      const { log } = await opened();
      const long = Array.from({ length: 30 }, (_, index) => said('user', `message ${index}`));
      await log.bootstrap(long, openai);
      await log.bootstrap([...long.slice(20), said('user', 'new')], openai);
      expect(await log.messages()).toEqual([...long, said('user', 'new')]);
    });

    it('S08: a system prompt that changes with the time of day does not bring the whole list again', async () => {
      const { log } = await opened();
      const list = [said('user', 'a'), said('assistant', 'b')];
      await log.bootstrap([said('system', 'It is 9:00.'), ...list], openai);
      const later = [said('system', 'It is 9:05.'), ...list, said('user', 'c')];
      expect(await log.bootstrap(later, openai)).toMatchObject({ imported: 2, skipped: 2 });
      expect(await log.bootstrap(later, openai)).toMatchObject({ imported: 0, skipped: 4 });
      expect((await log.messages()).map(({ content }) => content)).toEqual([
        'It is 9:00.',
        'a',
        'b',
        'It is 9:05.',
        'c',
      ]);
    });

    it('recognises by place also where only some messages have times', async () => {
      const { log } = await opened();
      const list = [userMessage('a', 1), said('assistant', 'b'), userMessage('c', 2), said('assistant', 'b')];
      await log.bootstrap(list);
      expect(await log.bootstrap(list)).toMatchObject({ imported: 0, skipped: 4 });
    });

    it('keeps the log equal to the list that grows, whatever its messages are', async () => {
      const { fixture } = await opened();
      const message = fc.record({ role: fc.constantFrom('user', 'assistant'), content: fc.constantFrom('yes', 'no') });
      let number = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(message, { maxLength: 12 }),
          fc.array(fc.nat(12), { maxLength: 4 }),
          async (list, lengths) => {
            number += 1;
            const log = logSteps(fixture, { session_id: `grown-${number}`, session_key: '' });
            for (const length of [...lengths].sort((a, b) => a - b)) await log.bootstrap(list.slice(0, length), openai);
            await log.bootstrap(list, openai);
            expect(await log.messages()).toEqual(list);
          },
        ),
        { numRuns: 30 },
      );
    });
  });
});

describe('ingest', () => {
  it('stores messages one by one or many at once, and skips what is known', async () => {
    const { log } = await opened();
    const [question, answer] = exchange(1);
    expect(await log.ingest([question])).toEqual({ imported: 1, skipped: 0, turn_ids: ['turn_1'], cursor: undefined });
    expect(await log.ingest([question, answer])).toMatchObject({ imported: 1, skipped: 1 });
    expect(await log.messages()).toEqual(exchange(1));
  });

  it('knows entries of the host again by their ids where messages have no time', async () => {
    const { log } = await opened();
    const list = [said('user', 'yes'), said('user', 'yes')];
    await log.ingest(list, { ...openai, entry_ids: ['e1', 'e2'] });
    expect(await log.ingest(list, { ...openai, entry_ids: ['e1', 'e2'] })).toMatchObject({ imported: 0, skipped: 2 });
    expect(await log.messages()).toEqual(list);
  });

  it('takes an entry that comes twice in one delivery for one, and loses none whose id looks like another', async () => {
    const { log } = await opened();
    const list = [said('user', 'a'), said('user', 'a'), said('user', 'b'), said('user', 'c'), said('user', 'd')];
    const reply = await log.ingest(list, { ...openai, entry_ids: ['x', 'x', 'x', 'x#2', '#2:x'] });
    expect(reply).toMatchObject({ imported: 4, skipped: 1 });
    expect((await log.messages()).map(({ content }) => content)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('takes messages without time and id for new each time, since equal texts are not one message', async () => {
    const { log } = await opened();
    await log.ingest([said('user', 'yes')], openai);
    expect(await log.ingest([said('user', 'yes')], openai)).toMatchObject({ imported: 1 });
  });

  it('S37: counts what it stores as a tokenizer does, whatever the language', async () => {
    const { log } = await opened();
    const texts = ['数据库迁移方案', 'データベース', '데이터베이스', '😀👍🏽'];
    await log.ingest(texts.map((text, index) => userMessage(text, index)));
    const exact = await createInlineTokenizer().count(texts);
    expect((await log.records()).map((record) => record.tokens)).toEqual(exact.map((tokens) => tokens + 20));
    expect((await log.find())?.epoch_tokens).toBe(exact.reduce((sum, tokens) => sum + tokens + 20, 0));
  });
});
