import { describe, expect, it } from 'vitest';
import { checkpointUri, sessionUri, turnUri } from '../../../src-shared/model/uri.ts';
import { commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture, type SentInput } from '../testing/engine-fixture.ts';
import { assistantMessage, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const topics = [
  'the database index is slow',
  'deploy to production',
  '数据库设计评审',
  'paint the shed',
  'release Kingfisher',
];

async function talked(): Promise<{ fixture: EngineFixture; uid: string }> {
  const fixture = await openEngineFixture();
  for (let number = 1; number <= 30; number += 1) {
    await commit(fixture, [
      userMessage(`${number}: ${topics[number % topics.length] ?? ''}`, number * 10),
      assistantMessage(`answer ${number} ${'and so on '.repeat(20)}`, number * 10 + 1),
    ]);
  }
  const { items } = await fixture.send('sessions', {});
  return { fixture, uid: items[0]?.session_uid ?? '' };
}

function expand(fixture: EngineFixture, body: NonNullable<SentInput<'memoryExpand'>['body']>) {
  return fixture.send('memoryExpand', { body });
}

describe('memory_expand', () => {
  it('leads from a checkpoint to exactly the turns that it stands for', async () => {
    const { fixture, uid } = await talked();
    const compacted = await fixture.send('compact', { body: { ...mainSession, force: true } });
    const uri = checkpointUri('default', uid, compacted.checkpoint_id ?? '');
    const { items } = await fixture.send('sessionCheckpoints', { params: { id: uid } });
    const range = items[0]?.source_turn_range;
    const reply = await expand(fixture, { uri, limit: 100 });
    expect(reply.archive_uri).toBe(uri);
    expect(reply.turns.map((turn) => turn.sequence)).toEqual(
      Array.from({ length: range?.end_sequence ?? 0 }, (_, index) => index + 1),
    );
    expect(reply.total).toBe(range?.end_sequence);
    expect(reply.next_sequence).toBeUndefined();
  });

  it('gives six turns where no limit is named, and says where to go on', async () => {
    const { fixture, uid } = await talked();
    const uri = sessionUri('default', uid);
    const first = await expand(fixture, { uri });
    expect(first.turns.map((turn) => turn.sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(first).toMatchObject({ next_sequence: 7, total: 60 });
    const second = await expand(fixture, { uri, limit: 2, from_sequence: first.next_sequence });
    expect(second.turns.map((turn) => turn.sequence)).toEqual([7, 8]);
  });

  it.each([undefined, 'answer'])('page after page comes to an end, with every turn once; query %j', async (query) => {
    const { fixture, uid } = await talked();
    const seen: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await expand(fixture, { uri: sessionUri('default', uid), query, limit: 7, cursor });
      expect(page.turns.length).toBeLessThanOrEqual(7);
      seen.push(...page.turns.map((turn) => turn.sequence));
      cursor = page.next_cursor;
      // What is said in the meantime comes with the next question.
      await commit(fixture, [userMessage(`and another answer, please ${seen.length}`, 5_000 + seen.length)]);
    } while (cursor !== undefined);
    const all = query === undefined ? Array.from({ length: 60 }, (_, index) => index + 1) : undefined;
    expect(seen).toEqual(all ?? Array.from({ length: 30 }, (_, index) => 2 * index + 2));
  });

  it('the pages are as large as max_tokens allows', async () => {
    const { fixture, uid } = await talked();
    const uri = sessionUri('default', uid);
    const small = await expand(fixture, { uri, limit: 100, max_tokens: 300 });
    expect(small.tokens).toBeLessThanOrEqual(300);
    expect(small.turns.length).toBeGreaterThan(2);
    expect(small.turns.length).toBeLessThan(20);
    const large = await expand(fixture, { uri, limit: 100, max_tokens: 2_000 });
    expect(large.tokens).toBeGreaterThan(1_000);
    expect(large.turns.length).toBeGreaterThan(small.turns.length);
  });

  it.each([
    ['another query', { query: 'database' }],
    ['another uri', { uri: 'strata://session/default/other' }],
    ['no cursor at all', { cursor: 'next please' }],
    ['a cursor of somebody’s own making', { cursor: Buffer.from('{"given":3}').toString('base64url') }],
  ])('refuses a cursor with %s, and says what to do', async (_, change) => {
    const { fixture, uid } = await talked();
    const uri = sessionUri('default', uid);
    const { next_cursor: cursor } = await expand(fixture, { uri, query: 'answer' });
    const failure = await expand(fixture, { uri, query: 'answer', cursor, ...change }).catch((error: unknown) => error);
    expect((failure as { code: string }).code).toMatch(/invalid_request|unknown_uri/);
    expect((failure as Error).message).toMatch(/Leave it out|Give a strata/);
  });

  it('puts the best matches first: more of the words, and rarer ones', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, [
      userMessage('we talked about the port', 1),
      userMessage('the port of the staging server', 2),
      userMessage('the port, the port, and again the port', 3),
      userMessage('staging server listens on port 8443', 4),
      userMessage('lunch', 5),
    ]);
    const { items } = await fixture.send('sessions', {});
    const uri = sessionUri('default', items[0]?.session_uid ?? '');
    const reply = await expand(fixture, { uri, query: 'On which port does the staging server listen? 8443' });
    expect(reply.turns.map((turn) => turn.sequence)).toEqual([4, 2, 3, 1]);
  });

  it.each([
    ['database', [9, 19, 29, 39, 49, 59]],
    ['What about DEPLOY?', [1, 11, 21, 31, 41, 51]],
    ['数据库', [3, 13, 23, 33, 43, 53]],
    ['库设计评', [3, 13, 23, 33, 43, 53]],
    ['评', [3, 13, 23, 33, 43, 53]],
    ['nothing like it', []],
    ['?', []],
  ])('finds the turns about %j', async (query, sequences) => {
    const { fixture, uid } = await talked();
    const reply = await expand(fixture, { uri: sessionUri('default', uid), query, limit: 6 });
    expect(reply.turns.map((turn) => turn.sequence)).toEqual(sequences);
  });

  it('a turn that is asked for by its own address comes whole, page by page, a tool result too', async () => {
    const fixture = await openEngineFixture();
    const long = `${'row '.repeat(5_000)}the needle ${'row '.repeat(5_000)}`;
    await commit(fixture, [userMessage('look', 1), toolCallMessage('a', 2), toolResultMessage('a', long, 3)]);
    const { items } = await fixture.send('sessions', {});
    const uid = items[0]?.session_uid ?? '';
    const found = await expand(fixture, { uri: sessionUri('default', uid), query: 'needle' });
    expect(found.turns).toMatchObject([{ sequence: 3, role: 'tool', truncated: true }]);
    expect(found.turns[0]?.text).toContain('the needle');
    expect(found.turns[0]?.text.length).toBeLessThanOrEqual(2_000);
    expect(found.read_uris).toEqual([turnUri('default', uid, 3)]);
    const uri = found.read_uris[0] ?? '';
    const whole = await expand(fixture, { uri, max_tokens: 50_000 });
    expect(whole.turns[0]).toMatchObject({ text: long, truncated: false });
    expect(whole.next_cursor).toBeUndefined();
    let read = '';
    let cursor: string | undefined;
    do {
      const page = await expand(fixture, { uri, cursor });
      expect(page.turns[0]?.text.length).toBeLessThanOrEqual(12_000);
      read += page.turns[0]?.text ?? '';
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(read).toBe(long);
    const part = await expand(fixture, { uri, query: 'needle' });
    expect(part.turns[0]?.text).toMatch(/^\[lines 1-1\]\n.*the needle/);
    expect(await expand(fixture, { uri, query: 'haystack' })).toMatchObject({ turns: [], total: 1 });
    const call = await expand(fixture, { uri: turnUri('default', uid, 2) });
    expect(call.turns[0]?.text).toBe('read {"path":"README.md"}');
  });

  it('H20: what was said before a reset is found by it, though never sent', async () => {
    const { fixture, uid } = await talked();
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    const reply = await expand(fixture, { uri: sessionUri('default', uid), query: 'Kingfisher', limit: 1 });
    expect(reply.turns[0]?.text).toContain('Kingfisher');
  });

  it('another user’s session is answered like one that is not there', async () => {
    const { fixture, uid } = await talked();
    const { session_uid: theirs } = await storeFor(fixture, 'bob');
    const messages = await Promise.all(
      [
        { uri: sessionUri('bob', theirs) },
        { uri: sessionUri('default', theirs) },
        { uri: sessionUri('default', uid), user_id: 'bob' },
        { uri: turnUri('bob', theirs, 1) },
        { uri: sessionUri('default', 'no-such-session') },
      ].map((body) => expand(fixture, body).catch((error: unknown) => error)),
    );
    for (const error of messages)
      expect(error).toMatchObject({
        code: 'unknown_uri',
        message: expect.stringContaining('There is nothing at') as string,
      });
    expect((await expand(fixture, { uri: sessionUri('bob', theirs), user_id: 'bob' })).turns).toHaveLength(1);
  });

  it('a checkpoint opens nothing but its own session', async () => {
    const { fixture } = await talked();
    const { session_uid: other } = await storeFor(fixture, 'default', 'second');
    const { checkpoint_id: id } = await fixture.send('compact', { body: { ...mainSession, force: true } });
    await expect(expand(fixture, { uri: checkpointUri('default', other, id ?? '') })).rejects.toMatchObject({
      code: 'unknown_uri',
    });
  });

  it('a host’s own session id stands for a session only where it names one', async () => {
    const fixture = await openEngineFixture();
    await storeFor(fixture, 'default', 'shared', 'agent:a:main');
    expect((await expand(fixture, { uri: sessionUri('default', 'shared') })).turns).toHaveLength(1);
    await storeFor(fixture, 'default', 'shared', 'agent:b:main');
    await expect(expand(fixture, { uri: sessionUri('default', 'shared') })).rejects.toMatchObject({
      code: 'unknown_uri',
    });
  });

  it.each([
    'https://example.com/',
    'strata://',
    'strata://session',
    'strata://session/default',
    'strata://session/default/x/turn/0',
    'strata://session/default/x/turn/-1',
    'strata://session/default/x/turn/1/2',
    'strata://session/default/x/turn/1e3',
    'strata://session/default/x/memories/y',
    'strata://session/%E0%A4%A/x',
    `strata://session/default/${'%2e%2e%2f'.repeat(400)}\u0000`,
  ])('refuses the address %j', async (uri) => {
    const { fixture } = await talked();
    await expect(expand(fixture, { uri })).rejects.toMatchObject({
      code: expect.stringMatching(/invalid_request|unknown_uri/) as string,
    });
  });

  it.each([61, 999_999_999_999_999])('there is no turn %i', async (sequence) => {
    const { fixture, uid } = await talked();
    await expect(expand(fixture, { uri: turnUri('default', uid, sequence) })).rejects.toMatchObject({
      code: 'unknown_uri',
    });
    expect(await expand(fixture, { uri: sessionUri('default', uid), from_sequence: sequence })).toMatchObject({
      turns: [],
      total: 60,
    });
  });
});

async function storeFor(
  fixture: EngineFixture,
  user_id: string,
  session_id = 's2',
  session_key = `agent:main:${user_id}-${session_id}`,
) {
  await commit(fixture, [userMessage('secret', 1)], { user_id, session_id, session_key });
  const { items } = await fixture.send('sessions', { query: { session_key } });
  return { session_uid: items[0]?.session_uid ?? '' };
}
