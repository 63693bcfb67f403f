import { describe, expect, it } from 'vitest';
import { checkpointUri, sessionUri, toolResultUri, turnUri } from '../../../src-shared/model/uri.ts';
import { commit } from '../assemble/testing/assemble-session.ts';
import { openEngineFixture, type EngineFixture, type SentInput } from '../testing/engine-fixture.ts';
import { mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

type Body = Omit<NonNullable<SentInput<'memoryExpand'>['body']>, 'uri'>;

const rows = Array.from({ length: 3_000 }, (_, at) =>
  at === 1_234 ? 'row 1234: 付款失败,错误码 E-7788' : `row ${at}: nothing of note, all is well`,
);
const text = rows.join('\n');

async function stored(content: string | readonly unknown[] = text, body: Record<string, unknown> = {}) {
  const fixture = await openEngineFixture();
  const message = {
    ...toolResultMessage('a', '', 1),
    content: typeof content === 'string' ? [{ type: 'text', text: content }] : content,
  };
  const reply = await fixture.send('toolResult', {
    body: { ...mainSession, tool_name: 'fetch', tool_call_id: 'a', message, replaced: true, ...body },
  });
  const uri = reply.uri ?? '';
  return { fixture, uri, replacement: reply.replacement ?? '', ask: (more: Body = {}) => expand(fixture, uri, more) };
}

function expand(fixture: EngineFixture, uri: string, more: Body = {}) {
  return fixture.send('memoryExpand', { body: { uri, ...more } });
}

describe('memory_expand on a large tool result', () => {
  it('says what it is, and reads it page by page until its end, nothing lost', async () => {
    const { ask } = await stored();
    const first = await ask();
    expect(first.result).toMatchObject({ tool_name: 'fetch', characters: text.length, lines: 3_000, images: 0 });
    expect(first.passages).toHaveLength(1);
    expect(first.passages[0]).toMatchObject({ start_line: 1, start_character: 1 });
    let read = '';
    let cursor: string | undefined;
    do {
      const page = await ask({ cursor, max_tokens: 5_000 });
      expect(page.tokens).toBeLessThanOrEqual(5_000);
      read += page.passages.map((passage) => passage.text).join('');
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(read === text).toBe(true);
  });

  it.each([
    ['lines 1235-1236', rows.slice(1_234, 1_236).join('\n') + '\n', 1_235, 1_236],
    ['lines 2999-9999', rows.slice(2_998).join('\n'), 2_999, 3_000],
    ['characters 1-5', 'row 0', 1, 1],
  ])('reads the range %s', async (range, expected, start, end) => {
    const { passages, next_cursor } = await (await stored()).ask({ range });
    expect(passages).toMatchObject([{ text: expected, start_line: start, end_line: end }]);
    expect(next_cursor).toBeUndefined();
  });

  it('goes on in a range that does not fit one answer, and stops at its end', async () => {
    const { ask } = await stored();
    const range = 'lines 100-900';
    let read = '';
    let cursor: string | undefined;
    do {
      const page = await ask({ range, cursor });
      read += page.passages.map((passage) => passage.text).join('');
      cursor = page.next_cursor;
    } while (cursor !== undefined);
    expect(read).toBe(rows.slice(99, 900).join('\n') + '\n');
  });

  it.each(['E-7788', '付款失败', '错误码是什么', 'why did the payment fail? 错误码 E-7788'])(
    'finds %j in it',
    async (query) => {
      const { ask } = await stored();
      const { passages } = await ask({ query });
      expect(passages[0]?.text).toContain(rows[1_234]);
      expect(passages[0]?.start_line).toBeLessThanOrEqual(1_235);
      expect(passages[0]?.end_line).toBeGreaterThanOrEqual(1_235);
    },
  );

  it('gives as many passages as the limit says, and the others page by page', async () => {
    const { ask } = await stored();
    const seen = new Set<number>();
    let cursor: string | undefined;
    let pages = 0;
    do {
      const page = await ask({ query: 'note', limit: 50, max_tokens: 50_000, cursor });
      expect(page.passages.length).toBeLessThanOrEqual(50);
      for (const passage of page.passages) seen.add(passage.start_line);
      cursor = page.next_cursor;
      pages += 1;
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(1);
    expect([...seen].sort((a, b) => a - b)[0]).toBe(1);
    expect(seen.size).toBeGreaterThan(80);
  });

  it.each([
    ['lines 3001-3002', {}],
    ['lines 5-2', {}],
    ['characters 9999999-9999999', {}],
  ])('refuses the range %s, and says what there is', async (range) => {
    await expect((await stored()).ask({ range })).rejects.toMatchObject({
      code: 'invalid_request',
      message: expect.stringMatching(/within the \d+ (lines|characters)/) as string,
    });
  });

  it('never halves an emoji, and takes one line of a million characters', async () => {
    const { ask } = await stored('😀'.repeat(500_000));
    let cursor: string | undefined;
    for (let page = 0; page < 4; page += 1) {
      const reply = await ask({ cursor });
      expect(reply.passages[0]?.text.length).toBeGreaterThan(100);
      expect(reply.passages[0]?.text).not.toContain('\ufffd');
      cursor = reply.next_cursor;
    }
    expect(cursor).toBeDefined();
  });

  it('counts images, and has nothing to show of a result without text', async () => {
    const { ask } = await stored([{ type: 'image', mimeType: 'image/png', data: 'AAAA' }]);
    expect(await ask()).toMatchObject({ result: { images: 1, characters: 0 }, passages: [], total: 0 });
  });

  it('is led to by the turn that names it, and by the session’s turns', async () => {
    const { fixture, uri, replacement } = await stored();
    await commit(fixture, [userMessage('look', 1), toolCallMessage('a', 2), toolResultMessage('a', replacement, 3)]);
    const { items } = await fixture.send('sessions', {});
    const uid = items[0]?.session_uid ?? '';
    expect((await expand(fixture, turnUri('default', uid, 3))).read_uris).toEqual([uri]);
    expect((await expand(fixture, sessionUri('default', uid), { query: 'nothing of note' })).read_uris).toContain(uri);
  });

  it('another user’s result is answered like one that is not there', async () => {
    const { fixture, uri } = await stored(text, { user_id: 'bob' });
    for (const more of [{}, { user_id: 'eve' }]) {
      await expect(expand(fixture, uri, more)).rejects.toMatchObject({
        code: 'unknown_uri',
        message: expect.stringContaining('Give a strata:// uri') as string,
      });
    }
    expect((await expand(fixture, uri, { user_id: 'bob' })).passages).toHaveLength(1);
    await expect(expand(fixture, toolResultUri('0'.repeat(64)))).rejects.toMatchObject({ code: 'unknown_uri' });
  });

  it('a range is refused where there is more than one text', async () => {
    const { fixture } = await stored();
    await commit(fixture, [userMessage('hello', 1)]);
    const { items } = await fixture.send('sessions', {});
    await expect(
      expand(fixture, sessionUri('default', items[0]?.session_uid ?? ''), { range: 'lines 1-2' }),
    ).rejects.toMatchObject({ code: 'invalid_request', message: expect.stringContaining('read_uris') as string });
  });
});

describe('memory_expand on a checkpoint that was condensed from others', () => {
  it('lists its parts, each of which can be expanded, once and not on every page', async () => {
    const fixture = await openEngineFixture();
    for (let number = 1; number <= 30; number += 1) {
      await commit(fixture, [userMessage(`question ${number} ${'and so on '.repeat(30)}`, number)]);
    }
    const { items } = await fixture.send('sessions', {});
    const uid = items[0]?.session_uid ?? '';
    const { checkpoint_id: first = '' } = await fixture.send('compact', { body: { ...mainSession, force: true } });
    const part = await fixture.store.findCheckpoint(first);
    if (!part) throw new Error('nothing was compacted');
    const made = { ...part.checkpoint, checkpoint_id: 'ckpt_higher', parent_checkpoint_ids: [first, 'ckpt_gone'] };
    await fixture.store.addCheckpoint(made, uid, { ids: [first], as: 'folded', at: 1 });
    const reply = await expand(fixture, checkpointUri('default', uid, 'ckpt_higher'), { limit: 2 });
    const uri = checkpointUri('default', uid, first);
    expect(reply.parts).toMatchObject([{ uri, start_sequence: 1, abstract: part.checkpoint.abstract }]);
    expect(reply.archive_uris).toEqual([checkpointUri('default', uid, 'ckpt_higher'), uri]);
    expect(reply.turns.map((turn) => turn.sequence)).toEqual([1, 2]);
    const next = await expand(fixture, checkpointUri('default', uid, 'ckpt_higher'), {
      limit: 2,
      cursor: reply.next_cursor,
    });
    expect(next).toMatchObject({ parts: [], turns: [{ sequence: 3 }, { sequence: 4 }] });
    expect((await expand(fixture, uri)).turns[0]?.sequence).toBe(1);
    expect((await expand(fixture, sessionUri('default', uid))).archive_uris).toContain(
      checkpointUri('default', uid, 'ckpt_higher'),
    );
  });
});
