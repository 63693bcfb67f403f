import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { userMessage } from '../testing/messages.ts';

/** As a body arrives: parsed JSON, in which `__proto__` is a field like any other. */
function parsed(json: string): HostMessage {
  return JSON.parse(json) as HostMessage;
}

const odd: Readonly<Record<string, HostMessage>> = {
  'NUL and control characters': { role: 'user', content: 'a\u0000b\u0007', timestamp: 1_000 },
  'lone surrogates': { role: 'user', content: '\ud800 and \udc00', timestamp: 1_000, tag: '\udfff' },
  'a field named __proto__': parsed('{"role":"user","content":"x","timestamp":1,"__proto__":{"role":"assistant"}}'),
  'a role like a method': { role: 'constructor', content: 'x', timestamp: 1_000 },
  'an unknown role': { role: 'moderator', content: 'x', timestamp: 1_000 },
  'unknown parts': { role: 'user', content: [{ type: 'hologram' }, 7, null, 'x', { no: 'type' }], timestamp: 1_000 },
  'no content': { role: 'assistant', timestamp: 1_000 },
  'empty content': { role: 'assistant', content: [], timestamp: 1_000 },
  'content that is an object': { role: 'user', content: { text: 'x' }, timestamp: 1_000 },
  'a call without id, name or arguments': { role: 'assistant', content: [{ type: 'toolCall' }], timestamp: 1_000 },
  'a result for no call': { role: 'toolResult', content: 'x', timestamp: 1_000 },
  'ids that are no texts': { role: 'toolResult', toolCallId: 5, toolName: [], content: [], timestamp: 1_000 },
  'ids with lone surrogates': { role: 'toolResult', toolCallId: '\ud800', content: [], timestamp: 1_000 },
  'a time before 1970': { role: 'user', content: 'x', timestamp: -5 },
  'a time after the year 9999': { role: 'user', content: 'x', timestamp: 1e300 },
  'a time that is a text': { role: 'user', content: 'x', timestamp: 'yesterday' },
  'a number beyond all range': parsed('{"role":"user","content":[{"type":"x","n":1e308}],"timestamp":1}'),
  '200,000 characters': { role: 'user', content: '数据 x\n'.repeat(40_000), timestamp: 1_000 },
  '200,000 characters without a space': { role: 'user', content: 'A'.repeat(200_000), timestamp: 1_000 },
  '200,000 spaces': { role: 'user', content: ' '.repeat(200_000), timestamp: 1_000 },
};

describe('odd messages', () => {
  it.each(Object.entries(odd))(
    'with %s are stored and come back as they were, also as an export',
    async (_, message) => {
      const fixture = await openEngineFixture();
      const log = logSteps(fixture);
      const neighbour = userMessage('An ordinary message.', 60);
      await log.commit('a', [message, neighbour]);
      expect((await log.commit('a', [message, neighbour])).status).toBe('duplicate');
      await fixture.reopen();
      const [first, second] = await log.records();
      expect(JSON.stringify(first?.raw)).toBe(JSON.stringify(message));
      expect(second?.raw).toEqual(neighbour);
      expect(new Date(first?.turn.timestamp ?? '').getTime()).toBeGreaterThan(0);
      expect(await fixture.send('exportSession', { params: { id: 'session-1' } })).toContain(JSON.stringify(message));
    },
  );

  it.each([
    ['no role', { content: 'x' }],
    ['an empty role', { role: '', content: 'x' }],
    ['a role that is no text', { role: ['user'], content: 'x' }],
    ['a role only in its prototype field', parsed('{"content":"x","__proto__":{"role":"user"}}')],
  ])('with %s are refused by position', async (_, message) => {
    const log = logSteps(await openEngineFixture());
    await expect(log.after([userMessage('x', 1), message])).rejects.toMatchObject({
      code: 'invalid_request',
      details: { index: 1 },
    });
  });

  it('that are nested too deeply to be written again are refused, not a crash', async () => {
    const log = logSteps(await openEngineFixture());
    const deep = (levels: number) =>
      parsed(`{"role":"user","content":${'['.repeat(levels)}${']'.repeat(levels)},"timestamp":1}`);
    await log.commit('a', [deep(150)]);
    await expect(log.commit('b', [deep(50_000)])).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('20,000 at once are stored, in order, and known again', async () => {
    const log = logSteps(await openEngineFixture());
    const many = Array.from({ length: 20_000 }, (_, index) => userMessage(`message ${index}`, index));
    expect(await log.ingest(many)).toMatchObject({ imported: 20_000, skipped: 0 });
    expect(await log.ingest(many)).toMatchObject({ imported: 0, skipped: 20_000 });
    expect((await log.messages()).map(({ content }) => content)).toEqual(many.map(({ content }) => content));
  }, 60_000);

  it('more than 20,000 at once are refused', async () => {
    const log = logSteps(await openEngineFixture());
    const many = Array.from({ length: 20_001 }, () => ({ role: 'user', content: 'x' }));
    await expect(Promise.resolve().then(() => log.ingest(many))).rejects.toThrow();
  });

  it('whatever they are, are stored whole or refused whole', async () => {
    const fixture = await openEngineFixture();
    const field = fc.constantFrom('content', 'timestamp', 'toolCallId', 'summary', 'tool_calls', 'x', '__proto__');
    const value = fc.jsonValue({ maxDepth: 3 });
    const message = fc.record({
      role: fc.oneof(fc.constantFrom('user', 'assistant', 'toolResult', 'tool', '__proto__'), fc.jsonValue()),
      fields: fc.array(fc.tuple(field, value), { maxLength: 4 }),
    });
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(message, { minLength: 1, maxLength: 4 }), async (drafts) => {
        number += 1;
        const messages = drafts.map(({ role, fields }) =>
          parsed(
            `{"role":${JSON.stringify(role)}${fields.map(([name, given]) => `,${JSON.stringify(name)}:${JSON.stringify(given)}`).join('')}}`,
          ),
        );
        const log = logSteps(fixture, { session_id: `odd-${number}`, session_key: '' });
        const outcome = await log.commit('a', messages).catch((error: unknown) => error);
        if (outcome instanceof Error) {
          expect(outcome).toMatchObject({ code: 'invalid_request' });
          expect(await log.find()).toBeUndefined();
        } else {
          expect((await log.messages()).map((stored) => JSON.stringify(stored))).toEqual(
            messages.map((sent) => JSON.stringify(sent)),
          );
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('odd names', () => {
  it.each(['\ud800', 'a\u0000b', '../../etc/passwd', "'; DROP TABLE turn; --", '__proto__', '数据'])(
    'of a session, an agent, a user and an advancement are only names: %j',
    async (name) => {
      const fixture = await openEngineFixture();
      const session = { session_id: name, session_key: '', agent_id: name, user_id: name };
      const log = logSteps(fixture, session);
      const message = userMessage('x', 1);
      await log.commit(name, [message]);
      await fixture.reopen();
      const [stored] = (await fixture.send('sessions', {})).items;
      expect(stored).toMatchObject({ session_id: name.toWellFormed(), turn_count: 1 });
      const turns = await fixture.send('sessionTurns', { params: { id: stored?.session_uid ?? '' } });
      expect(turns.items[0]?.uri).toContain(encodeURIComponent(name.toWellFormed()));
      expect((await log.commit(name, [message])).status).toBe('duplicate');
    },
  );
});
