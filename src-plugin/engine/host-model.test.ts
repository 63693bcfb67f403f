import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { CompactParams, HostCompleteParams, HostCompleteResult, HostLlm, MaintainParams } from '../host-types.ts';
import { createPluginRuntime, type PluginRuntime } from '../plugin-runtime.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { session } from '../testing/messages.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';
import { askHostModel, askLimits } from './ask-host-model.ts';
import { compactLimits, compactSession } from './compact-session.ts';
import { maintainSession } from './maintain-session.ts';

/** After which OpenClaw ends a compaction (ms). */
const hostLimitMs = 180_000;

let daemon: ScriptedDaemon;
let runtime: PluginRuntime;
const warnings: string[] = [];
const identity = { session_id: 's1', session_key: 'agent:main:main', agent_id: 'main' };

beforeEach(async () => {
  forgetSharedState();
  warnings.length = 0;
  daemon = await ScriptedDaemon.start();
  const logger = { info: () => undefined, error: () => undefined, warn: (text: string) => void warnings.push(text) };
  runtime = createPluginRuntime({ dataDir: daemon.dataDir }, logger, '2026.9.6');
});

afterEach(async () => {
  expect(daemon.complaints).toEqual([]);
  await daemon.remove();
});

function question(number: number) {
  return {
    reservation_id: `resv_${number}`,
    expires_at: new Date(0).toISOString(),
    system: 'You write records.',
    prompt: `Summarise part ${number}.`,
    max_output_tokens: 700,
    prompt_version: '1',
  };
}

const asked = (number: number) => ({
  reservationId: `resv_${number}`,
  system: 'You write records.',
  prompt: `Summarise part ${number}.`,
  maxOutputTokens: 700,
});

const done = { ok: true, compacted: true, tokens_before: 100, tokens_after: 40, checkpoint_ids: ['c1'] };

/** A model that answers by a script and remembers what it was asked. */
class ScriptedLlm implements HostLlm {
  readonly asked: HostCompleteParams[] = [];
  answer: (params: HostCompleteParams) => Promise<HostCompleteResult> = () =>
    Promise.resolve(result('## What happened'));

  complete(params: HostCompleteParams): Promise<HostCompleteResult> {
    this.asked.push(params);
    return this.answer(params);
  }
}

function result(text: string, more: Partial<HostCompleteResult> = {}): HostCompleteResult {
  return { text, provider: 'p', model: 'p/m', usage: { inputTokens: 500, outputTokens: 60 }, ...more };
}

/** Never answers, and does not look at its signal either. */
const deaf = (): Promise<HostCompleteResult> => new Promise(() => undefined);

function prepareAnswers(...numbers: number[]): void {
  daemon.script('/v1/prepare-compaction', () => ({ reply: { prepared: question(numbers[0] ?? 1) } }));
}

/** What was handed in; scripted answers are not in the daemon's own list. */
function script(replies: (body: Record<string, unknown>) => object): Record<string, unknown>[] {
  const seen: Record<string, unknown>[] = [];
  daemon.script('/v1/compact', (body) => {
    seen.push(body);
    return { reply: replies(body) };
  });
  return seen;
}

describe('a compaction by the host’s model', () => {
  const compact = (llm: HostLlm | undefined, params: Partial<CompactParams> = {}, limits = compactLimits) => {
    const delegate = (): Promise<{ ok: boolean; compacted: boolean; reason: string }> =>
      Promise.resolve({ ok: true, compacted: true, reason: 'by the host' });
    const runtimeContext = { ...params.runtimeContext, ...(llm === undefined ? {} : { llm }) };
    return compactSession(
      runtime,
      { ...session, ...params, runtimeContext },
      { owns: true, netBudget: 9_000, delegate, limits },
    );
  };

  it('asks what the daemon prepared, and hands the answer in with model and cost', async () => {
    const llm = new ScriptedLlm();
    llm.answer = () => Promise.resolve(result('## Decisions\n- none', { responseModel: 'p/m-2', stopReason: 'stop' }));
    prepareAnswers(1);
    const bodies = script(() => done);
    expect(await compact(llm, { force: true, customInstructions: 'keep the ids' })).toMatchObject({
      ok: true,
      compacted: true,
    });
    const [{ signal, ...said } = {}] = llm.asked as [HostCompleteParams];
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(said).toEqual({
      systemPrompt: 'You write records.',
      messages: [{ role: 'user', content: 'Summarise part 1.' }],
      maxTokens: 700,
      purpose: 'strata compaction summary',
    });
    expect(bodies).toEqual([
      {
        ...identity,
        trigger: 'host',
        token_budget: 9_000,
        force: true,
        custom_instructions: 'keep the ids',
        reservation_id: 'resv_1',
        answer: {
          text: '## Decisions\n- none',
          model: 'p/m-2',
          stop_reason: 'stop',
          input_tokens: 500,
          output_tokens: 60,
        },
      },
    ]);
  });

  it('goes on with every further question', async () => {
    const llm = new ScriptedLlm();
    prepareAnswers(1);
    let handedIn = 0;
    const bodies = script(() => {
      handedIn += 1;
      return { ...done, ...(handedIn < 4 ? { next: question(handedIn + 1) } : {}) };
    });
    expect(await compact(llm)).toMatchObject({ compacted: true });
    expect(llm.asked.map(({ messages }) => messages[0]?.content)).toEqual(
      [1, 2, 3, 4].map((part) => `Summarise part ${part}.`),
    );
    expect(bodies.map((body) => body['reservation_id'])).toEqual(['resv_1', 'resv_2', 'resv_3', 'resv_4']);
  });

  it('is done by the daemon alone where the host offers no model or nothing is prepared', async () => {
    const bodies = script(() => done);
    await compact(undefined);
    daemon.script('/v1/prepare-compaction', () => ({ reply: { reason: 'summariser_is_extractive' } }));
    const llm = new ScriptedLlm();
    await compact(llm);
    daemon.script('/v1/prepare-compaction', () => ({ error: 'not_found' }));
    await compact(llm);
    expect(llm.asked).toEqual([]);
    expect(bodies.map((body) => body['answer'])).toEqual([undefined, undefined, undefined]);
  });

  it('is done by the daemon alone when what was handed in came to nothing', async () => {
    prepareAnswers(1);
    const bodies = script((body) =>
      'answer' in body ? { ok: false, compacted: false, reason: 'disk_full', tokens_before: 5, tokens_after: 5 } : done,
    );
    expect(await compact(new ScriptedLlm())).toMatchObject({ ok: true, compacted: true });
    expect(bodies).toHaveLength(2);
  });

  it('hands in that the model failed, so that the daemon writes the summary', async () => {
    const llm = new ScriptedLlm();
    llm.answer = () => Promise.reject(new Error('HTTP 429'));
    prepareAnswers(1);
    const bodies = script(() => done);
    expect(await compact(llm)).toMatchObject({ compacted: true });
    expect(bodies[0]?.['answer']).toEqual({ failure: 'Error: HTTP 429' });
  });

  it.each([
    ['no text', { text: undefined }],
    ['nothing', undefined],
  ])('hands in that the model gave %s', async (_, odd) => {
    const llm = new ScriptedLlm();
    llm.answer = () => Promise.resolve(odd as unknown as HostCompleteResult);
    prepareAnswers(1);
    const bodies = script(() => done);
    await compact(llm);
    expect(bodies[0]?.['answer']).toEqual({ failure: 'the host’s model gave no text' });
  });

  it('ends when the host gives up, without a further call, though the model is deaf', async () => {
    const llm = new ScriptedLlm();
    const host = new AbortController();
    llm.answer = () => {
      setTimeout(() => host.abort(), 5);
      return deaf();
    };
    prepareAnswers(1);
    const bodies = script(() => done);
    expect(await compact(llm, { abortSignal: host.signal })).toEqual({
      ok: false,
      compacted: false,
      reason: 'aborted',
    });
    expect(bodies).toEqual([]);
    expect(llm.asked[0]?.signal?.aborted).toBe(true);
  });

  it('does not wait for a deaf model when the host gave up before it was asked', async () => {
    const llm = new ScriptedLlm();
    llm.answer = deaf;
    const signal = AbortSignal.abort();
    const answer = await askHostModel(runtime, llm, identity, asked(1), { totalMs: 60_000, signal });
    expect(answer).toBeUndefined();
  });

  it('is left to the host when the daemon goes away in the middle', async () => {
    const llm = new ScriptedLlm();
    llm.answer = async () => {
      await daemon.down();
      return result('## What happened');
    };
    prepareAnswers(1);
    expect(await compact(llm)).toEqual({ ok: true, compacted: true, reason: 'by the host' });
    expect(warnings.join('\n')).toContain('could not be handed in');
    await daemon.up();
  });

  it('S55: its limits nest below the 180 s of the host, with time left for the runtime of the host', () => {
    const { spoolMs, prepareMs, modelMs, compactMs } = compactLimits;
    expect(askLimits.answerMs + askLimits.storeMs).toBeLessThanOrEqual(modelMs);
    expect(spoolMs + prepareMs + modelMs + compactMs).toBeLessThanOrEqual(hostLimitMs - 20_000);
  });
});

describe('the time of a model', () => {
  const ask = (llm: HostLlm, limits: Parameters<typeof askHostModel>[4]) =>
    askHostModel(runtime, llm, identity, asked(1), limits);

  it('is limited per answer, whether or not the model looks at its signal', async () => {
    const llm = new ScriptedLlm();
    llm.answer = deaf;
    const bodies = script(() => done);
    expect(await ask(llm, { totalMs: 10_000, answerMs: 20, storeMs: 1_000 })).toMatchObject({ compacted: true });
    expect(bodies[0]?.['answer']).toEqual({ failure: 'no answer within 0 s' });
    expect(llm.asked[0]?.signal?.aborted).toBe(true);
  });

  it('is limited for all answers together: what is left is left for the next time', async () => {
    const llm = new ScriptedLlm();
    llm.answer = async () => {
      await new Promise((resolve) => setTimeout(resolve, 60));
      return result('## What happened');
    };
    let parts = 1;
    const bodies = script(() => ({ ...done, next: question((parts += 1)) }));
    const answer = await ask(llm, { totalMs: 300, answerMs: 1_000, storeMs: 200 });
    expect(answer?.compacted).toBe(true);
    expect(answer?.next).toBeDefined();
    expect(bodies.length).toBeLessThanOrEqual(3);
  });

  it('is not spent on more than twelve questions', async () => {
    const llm = new ScriptedLlm();
    let parts = 1;
    script(() => ({ ...done, next: question((parts += 1)) }));
    await ask(llm, { totalMs: 60_000 });
    expect(llm.asked).toHaveLength(12);
  });

  it('ends with a refused reservation', async () => {
    const llm = new ScriptedLlm();
    daemon.script('/v1/compact', () => ({ error: 'reservation_expired' }));
    expect(await ask(llm, { totalMs: 60_000 })).toBeUndefined();
    expect(llm.asked).toHaveLength(1);
  });
});

describe('maintain', () => {
  const rewriteTranscriptEntries = (): void => undefined;

  const maintain = async (context: MaintainParams['runtimeContext'], more: Partial<MaintainParams> = {}) => {
    await maintainSession(runtime, {
      ...session,
      ...more,
      ...(context === undefined ? {} : { runtimeContext: context }),
    });
  };

  /** The daemon has one compaction waiting. */
  function due(): Record<string, unknown>[] {
    const offers: Record<string, unknown>[] = [];
    daemon.script('/v1/maintain', (body) => {
      offers.push(body);
      return { reply: { changed: false, ...(body['can_complete'] === true ? { compaction: question(1) } : {}) } };
    });
    return offers;
  }

  it('after a turn offers the model, and has it write the summary that is due', async () => {
    const llm = new ScriptedLlm();
    const offers = due();
    const bodies = script(() => done);
    await maintain({ llm, rewriteTranscriptEntries });
    expect(offers).toEqual([{ ...identity, can_complete: true }]);
    expect(bodies).toMatchObject([{ ...identity, reservation_id: 'resv_1', answer: { text: '## What happened' } }]);
  });

  it('while a turn is prepared never asks the model: somebody waits', async () => {
    const llm = new ScriptedLlm();
    const offers = due();
    await maintain({ llm });
    await maintain(undefined);
    expect(offers).toEqual([
      { ...identity, can_complete: false },
      { ...identity, can_complete: false },
    ]);
    expect(llm.asked).toEqual([]);
  });

  it('stops when the host gives up', async () => {
    const llm = new ScriptedLlm();
    const host = new AbortController();
    llm.answer = () => {
      setTimeout(() => host.abort(), 5);
      return deaf();
    };
    due();
    const bodies = script(() => done);
    await maintain({ llm, rewriteTranscriptEntries }, { abortSignal: host.signal });
    expect(bodies).toEqual([]);
  });

  it('changes nothing with the daemon away', async () => {
    const llm = new ScriptedLlm();
    await daemon.down();
    const host = new ScriptedHost();
    host.register({ dataDir: daemon.dataDir });
    const engine = await host.engine();
    expect(await engine.maintain({ ...session, runtimeContext: { llm, rewriteTranscriptEntries } })).toEqual({
      changed: false,
      bytesFreed: 0,
      rewrittenEntries: 0,
    });
    expect(llm.asked).toEqual([]);
    await daemon.up();
  });
});
