import { expect, it } from 'vitest';
import { openEngineFixture } from '../testing/engine-fixture.ts';

it('H53: what MEMORY.md tells of one user’s and agent’s pages is opened for nobody else', async () => {
  const fixture = await openEngineFixture();
  const save = async (uri: string, title: string) =>
    fixture.send('savePage', { params: { uri }, body: { kind: 'preference', title, truth: 'Green.' } });
  await fixture.send('savePage', {
    params: { uri: 'strata://resources/MEMORY' },
    body: { content: 'A note for all.\n' },
  });
  await save('strata://user/default/memories/preferences/tea', 'Tea');
  await save('strata://agent/writer/memories/preferences/ink', 'Ink](memories/agents/main/preferences/x.md)');
  await save('strata://agent/writer/memories/preferences/quill', 'Quill');
  await fixture.engine.memory.memoryMd.flush();
  const open = async (reader: Record<string, string>) => {
    const body = { uri: 'strata://resources/MEMORY', ...reader };
    return (await fixture.send('memoryExpand', { body })).passages.map(({ text }) => text).join('\n');
  };
  expect(await open({})).toMatch(/A note for all\.[^]*Tea/);
  expect(await open({})).not.toMatch(/Ink|Quill/);
  expect(await open({ agent_id: 'writer' })).toContain('Quill');
  expect(await open({ user_id: 'bob' })).toContain('A note for all.');
  expect(await open({ user_id: 'bob' })).not.toContain('Tea');
});
