import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SessionRow } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { TokenCounter } from '../tokens/token-counter.ts';
import { Compactor } from './compactor.ts';
import { createExtractiveSummariser } from './extractive-summariser.ts';
import type { Summariser, SummaryRequest } from './summariser.ts';
import { standing, store, summary, talks } from './testing/compaction-session.ts';

/** The 45 s for which somebody waits for a model must not pass in tests. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A model that answers nothing until it is given up, and says which requests it has. */
class SilentModel implements Summariser {
  readonly name = 'openai-compatible';
  readonly asked: SummaryRequest[] = [];
  readonly #asked = Promise.withResolvers<void>();

  get begun(): Promise<void> {
    return this.#asked.promise;
  }

  summarise(request: SummaryRequest): Promise<never> {
    this.asked.push(request);
    this.#asked.resolve();
    return new Promise((_resolve, reject) => {
      request.signal?.addEventListener('abort', () => reject(new Error('given up')), { once: true });
    });
  }
}

async function open(): Promise<{
  fixture: EngineFixture;
  compactor: Compactor;
  model: SilentModel;
  session: SessionRow;
}> {
  const fixture = await openEngineFixture();
  await store(fixture, talks(20));
  const counter = new TokenCounter(fixture.parts.tokenizer);
  const model = new SilentModel();
  const compactor = new Compactor({
    engine: fixture.parts,
    counter,
    strategies: fixture.engine.strategies,
    summariser: model,
    extractive: createExtractiveSummariser(counter),
    phases: undefined,
    onReply: () => undefined,
  });
  const [session] = await fixture.store.lookUpSessions((await summary(fixture)).session_uid);
  if (!session) throw new Error('There is no session.');
  return { fixture, compactor, model, session };
}

describe('S54: a model that does not answer', () => {
  it('is waited for 45 s by whoever waits; then the summary is written without it, and says so', async () => {
    const { fixture, compactor, model, session } = await open();
    const running = compactor.compactSession(session, { trigger: 'manual', force: true });
    await model.begun;
    vi.advanceTimersByTime(44_999);
    expect(model.asked[0]?.signal?.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await running).toMatchObject({ ok: true, compacted: true });
    expect(await standing(fixture)).toMatchObject([
      { summariser: 'extractive', fallback: { from: 'openai-compatible', reason: 'deadline: not ready after 45 s' } },
    ]);
  });

  it('may take its time where nobody waits, until somebody does', async () => {
    const { fixture, compactor, model, session } = await open();
    const inBackground = compactor.compactSession(session, { trigger: 'turns' }, { patient: true });
    await model.begun;
    vi.advanceTimersByTime(600_000);
    expect(model.asked[0]?.signal?.aborted).toBe(false);
    const overflow = compactor.compactSession(session, { trigger: 'overflow', force: true });
    vi.advanceTimersByTime(45_000);
    expect(await overflow).toMatchObject({ ok: true, compacted: true });
    expect(await overflow).toEqual(await inBackground);
    expect(await standing(fixture)).toHaveLength(1);
  });

  it('is given up with the job that asked it; nothing was changed', async () => {
    const { fixture, compactor, model, session } = await open();
    const job = new AbortController();
    const options = { patient: true, signal: job.signal };
    const running = compactor.compactSession(session, { trigger: 'turns' }, options);
    await model.begun;
    job.abort();
    expect(await running).toMatchObject({ ok: false, compacted: false });
    expect(await standing(fixture)).toEqual([]);
    expect(compactor.isRunning(session.uid)).toBe(false);
  });
});

describe('H13: a forced compaction', () => {
  it('is not content with one in the background that found nothing to do', async () => {
    const { fixture, compactor, model, session } = await open();
    const quiet = { trigger: 'host', token_budget: 1_000_000 } as const;
    const inBackground = compactor.compactSession(session, quiet, { patient: true });
    const forced = compactor.compactSession(session, { trigger: 'overflow', force: true });
    expect(await inBackground).toMatchObject({ compacted: false, reason: 'nothing_to_compact' });
    await model.begun;
    vi.advanceTimersByTime(45_000);
    expect(await forced).toMatchObject({ ok: true, compacted: true });
    expect(await standing(fixture)).toHaveLength(1);
  });
});
