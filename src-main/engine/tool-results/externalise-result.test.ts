import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolResultUri } from '../../../src-shared/model/uri.ts';
import { sha256 } from '../hash.ts';
import { openEngineFixture, type EngineFixture, type SentInput } from '../testing/engine-fixture.ts';
import { mainSession, toolResultMessage } from '../testing/messages.ts';

const large = Array.from({ length: 2_000 }, (_, at) => `row ${at} of the report`).join('\n');
const hashOf = (text: string) => sha256(JSON.stringify([{ type: 'text', text }]));

function put(fixture: EngineFixture, text: string, body: Partial<NonNullable<SentInput<'toolResult'>['body']>> = {}) {
  return fixture.send('toolResult', {
    body: {
      ...mainSession,
      tool_name: 'read',
      tool_call_id: 'a',
      message: toolResultMessage('a', text, 1),
      ...body,
    },
  });
}

describe('POST /v1/tool-result', () => {
  it('stores a large result whole, once, and answers a synopsis that says where it is', async () => {
    const fixture = await openEngineFixture();
    const first = await put(fixture, large);
    const uri = toolResultUri(hashOf(large));
    expect(first).toMatchObject({ externalised: true, uri, characters: large.length, counter: 'tokenizer' });
    expect(first.replacement).toContain(uri);
    expect(first.replacement).toContain('memory_expand');
    expect(first.replacement?.length).toBeLessThan(2_400);
    expect((await fixture.store.readBodies([hashOf(large)])).get(hashOf(large))).toBe(
      JSON.stringify([{ type: 'text', text: large }]),
    );
    expect(await put(fixture, large)).toEqual(first);
    await fixture.reopen();
    expect(await put(fixture, large)).toEqual(first);
  });

  it('S01: what was acknowledged is there after the process ended, and never pruned', async () => {
    const fixture = await openEngineFixture();
    await put(fixture, large);
    await fixture.reopen();
    await fixture.store.pruneCalls(0);
    expect((await fixture.store.readBodies([hashOf(large)])).size).toBe(1);
    expect(await fixture.store.findToolResult(hashOf(large), 'default')).toMatchObject({
      sessionKey: mainSession.session_key,
      toolName: 'read',
      toolCallId: 'a',
    });
    expect(await fixture.store.findToolResult(hashOf(large), 'bob')).toBeUndefined();
  });

  it.each([
    ['below_threshold', 'x'.repeat(8_000), {}],
    ['error_result', large, { message: { ...toolResultMessage('a', large, 1), isError: true } }],
    ['expand_result', large, { tool_name: 'memory_expand' }],
  ])('leaves a result as it is: %s', async (reason, text, body) => {
    const fixture = await openEngineFixture();
    expect(await put(fixture, text, body)).toMatchObject({ externalised: false, reason });
    expect(await fixture.store.findToolResult(hashOf(text), 'default')).toBeUndefined();
  });

  it('stores whatever the caller has replaced already, under whatever limits', async () => {
    const fixture = await openEngineFixture();
    expect(await put(fixture, 'short', { replaced: true })).toMatchObject({ externalised: true });
    expect(await fixture.store.findToolResult(hashOf('short'), 'default')).toBeDefined();
  });

  it('takes its limits from tool_results.threshold_characters and tool_results.synopsis_characters', async () => {
    const config = { tool_results: { threshold_characters: 1_000, synopsis_characters: 300 } };
    const fixture = await openEngineFixture({ config });
    const text = 'The whole story. '.repeat(60);
    const reply = await put(fixture, text);
    expect(reply.externalised).toBe(true);
    expect(reply.replacement?.split('Synopsis: ')[1]?.length).toBeLessThanOrEqual(300);
    expect(await put(fixture, 'y'.repeat(1_000))).toMatchObject({ externalised: false });
  });

  it('base64 of an image lies in the database as bytes, and comes back as it was', async () => {
    const fixture = await openEngineFixture();
    const data = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 251)).toString('base64');
    const content = [
      { type: 'text', text: large },
      { type: 'image', mimeType: 'image/png', data },
    ];
    const message = { ...toolResultMessage('a', '', 1), content };
    const { uri } = await put(fixture, '', { message });
    const body = JSON.stringify(content);
    expect(uri).toBe(toolResultUri(sha256(body)));
    expect((await fixture.store.readBodies([sha256(body)])).get(sha256(body))).toBe(body);
    await fixture.close();
    expect(readFileSync(join(fixture.dataDir, 'strata.db')).includes(data.slice(2_000, 2_200))).toBe(false);
    await fixture.reopen();
  });

  it('keeps NUL, lone surrogates and ten million characters exactly', async () => {
    const fixture = await openEngineFixture();
    for (const text of [`\u0000\ud800${'z'.repeat(20_000)}`, '日志 line\n'.repeat(1_250_000)]) {
      const { uri, counter } = await put(fixture, text);
      const stored = (await fixture.store.readBodies([hashOf(text)])).get(hashOf(text)) ?? '';
      expect(uri).toBe(toolResultUri(hashOf(text)));
      expect((JSON.parse(stored) as { text: string }[])[0]?.text === text).toBe(true);
      expect(counter).toBe(text.length > 1_000_000 ? 'characters' : 'tokenizer');
    }
  });
});
