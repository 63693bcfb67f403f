import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';

async function store(fixture: EngineFixture, text: string, more: Record<string, unknown> = {}) {
  return fixture.send('memoryStore', { body: { text, ...more } });
}

async function pageOf(fixture: EngineFixture, uri: string | undefined) {
  return fixture.send('page', { params: { uri: uri ?? '' } });
}

it('S69: memory_store says where a memory is on disk, and it is there', async () => {
  const fixture = await openEngineFixture();
  const reply = await store(fixture, 'I prefer the dark theme.');
  expect(reply.stored).toHaveLength(1);
  expect(reply.text).toContain(reply.stored[0]?.path);
  const file = await readFile(join(fixture.dataDir, 'workspace', reply.stored[0]?.path ?? ''), 'utf8');
  expect(file).toContain('The user prefers the dark theme.');
  expect(fixture.events).toContainEqual({
    type: 'memory.operation',
    operation_id: reply.operations[0]?.operation_id,
    uri: reply.stored[0]?.uri,
  });
});

it('S69: nothing is called stored that is not: known already, a secret, nothing to understand', async () => {
  const fixture = await openEngineFixture();
  await store(fixture, 'I prefer the dark theme.');
  const again = await store(fixture, 'I prefer the dark theme.');
  expect(again).toMatchObject({ stored: [], operations: [{ action: 'NONE', reason: { code: 'known_already' } }] });
  expect(again.text).toMatch(/^Not stored again/);
  const secret = await store(fixture, 'The wifi password is Zebra99Stripes.');
  expect(secret).toMatchObject({ stored: [], operations: [{ action: 'REFUSED', reason: { code: 'secret' } }] });
  expect(JSON.stringify(secret)).not.toContain('Zebra99');
  expect(JSON.stringify(await fixture.send('memoryOperations', {}))).not.toContain('Zebra99');
  const empty = await store(fixture, 'it.');
  expect(empty).toMatchObject({ stored: [], operations: [] });
  expect(empty.text).toMatch(/^Nothing was stored/);
});

it.each([
  ['a token at the beginning of a sentence', 'ghp_abcdefghijklmnopqrstuvwxyz0123456789 is my token.', 'abcdefghij'],
  [
    'a private key over several lines',
    `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEAabcdefg\n'.repeat(60)}-----END RSA PRIVATE KEY-----`,
    'MIIEpAIB',
  ],
])('S69: %s is refused, and no word of it kept', async (_, text, secret) => {
  const fixture = await openEngineFixture();
  const reply = await store(fixture, text);
  expect(reply.stored).toEqual([]);
  expect(reply.operations).toMatchObject([{ action: 'REFUSED', reason: { code: 'secret' } }]);
  expect(JSON.stringify(await fixture.send('memoryOperations', {}))).not.toContain(secret);
});

it.each(['tags', 'labels'])('S69: %s with a secret in them are refused', async (field) => {
  const fixture = await openEngineFixture();
  const words = { [field]: ['ghp_abcdefghijklmnopqrstuvwxyz0123456789'] };
  await expect(store(fixture, 'I prefer tea.', words)).rejects.toMatchObject({ code: 'memory_refused' });
  expect((await fixture.send('pages', {})).items).toEqual([]);
});

it('several sentences are judged one by one; a refused one keeps the others from nothing', async () => {
  const fixture = await openEngineFixture();
  const reply = await store(
    fixture,
    'My name is Ann. My API key is sk-proj-abcdefghijklmnop1234567890. I live in Oslo.',
  );
  expect(reply.operations.map(({ action, text }) => `${action} ${text}`)).toEqual([
    "ADD The user's name is Ann.",
    "REFUSED The user's API key is [secret].",
    'UPDATE The user lives in Oslo.',
  ]);
  expect((await pageOf(fixture, reply.stored[1]?.uri)).truth).toBe(
    "- Name: The user's name is Ann.\n- Residence: The user lives in Oslo.",
  );
});

it('a contradiction takes the place of the old statement, which stays below with its date', async () => {
  const fixture = await openEngineFixture();
  await store(fixture, 'I live in Oslo.');
  const reply = await store(fixture, 'I live in Bergen.');
  expect(reply.operations).toMatchObject([
    { action: 'UPDATE', reason: { code: 'contradicts' }, version_before: 1, version_after: 2 },
  ]);
  const page = await pageOf(fixture, reply.stored[0]?.uri);
  expect(page.truth).toBe('- Residence: The user lives in Bergen.');
  expect(page.timeline.map(({ text }) => text)).toEqual([
    'The user lives in Oslo.',
    'Until now: The user lives in Oslo.',
    'The user lives in Bergen.',
  ]);
});

it('a page whose only statement is denied elsewhere is superseded, not erased', async () => {
  const fixture = await openEngineFixture();
  const first = await store(fixture, 'I like mushrooms.', { title: 'Food in the woods' });
  const second = await store(fixture, "I don't like mushrooms.");
  expect(second.operations).toMatchObject([{ action: 'ADD', supersedes: first.stored[0]?.uri }]);
  expect(await pageOf(fixture, first.stored[0]?.uri)).toMatchObject({
    status: 'superseded',
    superseded_by: second.stored[0]?.uri,
    truth: '- The user likes mushrooms.',
  });
});

it('G16: an alias that one page has leads there, one that two pages have leads to neither', async () => {
  const fixture = await openEngineFixture();
  const put = (name: string, aliases: string[]) =>
    fixture.send('savePage', {
      params: { uri: `strata://user/default/memories/entities/${name}` },
      body: { kind: 'entity', title: name, aliases, truth: `${name} is a person.` },
    });
  await put('Alexander Berg', ['Alex', 'Sasha']);
  await put('Alexandra Dahl', ['Alex']);
  const known = await store(fixture, 'Sasha works at Acme.');
  expect(known.stored[0]?.uri).toBe('strata://user/default/memories/entities/Alexander%20Berg');
  const unclear = await store(fixture, 'Alex works at Globex.');
  expect(unclear.stored[0]?.uri).toBe('strata://user/default/memories/entities/alex');
  const again = await store(fixture, 'Alex lives in Rome.');
  expect(again.stored[0]?.uri).toBe(unclear.stored[0]?.uri);
});

it('a kind that is named is taken, an unknown one refused', async () => {
  const fixture = await openEngineFixture();
  const reply = await store(fixture, 'Restarting the proxy helped.', { kind: 'case', title: 'Proxy hangs' });
  expect(reply.operations[0]).toMatchObject({ action: 'ADD', kind: 'case' });
  await expect(store(fixture, 'A sentence of some length.', { kind: 'nonsense' })).rejects.toMatchObject({
    code: 'invalid_request',
  });
});

it('tags, labels and visibility are those the caller asked for', async () => {
  const fixture = await openEngineFixture();
  const reply = await store(fixture, 'I prefer tabs.', {
    tags: ['code'],
    labels: ['domain:code'],
    visibility: 'shared',
  });
  expect(await pageOf(fixture, reply.stored[0]?.uri)).toMatchObject({
    tags: ['code'],
    scope: ['domain:code'],
    visibility: 'shared',
  });
});

it('H53: a group may not write the user’s own memory', async () => {
  const fixture = await openEngineFixture();
  const body = { session_id: 's', session_key: 'agent:main:telegram:group:-1' };
  await expect(store(fixture, 'I prefer tabs.', body)).rejects.toMatchObject({ code: 'memory_refused' });
  await expect(fixture.send('memoryForget', { body: { ...body, query: 'tabs' } })).rejects.toMatchObject({
    code: 'memory_refused',
  });
});

it('a page that a person changed between judging and writing is judged again', async () => {
  const fixture = await openEngineFixture();
  const first = await store(fixture, 'I prefer the dark theme.');
  const path = join(fixture.dataDir, 'workspace', first.stored[0]?.path ?? '');
  const { pages } = fixture.engine.memory;
  const save = pages.save.bind(pages);
  let isFirst = true;
  pages.save = async (command) => {
    if (isFirst) {
      isFirst = false;
      await writeFile(
        path,
        (await readFile(path, 'utf8')).replace('- The user prefers', '- A person wrote this.\n- The user prefers'),
      );
    }
    return save(command);
  };
  await store(fixture, 'I prefer the light theme.');
  expect((await pageOf(fixture, first.stored[0]?.uri)).truth).toBe(
    '- A person wrote this.\n- The user prefers the light theme.',
  );
});

it('memory_forget strikes only the line that is meant, and it can be undone, as can the undo', async () => {
  const fixture = await openEngineFixture();
  const { stored } = await store(fixture, 'My name is Ann. I live in Oslo.');
  const uri = stored[0]?.uri;
  const reply = await fixture.send('memoryForget', { body: { query: 'lives in Oslo' } });
  expect(reply.forgotten).toMatchObject([{ uri, mode: 'retire', removed: [{ what: 'lines retired', count: 1 }] }]);
  expect(await pageOf(fixture, uri)).toMatchObject({ truth: "- Name: The user's name is Ann.", status: 'active' });
  const undone = await fixture.send('undoMemoryOperation', { params: { id: reply.operations[0]?.operation_id ?? '' } });
  expect(undone.reason.code).toBe('undone');
  expect((await pageOf(fixture, uri)).truth).toContain('lives in Oslo');
  await fixture.send('undoMemoryOperation', { params: { id: undone.operation_id } });
  expect((await pageOf(fixture, uri)).truth).not.toContain('lives in Oslo');
  await expect(fixture.send('undoMemoryOperation', { params: { id: undone.operation_id } })).rejects.toMatchObject({
    code: 'operation_conflict',
  });
});

it('words that could mean several memories are answered with them, and nothing is forgotten', async () => {
  const fixture = await openEngineFixture();
  await store(fixture, 'I like green tea. I like black tea with milk in the evening.');
  const reply = await fixture.send('memoryForget', { body: { query: 'tea' } });
  expect(reply).toMatchObject({ forgotten: [], operations: [] });
  expect(reply.choices.map(({ abstract }) => abstract)).toEqual([
    'The user likes green tea.',
    'The user likes black tea with milk in the evening.',
  ]);
  expect(await fixture.send('memoryForget', { body: { query: 'submarines' } })).toMatchObject({
    forgotten: [],
    choices: [],
  });
});

it('hard forgetting must be confirmed, and leaves no word in the files of the data directory but the log of turns', async () => {
  const fixture = await openEngineFixture();
  const { stored } = await store(fixture, 'I prefer the zebra-striped wallpaper.');
  const uri = stored[0]?.uri ?? '';
  await expect(fixture.send('memoryForget', { body: { uri, mode: 'hard' } })).rejects.toMatchObject({
    code: 'confirmation_needed',
  });
  const reply = await fixture.send('memoryForget', { body: { uri, mode: 'hard', confirm: uri } });
  expect(reply.forgotten[0]?.removed).toContainEqual({ what: 'texts in the history of operations', count: 1 });
  expect(JSON.stringify(await fixture.send('memoryOperations', {}))).not.toContain('zebra');
  await expect(pageOf(fixture, uri)).rejects.toMatchObject({ code: 'unknown_page' });
});

it.each(['retire', 'hard'] as const)(
  'a file of the workspace is a person’s: memory_forget does not %s it',
  async (mode) => {
    const fixture = await openEngineFixture();
    const uri = 'strata://resources/AGENTS';
    const { version } = await fixture.send('savePage', { params: { uri }, body: { content: 'Be kind.\n' } });
    await expect(fixture.send('memoryForget', { body: { uri, mode, confirm: uri } })).rejects.toMatchObject({
      code: 'memory_refused',
    });
    expect(await pageOf(fixture, uri)).toMatchObject({ content: 'Be kind.\n', version });
  },
);

it('another user’s memory cannot be forgotten', async () => {
  const fixture = await openEngineFixture();
  const { stored } = await store(fixture, 'I prefer tabs.');
  const body = { uri: stored[0]?.uri ?? '', user_id: 'somebody-else' };
  await expect(fixture.send('memoryForget', { body })).rejects.toMatchObject({ code: 'memory_refused' });
  await expect(fixture.send('memoryForget', { body: {} })).rejects.toMatchObject({ code: 'invalid_request' });
});

it('undoing is refused when somebody wrote since, and says what stands', async () => {
  const fixture = await openEngineFixture();
  const first = await store(fixture, 'I prefer the dark theme.');
  await store(fixture, 'I prefer the light theme.');
  const id = first.operations[0]?.operation_id ?? '';
  await expect(fixture.send('undoMemoryOperation', { params: { id } })).rejects.toMatchObject({
    code: 'operation_conflict',
    details: { version: 2, version_after: 1, content: expect.stringContaining('light theme') as string },
  });
  await expect(fixture.send('undoMemoryOperation', { params: { id: 'op_x' } })).rejects.toMatchObject({
    code: 'unknown_operation',
  });
});

it('undoing what made a page retires the page', async () => {
  const fixture = await openEngineFixture();
  const { stored, operations } = await store(fixture, 'I prefer the dark theme.');
  const undone = await fixture.send('undoMemoryOperation', { params: { id: operations[0]?.operation_id ?? '' } });
  expect(undone).toMatchObject({ action: 'DELETE', uri: stored[0]?.uri });
  expect((await pageOf(fixture, stored[0]?.uri)).status).toBe('retired');
  const list = await fixture.send('memoryOperations', { query: { uri: stored[0]?.uri } });
  expect(list.items.map(({ action, undone_at: at }) => [action, at !== undefined])).toEqual([
    ['DELETE', false],
    ['ADD', true],
  ]);
});

it('a page that a person deletes is on record, and comes back with an undo', async () => {
  const fixture = await openEngineFixture();
  const { stored } = await store(fixture, 'I prefer the dark theme.');
  const uri = stored[0]?.uri ?? '';
  await fixture.send('deletePage', { params: { uri }, body: {} });
  const [deleted] = (await fixture.send('memoryOperations', { query: { action: 'DELETE' } })).items;
  await fixture.send('undoMemoryOperation', { params: { id: deleted?.operation_id ?? '' } });
  expect((await pageOf(fixture, uri)).status).toBe('active');
});

it('H22: a sub-agent may write and forget where it was granted all, and its parent may; else nothing is stored', async () => {
  const fixture = await openEngineFixture();
  const child = { session_id: 'c1', session_key: 'agent:main:subagent:1' };
  const grandchild = { session_id: 'c2', session_key: 'agent:main:subagent:2' };
  await expect(store(fixture, 'I prefer the dark theme.', child)).rejects.toMatchObject({ code: 'memory_refused' });
  const grant = async (parent: string, key: string) =>
    fixture.send('subagentPrepare', {
      body: { parent_session_key: parent, child_session_key: key, memory_grant: 'all' },
    });
  await grant('agent:main:main', child.session_key);
  await grant('agent:main:telegram:group:-1', grandchild.session_key);
  const { stored } = await store(fixture, 'I prefer the dark theme.', child);
  expect(stored).toHaveLength(1);
  await expect(store(fixture, 'I prefer tea.', grandchild)).rejects.toMatchObject({ code: 'memory_refused' });
  const uri = stored[0]?.uri ?? '';
  await expect(fixture.send('memoryForget', { body: { ...grandchild, uri } })).rejects.toMatchObject({
    code: 'memory_refused',
  });
  expect((await fixture.send('memoryForget', { body: { ...child, uri } })).forgotten).toHaveLength(1);
});
