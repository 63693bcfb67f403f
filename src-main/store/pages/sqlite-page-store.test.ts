import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { NewPageVersion } from '../../engine/ports/page-store.ts';
import { openSessionStore, type OpenSessionStore } from '../open-session-store.ts';

async function open(): Promise<OpenSessionStore> {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-pages-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  onTestFinished(async () => {
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  return store;
}

const uriOf = (name: string): string => `strata://resources/${name}`;

function version(name: string, text: string, more: Partial<NewPageVersion> = {}): NewPageVersion {
  const bytes = Buffer.from(text);
  return {
    ...{
      uri: uriOf(name),
      path: `${name}.md`,
      at: 1_000,
      author: 'user',
      change: 'created',
      bytes,
      size: bytes.length,
    },
    contentHash: hash('sha256', bytes, 'hex'),
    summary: {
      ...{ kind: 'note', title: name, aliases: [], tags: [], scope: [], visibility: 'private', status: 'active' },
      ...{ pinned: false, abstract: text, sources: [] },
    },
    ...more,
  };
}

it('a version is announced to the index with the page, and the page knows its newest', async () => {
  const { pages, outbox } = await open();
  await pages.add(version('a', 'One.'));
  await pages.add(version('a', 'Two.', { at: 2_000, change: 'changed' }));
  expect(await pages.find(uriOf('a'))).toMatchObject({ version: 2, createdAt: 1_000, updatedAt: 2_000, isGone: false });
  expect(outbox.due(5_000, 10)).toMatchObject([
    { uri: uriOf('a'), op: 'put' },
    { uri: uriOf('a'), op: 'put' },
  ]);
  const old = await pages.readVersion(uriOf('a'), 1);
  expect(Buffer.from(old?.bytes ?? []).toString()).toBe('One.');
});

it('an intent changes nothing until it is ended, and what is dropped leaves no content', async () => {
  const { pages } = await open();
  const dropped = await pages.begin(version('a', 'Never.'), undefined);
  expect(await pages.find(uriOf('a'))).toBeUndefined();
  await pages.drop(dropped);
  await expect(pages.commit(dropped)).rejects.toMatchObject({ code: 'internal' });
  const intent = await pages.begin(version('a', 'One.'), undefined);
  expect((await pages.intents()).map(({ intentNo, before }) => [intentNo, before])).toEqual([[intent, undefined]]);
  expect((await pages.commit(intent)).version).toBe(1);
  expect(await pages.intents()).toEqual([]);
});

it('a page that moved answers at every address it had, until another page stands there', async () => {
  const { pages } = await open();
  await pages.add(version('a', 'One.'));
  await pages.add(version('b', 'One.', { previousUri: uriOf('a'), change: 'renamed' }));
  await pages.add(version('c', 'One.', { previousUri: uriOf('b'), change: 'renamed' }));
  expect((await pages.find(uriOf('a')))?.uri).toBe(uriOf('c'));
  await pages.add(version('a', 'Other.'));
  expect((await pages.find(uriOf('a')))?.version).toBe(1);
  const onto = pages.add(version('a', 'One.', { previousUri: uriOf('c'), change: 'renamed' }));
  await expect(onto).rejects.toMatchObject({ code: 'page_exists' });
});

it('lists by path, page by page, what is there, and finds pages by their newest content', async () => {
  const { pages } = await open();
  for (const name of ['b', 'a', 'c']) await pages.add(version(name, 'Same.'));
  await pages.add(version('c', 'Same.', { change: 'deleted', bytes: undefined }));
  const first = await pages.list({ cursor: undefined, limit: 1 }, {});
  expect([first.items[0]?.path, first.total]).toEqual(['a.md', 2]);
  const next = await pages.list({ cursor: first.nextCursor, limit: 5 }, {});
  expect(next.items.map(({ path }) => path)).toEqual(['b.md']);
  const same = await pages.withContent(version('a', 'Same.').contentHash, 10);
  expect(same.map(({ path, isGone }) => [path, isGone])).toEqual([
    ['a.md', false],
    ['b.md', false],
    ['c.md', true],
  ]);
});

it('tells how many pages cannot be read, and the first of them', async () => {
  const { pages } = await open();
  expect(pages.unreadable()).toEqual({ count: 0, first: undefined });
  const { summary } = version('b', 'x');
  for (const name of ['b', 'c']) {
    await pages.add(version(name, 'x', { summary: { ...summary, problem: { code: 'binary', message: 'No text.' } } }));
  }
  await pages.add(version('a', 'fine'));
  expect(pages.unreadable()).toMatchObject({ count: 2, first: { path: 'b.md' } });
});

it('what is erased is gone with every content that no other page has', async () => {
  const { pages } = await open();
  await pages.add(version('a', 'Shared.'));
  await pages.add(version('a', 'Own.', { change: 'changed' }));
  await pages.add(version('b', 'Shared.'));
  expect(await pages.erase(uriOf('a'), 3_000)).toMatchObject({ versions: 2, contents: 1 });
  expect(await pages.find(uriOf('a'))).toBeUndefined();
  expect((await pages.readVersion(uriOf('b'), 1))?.bytes).toBeDefined();
});

it('earlier versions are thinned by their reason, or rewritten, the newest stays', async () => {
  const { pages } = await open();
  for (const [text, reason] of [
    ['1', 'x'],
    ['2', undefined],
    ['3', 'x'],
  ] as const) {
    await pages.add(version('a', text, { reason, change: 'changed' }));
  }
  expect(await pages.thin(uriOf('a'), 'x')).toBe(1);
  expect(await pages.rewriteEarlier(uriOf('a'), () => Buffer.from('new'))).toBe(1);
  const { items } = await pages.history(uriOf('a'), { cursor: undefined, limit: 10 });
  expect(items.map((item) => item.version)).toEqual([3, 2]);
  const [newest, earlier] = [await pages.readVersion(uriOf('a'), 3), await pages.readVersion(uriOf('a'), 2)];
  expect([newest, earlier].map((found) => Buffer.from(found?.bytes ?? []).toString())).toEqual(['3', 'new']);
  expect(earlier?.version.content_hash).toBe(hash('sha256', 'new', 'hex'));
});
