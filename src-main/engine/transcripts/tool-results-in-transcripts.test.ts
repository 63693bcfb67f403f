import { describe, expect, it } from 'vitest';
import { toolResultUri } from '../../../src-shared/model/uri.ts';
import { sha256 } from '../hash.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { logSteps } from '../testing/log-steps.ts';
import { exchange, mainSession, toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';

const exported = (fixture: EngineFixture): Promise<string> =>
  fixture.send('exportSession', { params: { id: 'session-1' } });
const imported = (fixture: EngineFixture, jsonl: string) => fixture.send('importSession', { body: { jsonl } });

const rows = (name: string) => Array.from({ length: 2_000 }, (_, at) => `row ${at} of ${name}\u0000\ud800`).join('\n');
const picture = Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * 7919) % 251)).toString('base64');
const pictured = [
  { type: 'text', text: rows('the screen') },
  { type: 'image', mimeType: 'image/png', data: picture },
];

/** Stores a result whole, and answers what stands for it and where it is. */
async function externalised(fixture: EngineFixture, content: readonly unknown[], id: string) {
  const message = { ...toolResultMessage(id, '', 1), content };
  const { uri = '', replacement = '' } = await fixture.send('toolResult', {
    body: { ...mainSession, tool_name: 'fetch', tool_call_id: id, message },
  });
  return { uri, stub: toolResultMessage(id, replacement, Number(id) * 10 + 2) };
}

/** A session of two turns with a large result each, the second with an image; a third result is of no turn. */
async function withResults(): Promise<{ readonly fixture: EngineFixture; readonly uris: readonly string[] }> {
  const fixture = await openEngineFixture();
  const uris: string[] = [];
  for (const [id, content] of [
    ['1', [{ type: 'text', text: rows('the report') }]],
    ['2', pictured],
  ] as const) {
    const { uri, stub } = await externalised(fixture, content, id);
    uris.push(uri);
    const at = Number(id) * 10;
    await logSteps(fixture).commit(id, [userMessage(`question ${id}`, at), toolCallMessage(id, at + 1), stub]);
  }
  await externalised(fixture, [{ type: 'text', text: rows('another session') }], '3');
  return { fixture, uris };
}

const linesOf = (jsonl: string) =>
  jsonl
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const joined = (lines: readonly Record<string, unknown>[]) => lines.map((line) => JSON.stringify(line)).join('\n');

describe('a transcript of a session with large results that are stored outside the log', () => {
  it('has the wholes that its turns refer to, and no others', async () => {
    const { fixture, uris } = await withResults();
    const results = linesOf(await exported(fixture)).filter(({ type }) => type === 'tool_result');
    expect(results.map((line) => toolResultUri(line['content_hash'] as string))).toEqual(uris);
    expect(results[0]).toMatchObject({ tool_name: 'fetch', tool_call_id: '1', session_id: 'session-1' });
    expect(JSON.stringify(results[1]?.['content']) === JSON.stringify(pictured)).toBe(true);
  });

  it('opens the synopses on a machine that has never seen the session, images included', async () => {
    const { fixture, uris } = await withResults();
    const jsonl = await exported(fixture);
    const copy = await openEngineFixture();
    await imported(copy, jsonl);
    for (const uri of uris) {
      const [here, there] = await Promise.all(
        [fixture, copy].map((one) => one.send('memoryExpand', { body: { uri, range: 'lines 1500-1600' } })),
      );
      expect(there?.passages[0]?.text).toContain('row 1500');
      expect(there).toEqual(here);
    }
    const hash = sha256(JSON.stringify(pictured));
    expect((await copy.store.readBodies([hash])).get(hash) === JSON.stringify(pictured)).toBe(true);
    expect((await exported(copy)) === jsonl).toBe(true);
  });

  it('S08: taken in twice changes nothing the second time', async () => {
    const { fixture } = await withResults();
    const jsonl = await exported(fixture);
    const copy = await openEngineFixture();
    for (const target of [copy, copy, fixture]) await imported(target, jsonl);
    expect((await exported(copy)) === jsonl).toBe(true);
    expect((await exported(fixture)) === jsonl).toBe(true);
  });

  it('has a result that another result refers to', async () => {
    const { fixture, uris } = await withResults();
    const { stub } = await externalised(fixture, [{ type: 'text', text: `${rows('a log')}\nsee ${uris[0]}` }], '4');
    const other = { session_id: 'session-2', session_key: 'agent:main:other' };
    await logSteps(fixture, other).commit('4', [userMessage('q', 40), toolCallMessage('4', 41), stub]);
    const [uid] = (await fixture.store.lookUpSessions('session-2')).map((row) => row.uid);
    const jsonl = await fixture.send('exportSession', { params: { id: uid ?? '' } });
    expect(linesOf(jsonl).filter(({ type }) => type === 'tool_result')).toHaveLength(2);
  });

  it.each([
    ['another content than its hash names', { content: [{ type: 'text', text: 'forged' }] }],
    ['another hash than that of its content', { content_hash: 'f'.repeat(64) }],
    ['a content that is no list', { content: 'text' }],
    ['a hash that is none', { content_hash: 'x' }],
  ])('with %s is refused by line, and nothing changes', async (_, change) => {
    const { fixture } = await withResults();
    const lines = linesOf(await exported(fixture));
    const at = lines.findIndex(({ type }) => type === 'tool_result');
    const jsonl = joined(lines.map((line, index) => (index === at ? { ...line, ...change } : line)));
    const copy = await openEngineFixture();
    await expect(imported(copy, jsonl)).rejects.toMatchObject({ code: 'import_invalid', details: { line: at + 1 } });
    expect((await copy.send('sessions', {})).items).toEqual([]);
    const hash = sha256(JSON.stringify(pictured));
    expect(await copy.store.findToolResult(hash, 'default')).toBeUndefined();
  });

  it('with one result twice is refused', async () => {
    const { fixture } = await withResults();
    const lines = linesOf(await exported(fixture));
    const result = lines.filter(({ type }) => type === 'tool_result').slice(0, 1);
    const copy = await openEngineFixture();
    await expect(imported(copy, joined([...lines, ...result]))).rejects.toMatchObject({ code: 'import_invalid' });
  });

  it('is no worse where a text names a result that nobody has', async () => {
    const fixture = await openEngineFixture();
    await logSteps(fixture).commit('a', [userMessage(`see ${toolResultUri('a'.repeat(64))}`, 1)]);
    const jsonl = await exported(fixture);
    const copy = await openEngineFixture();
    await imported(copy, jsonl);
    expect(await exported(copy)).toBe(jsonl);
  });
});

it('a transcript of version 1, which has no results, is taken in as before', async () => {
  const fixture = await openEngineFixture();
  await logSteps(fixture).commit('a', exchange(1));
  const [header, ...rest] = linesOf(await exported(fixture));
  const copy = await openEngineFixture();
  await imported(copy, joined([{ ...header, version: 1 }, ...rest]));
  expect(await logSteps(copy).messages()).toEqual([...exchange(1)]);
});
