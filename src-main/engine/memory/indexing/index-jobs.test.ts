import { describe, expect, it, vi } from 'vitest';
import type { JobDetail } from '../../../../src-shared/model/job.ts';
import { openEngineFixture, type EngineFixture } from '../../testing/engine-fixture.ts';
import type { Embedder } from '../../ports/embedder.ts';
import { somePage, someTurn } from '../../../index/testing/samples.ts';

/** Nothing writes pages but the tests. */
const settings = { config: { memory: { write_memory_md: false } } };

const uriOf = (name: string): string => `strata://user/default/memories/preferences/${name}`;

async function save(fixture: EngineFixture, ...names: string[]): Promise<void> {
  for (const name of names) {
    const body = { title: name, kind: 'preference', truth: `Ann likes ${name}.` };
    await fixture.send('savePage', { params: { uri: uriOf(name) }, body });
  }
}

async function say(fixture: EngineFixture, session: string, ...texts: string[]): Promise<void> {
  for (const [at, content] of texts.entries()) {
    await fixture.send('commitTurn', {
      body: {
        advancement_key: `${session} ${at}`,
        session_id: session,
        session_key: `agent:main:${session}`,
        format: 'openai',
        messages: [{ role: 'user', content }],
      },
    });
  }
}

const follower = (fixture: EngineFixture) => fixture.engine.memory.indexing.follower;

/** What the index holds when everything that was announced has been taken in. */
async function settledPrint(fixture: EngineFixture): Promise<string> {
  await follower(fixture).settled();
  return fixture.parts.memoryIndex.fingerprint();
}

async function ended(fixture: EngineFixture, id: string): Promise<JobDetail> {
  return vi.waitFor(
    async () => {
      const job = await fixture.send('job', { params: { id } });
      expect(['queued', 'running']).not.toContain(job.state);
      return job;
    },
    { timeout: 15_000, interval: 10 },
  );
}

async function reindex(fixture: EngineFixture): Promise<JobDetail> {
  return ended(fixture, (await fixture.send('reindex', { body: {} })).job_id);
}

async function repair(fixture: EngineFixture): Promise<JobDetail> {
  return ended(fixture, await fixture.engine.memory.indexing.repair());
}

describe('memory.reindex', () => {
  it('an index that was built anew holds the same, row by row, as one that grew with what was said and written', async () => {
    const fixture = await openEngineFixture(settings);
    await save(fixture, 'oolong', 'sencha', 'matcha');
    await say(fixture, 's1', 'We meet in Lisbon.', '我们在里斯本见面。');
    await fixture.send('savePage', {
      params: { uri: uriOf('oolong') },
      body: { title: 'Oolong', kind: 'preference', truth: 'Ann likes it no more.', base_version: 1 },
    });
    await fixture.send('deletePage', {
      params: { uri: uriOf('sencha') },
      body: { mode: 'hard', confirm: uriOf('sencha') },
    });
    const grown = await settledPrint(fixture);
    const job = await reindex(fixture);
    expect(job).toMatchObject({ state: 'succeeded', result: { unreadable: 0, turns: 2 } });
    expect(await settledPrint(fixture)).toBe(grown);
  });

  it('one that is cancelled in the middle leaves nothing missing for long', async () => {
    const fixture = await openEngineFixture(settings);
    await save(fixture, 'oolong', 'sencha');
    await say(fixture, 's1', 'We meet in Lisbon.');
    const whole = await settledPrint(fixture);
    const { memoryIndex } = fixture.parts;
    const begin = memoryIndex.beginRebuild.bind(memoryIndex);
    vi.spyOn(memoryIndex, 'beginRebuild').mockImplementationOnce(async () => {
      await begin();
      await fixture.send('cancelJob', { params: { id: job_id } });
    });
    const { job_id } = await fixture.send('reindex', { body: {} });
    expect(await ended(fixture, job_id)).toMatchObject({ state: 'cancelled' });
    await vi.waitFor(async () => expect(await settledPrint(fixture)).toBe(whole), { timeout: 10_000 });
  });

  it('one that the end of the process interrupts is begun again by the next', async () => {
    const fixture = await openEngineFixture(settings);
    await save(fixture, 'oolong', 'sencha');
    await say(fixture, 's1', 'We meet in Lisbon.');
    const whole = await settledPrint(fixture);
    await fixture.engine.memory.indexing.follower.settled();
    const { memoryIndex } = fixture.parts;
    const begin = memoryIndex.beginRebuild.bind(memoryIndex);
    let closing: Promise<void> | undefined;
    vi.spyOn(memoryIndex, 'beginRebuild').mockImplementationOnce(async () => {
      await begin();
      closing = fixture.reopen();
      await new Promise(() => undefined);
    });
    const { job_id } = await fixture.send('reindex', { body: {} });
    await vi.waitFor(() => expect(closing).toBeDefined());
    await closing;
    expect(await ended(fixture, job_id)).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(await settledPrint(fixture)).toBe(whole);
  });
});

describe('memory.repair', () => {
  it('pages without rows, rows without pages and rows of another version are found and mended', async () => {
    const fixture = await openEngineFixture(settings);
    await save(fixture, 'oolong', 'sencha', 'matcha');
    const whole = await settledPrint(fixture);
    const { memoryIndex } = fixture.parts;
    await memoryIndex.remove([uriOf('oolong')]);
    await memoryIndex.putPages([
      { ...somePage('gone'), uri: uriOf('gone') },
      { ...somePage('stale'), uri: uriOf('sencha'), contentHash: 'another' },
    ]);
    const { result } = await repair(fixture);
    expect(result).toMatchObject({ missing: 1, stale: 1, orphans: 1, sessions: 0, turns: 0 });
    expect(await settledPrint(fixture)).toBe(whole);
  });

  it('turns that were stored while nobody followed are taken in', async () => {
    const fixture = await openEngineFixture(settings);
    await say(fixture, 's1', 'one', 'two', 'three');
    const whole = await settledPrint(fixture);
    const { memoryIndex } = fixture.parts;
    const [mark] = await memoryIndex.marks();
    if (!mark) throw new Error('the session has a mark');
    const { turns } = follower(fixture);
    await memoryIndex.clear();
    await memoryIndex.putTurns([], { ...mark, sequence: 0 });
    turns.forget();
    expect((await repair(fixture)).result).toMatchObject({ sessions: 1, turns: 3 });
    expect(await settledPrint(fixture)).toBe(whole);
  });

  it('what the index has beyond the log, after a backup was restored, is gone', async () => {
    const fixture = await openEngineFixture(settings);
    await save(fixture, 'oolong');
    await say(fixture, 's1', 'one', 'two');
    const whole = await settledPrint(fixture);
    const { memoryIndex } = fixture.parts;
    const [mark] = await memoryIndex.marks();
    if (!mark) throw new Error('the session has a mark');
    await memoryIndex.putTurns([someTurn(3, 'never said', { sessionUid: mark.sessionUid })], { ...mark, sequence: 3 });
    await memoryIndex.putTurns([someTurn(1, 'nor this', { sessionUid: 'unknown' })], {
      sessionUid: 'unknown',
      sequence: 1,
      checkpoints: '',
    });
    await repair(fixture);
    expect(await settledPrint(fixture)).toBe(whole);
    await say(fixture, 's1', 'one', 'two', 'three');
    await follower(fixture).settled();
    expect(await memoryIndex.marks()).toMatchObject([{ sequence: 3 }]);
  });

  it('what is whole is left as it is', async () => {
    const fixture = await openEngineFixture(settings);
    await save(fixture, 'oolong');
    await say(fixture, 's1', 'one');
    await settledPrint(fixture);
    const { generation } = await fixture.parts.memoryIndex.state();
    expect((await repair(fixture)).result).toMatchObject({ missing: 0, stale: 0, orphans: 0, turns: 0 });
    await follower(fixture).settled();
    expect((await fixture.parts.memoryIndex.state()).generation).toBe(generation);
  });
});

describe('vectors of another model', () => {
  const embedder = (id: string, dimension: number): Embedder => ({
    id,
    dimension,
    embed: async (texts) =>
      texts.map((text) => {
        const vector = new Float32Array(dimension);
        vector[text.length % dimension] = 1;
        return vector;
      }),
    close: async () => undefined,
  });

  it.each([
    ['another model', 'new', 3],
    ['another dimension of the same model', 'old', 5],
  ])('G19: are replaced by themselves after a restart with %s', async (_name, id, dimension) => {
    let current = embedder('old', 3);
    const fixture = await openEngineFixture({ ...settings, embedder: () => current });
    await save(fixture, 'oolong', 'sencha');
    await follower(fixture).settled();
    const before = await fixture.parts.memoryIndex.state();
    expect(before).toMatchObject({ embedder: 'old' });
    expect(before.vectors).toBeGreaterThan(1);
    current = embedder(id, dimension);
    await fixture.reopen();
    await save(fixture, 'matcha');
    await follower(fixture).settled();
    const state = await fixture.parts.memoryIndex.state();
    expect(state.embedder).toBe(id);
    expect(state.vectors).toBeGreaterThan(before.vectors);
    expect(await fixture.parts.memoryIndex.pendingTexts(id, 10)).toEqual([]);
  });

  it('a model that knows nothing of a new text, and was never asked before, costs no vector', async () => {
    let knows = true;
    const unsure: Embedder = {
      ...embedder('m', 3),
      dimension: undefined,
      embed: async (texts) => texts.map(() => (knows ? new Float32Array([1, 0, 0]) : undefined)),
    };
    const fixture = await openEngineFixture({ ...settings, embedder: () => unsure });
    await save(fixture, 'oolong');
    await follower(fixture).settled();
    const { vectors } = await fixture.parts.memoryIndex.state();
    expect(vectors).toBeGreaterThan(0);
    knows = false;
    await fixture.reopen();
    await say(fixture, 's1', '…');
    await follower(fixture).settled();
    expect(await fixture.parts.memoryIndex.state()).toMatchObject({ vectors, turns: 1 });
  });
});
