import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryPage } from '../../../../src-shared/model/memory-page.ts';
import { createWorkerIndex } from '../../../index/create-worker-index.ts';
import { openInlineIndex } from '../../../index/open-inline-index.ts';
import { openSessionStore } from '../../../store/open-session-store.ts';
import type { MemoryIndexWriter } from '../../ports/memory-index-writer.ts';
import { openEngineFixture } from '../../testing/engine-fixture.ts';
import { scriptedClock } from '../../testing/scripted-clock.ts';
import { indexAlarms } from './index-alarm.ts';
import { OutboxDelivery } from './outbox-delivery.ts';

const uriOf = (name: string | number): string => `strata://user/default/memories/topics/${name}`;

/** Delivery over the real outbox and a real index; pages are in a map. */
async function setUp(
  sample: MemoryPage,
  open: (file: string) => MemoryIndexWriter = (file) => openInlineIndex({ file }),
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-outbox-'));
  const store = openSessionStore({ dataDir, backups: 1 });
  const index = open(join(dataDir, 'index.db'));
  onTestFinished(async () => {
    await index.close();
    await store.close();
    await rm(dataDir, { recursive: true, force: true });
  });
  const clock = scriptedClock();
  const pages = new Map<string, MemoryPage | Error>();
  const logged: string[] = [];
  const find = async (uri: string): Promise<MemoryPage | undefined> => {
    const page = pages.get(uri);
    if (page instanceof Error) throw page;
    return page;
  };
  const { outbox } = store;
  const parts = {
    ...{ outbox, index, clock, pages: { find } },
    events: { publish: () => undefined },
    log: (_level: string, message: string, fields?: object) => logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const delivery = new OutboxDelivery(parts);
  return {
    ...{ outbox, index, clock, pages, logged, delivery },
    put: (name: string | number) => {
      pages.set(uriOf(name), { ...sample, uri: uriOf(name), title: `Page ${name}`, aliases: [], tags: [] });
      outbox.put([uriOf(name)], 'put', clock.now());
    },
    deliverAll: async () => {
      while (await delivery.deliver());
    },
    indexed: async () => (await index.entries('', 20_000)).map(({ uri }) => uri),
  };
}

async function samplePage(): Promise<MemoryPage> {
  const fixture = await openEngineFixture();
  const body = { title: 'Sample', kind: 'topic', truth: 'The harbour of Lisbon is near.' };
  return fixture.send('savePage', { params: { uri: uriOf('sample') }, body });
}

describe('what waits for the index', () => {
  it('of a URI the last state counts, whatever was announced before', async () => {
    const { put, pages, outbox, deliverAll, indexed, clock } = await setUp(await samplePage());
    put('one');
    put('two');
    pages.delete(uriOf('one'));
    outbox.put([uriOf('one')], 'remove', clock.now());
    await deliverAll();
    expect(await indexed()).toEqual([uriOf('two')]);
    put('one');
    await deliverAll();
    expect(await indexed()).toEqual([uriOf('one'), uriOf('two')]);
    expect(outbox.backlog()).toEqual({ waiting: 0, dead: 0, oldest: null });
  });

  it('what was put and could not be ticked off is delivered again, and is there once', async () => {
    const { put, outbox, delivery, indexed } = await setUp(await samplePage());
    put('one');
    const done = outbox.done.bind(outbox);
    outbox.done = () => {
      throw new Error('killed here');
    };
    await delivery.deliver();
    expect(outbox.backlog().waiting).toBe(1);
    outbox.done = done;
    expect(await indexed()).toEqual([uriOf('one')]);
  });

  it('a page that fails waits longer each time, is given up after ten tries, and holds up no other', async () => {
    const { put, pages, outbox, delivery, deliverAll, indexed, clock, logged } = await setUp(await samplePage());
    put('bad');
    put('good');
    pages.set(uriOf('bad'), new EngineError('internal', 'cannot be read'));
    await deliverAll();
    expect(await indexed()).toEqual([uriOf('good')]);
    const waits: number[] = [];
    let since = clock.now();
    for (let tries = 1; outbox.backlog().dead === 0; tries += 1) {
      expect(tries).toBeLessThan(10);
      // Not due before its time.
      await delivery.deliver();
      while (outbox.due(clock.now(), 1).length === 0) clock.advance(1_000);
      waits.push((clock.now() - since) / 1_000);
      since = clock.now();
      await delivery.deliver();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(logged).toEqual([expect.stringMatching(/page_not_indexed .*bad.*"attempts":10.*cannot be read/)]);
    expect(outbox.due(clock.now() + 86_400_000, 10)).toEqual([]);
    const [alarm] = indexAlarms({ backlog: outbox.backlog(), failure: undefined, embedder: undefined }, clock.now());
    expect(alarm).toMatchObject({ code: 'index_behind', remedy: expect.stringContaining('reindex --retry-dead') });
    put('bad');
    outbox.reviveDead();
    await deliverAll();
    expect(await indexed()).toEqual([uriOf('bad'), uriOf('good')]);
  });

  it('an index that takes nothing costs no page an attempt', async () => {
    const { put, index, outbox, delivery, deliverAll, indexed, clock } = await setUp(await samplePage());
    put('one');
    const [putPages, remove] = [index.putPages.bind(index), index.remove.bind(index)];
    const full = async (): Promise<void> => {
      throw new EngineError('disk_full', 'No space is left.');
    };
    Object.assign(index, { putPages: full, remove: full });
    for (let tries = 0; tries < 12; tries += 1) {
      await expect(delivery.deliver()).rejects.toMatchObject({ code: 'disk_full' });
      clock.advance(600_000);
    }
    expect(outbox.due(clock.now(), 10)).toMatchObject([{ attempts: 0 }]);
    Object.assign(index, { putPages, remove });
    await deliverAll();
    expect(await indexed()).toEqual([uriOf('one')]);
  });

  it('10,000 pages at once are all taken in, in a worker', async () => {
    const { put, outbox, deliverAll, indexed } = await setUp(await samplePage(), (file) => createWorkerIndex({ file }));
    for (let number = 0; number < 10_000; number += 1) put(number);
    await deliverAll();
    expect(outbox.backlog()).toEqual({ waiting: 0, dead: 0, oldest: null });
    expect(new Set(await indexed()).size).toBe(10_000);
  }, 120_000);
});

it('pages that were given up are tried again when somebody asks for it', async () => {
  const fixture = await openEngineFixture();
  const { memoryOutbox: outbox } = fixture.parts;
  outbox.put([uriOf('gone')], 'put', fixture.clock.now());
  const [entry] = outbox.due(fixture.clock.now(), 1);
  if (!entry) throw new Error('one waits');
  outbox.failed(entry, 0, 'cannot be read', true);
  const { index, alarms } = await fixture.send('health', {});
  expect(index).toMatchObject({ dead: 1 });
  expect(alarms.map(({ code }) => code)).toContain('index_behind');
  expect(await fixture.send('retryOutbox', { body: {} })).toEqual({ revived: 1 });
  await fixture.engine.memory.indexing.follower.settled();
  expect((await fixture.send('health', {})).index).toMatchObject({ dead: 0, waiting: 0 });
});
