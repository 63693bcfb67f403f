import { describe, expect, it } from 'vitest';
import { scriptedClient } from '../client/testing/scripted-client.ts';
import { sampleHead, samplePage, sampleRecall } from '../model/testing/memory-samples.ts';
import { createMemoryStores } from './create-memory-stores.ts';

const tea = sampleHead();
const coffee = sampleHead({ uri: 'strata://user/local/memories/preferences/coffee', title: 'Coffee' });

function made(pages = [tea]) {
  const client = scriptedClient({
    pages: () => ({ items: pages, total: pages.length }),
    page: ({ params }) => samplePage({ ...(params as { uri: string }), title: 'As read' }),
    pageHistory: () => ({ items: [], total: 0 }),
    memoryOperations: () => ({ items: [], total: 0 }),
    search: () => sampleRecall(),
    savePage: () => samplePage({ version: 2, content_hash: 'hash 2' }),
  });
  const waiting: (() => void)[] = [];
  const stores = createMemoryStores(
    client,
    () => 0,
    (job) => () => void waiting.push(job),
  );
  const settle = async () => {
    for (const job of waiting.splice(0)) job();
    await new Promise(setImmediate);
  };
  const count = (name: string) => client.calls.filter((call) => call.name === name).length;
  return { client, stores, settle, count };
}

describe('what is read again of memory when something happened', () => {
  it('a page that was written: that page alone, in the tree and where it is open', async () => {
    const { stores, settle, count } = made();
    await stores.list.load();
    await stores.page(tea.uri).load();
    stores.take({ type: 'page.changed', uri: tea.uri, change: 'written' });
    await settle();
    expect(stores.list.getState().pages.map(({ title }) => title)).toEqual(['As read']);
    expect(count('pages')).toBe(1);
    expect(count('page')).toBe(3);
  });

  it('many pages at once: the list, once', async () => {
    const { stores, settle, count } = made();
    await stores.list.load();
    for (let index = 0; index < 50; index += 1) {
      stores.take({ type: 'page.changed', uri: `strata://resources/${index}`, change: 'written' });
    }
    await settle();
    expect(count('pages')).toBe(2);
    expect(count('page')).toBe(0);
  });

  it('nothing while nobody looks at memory', async () => {
    const { stores, settle, client } = made();
    stores.take({ type: 'page.changed', uri: tea.uri, change: 'written' });
    stores.take({ type: 'memory.operation', operation_id: 'o1' });
    stores.take({ type: 'missed' });
    await settle();
    expect(client.calls).toEqual([]);
  });

  it('a page that is gone leaves the tree, one that came back is there again', async () => {
    const { stores, settle } = made([tea, coffee]);
    await stores.list.load();
    stores.take({ type: 'page.changed', uri: tea.uri, change: 'removed' });
    stores.take({ type: 'page.changed', uri: coffee.uri, change: 'removed' });
    stores.take({ type: 'page.changed', uri: coffee.uri, change: 'written' });
    await settle();
    expect(stores.list.getState().pages.map(({ uri }) => uri)).toEqual([coffee.uri]);
  });

  it('a page that is gone is not read again when its rows leave the index', async () => {
    const { stores, settle, count } = made();
    await stores.page(tea.uri).load();
    stores.take({ type: 'page.changed', uri: tea.uri, change: 'removed' });
    await settle();
    stores.take({ type: 'page.changed', uri: tea.uri, change: 'indexed' });
    await settle();
    expect(count('page')).toBe(1);
  });

  it('an operation: the lists of operations that are open', async () => {
    const { stores, settle, count } = made();
    await stores.operations({ uri: tea.uri }).load();
    stores.take({ type: 'memory.operation', operation_id: 'o1', uri: tea.uri });
    await settle();
    expect(count('memoryOperations')).toBe(2);
  });
});

describe('searches', () => {
  it('are kept until they are asked anew', async () => {
    const { stores, count } = made();
    await stores.search({ query: 'tea' }).load();
    await stores.search({ query: 'tea' }).load();
    expect(count('search')).toBe(1);
    stores.forgetSearches();
    await stores.search({ query: 'tea' }).load();
    expect(count('search')).toBe(2);
  });
});

describe('texts that are not saved', () => {
  it('are kept while one looks at other pages, and known', () => {
    const { stores } = made();
    stores.draft(tea.uri).take(samplePage());
    stores.draft(tea.uri).edit('mine');
    stores.draft(coffee.uri).take(samplePage({ uri: coffee.uri }));
    stores.draft('strata://resources/x');
    expect(stores.unsaved()).toEqual([tea.uri]);
    expect(stores.draft(tea.uri).getState().text).toBe('mine');
  });

  it('are written with the version and the hash that they are based on', async () => {
    const { stores, client } = made();
    stores.draft(tea.uri).take(samplePage());
    stores.draft(tea.uri).edit('mine');
    await stores.draft(tea.uri).save('because');
    expect(client.calls[0]).toMatchObject({
      name: 'savePage',
      input: {
        params: { uri: tea.uri },
        body: { content: 'mine', base_version: 1, base_hash: 'hash 1', author: 'user', reason: 'because' },
      },
    });
  });

  it('are gone with a page that was forgotten for good', () => {
    const { stores } = made();
    stores.draft(tea.uri).take(samplePage());
    stores.draft(tea.uri).edit('mine');
    stores.gone(tea.uri);
    expect(stores.unsaved()).toEqual([]);
  });
});
