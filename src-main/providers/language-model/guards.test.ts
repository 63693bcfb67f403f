import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { languageModelSchema } from '../../../src-shared/model/language-model-config.ts';
import { scriptedClock } from '../../engine/testing/scripted-clock.ts';
import { createInlineTokenizer } from '../tokenizer/create-inline-tokenizer.ts';
import { createLanguageModel } from './create-language-model.ts';
import { openModelServer } from './testing/model-server.ts';

const question = { system: 'Count.', prompt: 'One?', maxOutputTokens: 500 };
const usage = { prompt_tokens: 600, completion_tokens: 200 };

async function setUp(answers: Parameters<typeof openModelServer>[0], config: Record<string, unknown> = {}, env = {}) {
  const dataDir = await mkdtemp(join(tmpdir(), 'strata-model-'));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const server = await openModelServer(answers);
  const clock = scriptedClock();
  const troubles: unknown[] = [];
  const start = () => {
    const model = createLanguageModel({
      config: languageModelSchema.parse({ base_url: server.url, model: 'm', retries: 0, ...config }),
      env,
      tokenizer: createInlineTokenizer(),
      now: () => clock.now(),
      dataDir,
      onTrouble: (error) => troubles.push(error),
    });
    if (!model) throw new Error('no model');
    return model;
  };
  return { server, clock, dataDir, troubles, start, model: start() };
}

describe('the configured model', () => {
  it('S66: there is none without base_url', async () => {
    const { dataDir } = await setUp(['x']);
    const config = languageModelSchema.parse({ model: 'm' });
    const parts = {
      config,
      env: {},
      tokenizer: createInlineTokenizer(),
      now: () => 0,
      dataDir,
      onTrouble: () => undefined,
    };
    expect(createLanguageModel(parts)).toBeUndefined();
  });

  it('S66: model names what the endpoint is asked for', async () => {
    const { server, model } = await setUp(['x'], { model: 'qwen3:8b' });
    await model.complete(question);
    expect(server.asked[0]?.body.model).toBe('qwen3:8b');
  });

  it('S66: max_input_tokens and max_output_tokens are what callers go by', async () => {
    const { model } = await setUp(['x'], { max_input_tokens: 3_000, max_output_tokens: 700 });
    expect(model).toMatchObject({ maxInputTokens: 3_000, maxOutputTokens: 700 });
  });

  it('S66: api_key goes to the endpoint, and so does what api_key_env names', async () => {
    const first = await setUp(['x'], { api_key: 'sk-in-file' });
    await first.model.complete(question);
    expect(first.server.asked[0]?.headers.authorization).toBe('Bearer sk-in-file');
    const second = await setUp(['x'], { api_key_env: 'MY_KEY' }, { MY_KEY: ' sk-in-env\n' });
    await second.model.complete(question);
    expect(second.server.asked[0]?.headers.authorization).toBe('Bearer sk-in-env');
  });

  it('a variable that is not set is told by its name, and nothing is sent', async () => {
    const { server, model } = await setUp(['x'], { api_key_env: 'MY_KEY' });
    await expect(model.complete(question)).rejects.toMatchObject({
      code: 'model_refused',
      message: expect.stringContaining('MY_KEY'),
    });
    expect(server.asked).toEqual([]);
  });
});

describe('the circuit breaker', () => {
  it('S57: after three failures in a row the endpoint is left alone for a minute, then asked once', async () => {
    const { server, clock, model } = await setUp([{ status: 500 }]);
    const fail = (): Promise<unknown> => model.complete(question).catch((error: unknown) => error);
    for (let count = 0; count < 3; count += 1) await fail();
    expect(await fail()).toMatchObject({ code: 'model_unavailable', message: expect.stringContaining('60 s') });
    expect(server.asked).toHaveLength(3);
    clock.advance(60_000);
    await Promise.all([fail(), fail(), fail()]);
    expect(server.asked).toHaveLength(4);
  });

  it('one success opens the way again', async () => {
    const { server, clock, model } = await setUp([{ status: 500 }, { status: 500 }, { status: 500 }, 'back']);
    for (let count = 0; count < 3; count += 1) await model.complete(question).catch(() => undefined);
    clock.advance(60_001);
    for (let count = 0; count < 3; count += 1) expect((await model.complete(question)).text).toBe('back');
    expect(server.asked).toHaveLength(6);
  });

  it('a clock that is set back does not keep it shut', async () => {
    const { server, clock, model } = await setUp([{ status: 500 }, { status: 500 }, { status: 500 }, 'back']);
    for (let count = 0; count < 3; count += 1) await model.complete(question).catch(() => undefined);
    clock.advance(-3_600_000);
    expect((await model.complete(question)).text).toBe('back');
    expect(server.asked).toHaveLength(4);
  });

  it('answers that are no completions say nothing of the next one', async () => {
    const { server, model } = await setUp([{ body: '{}' }]);
    for (let count = 0; count < 5; count += 1) await model.complete(question).catch(() => undefined);
    expect(server.asked).toHaveLength(5);
  });
});

describe('the spend guard', () => {
  it('S66: daily_token_limit refuses what could exceed it, before anything is sent, until the next day', async () => {
    const { server, clock, model } = await setUp([{ text: 'x', usage }], { daily_token_limit: 2_000 });
    await model.complete(question);
    await model.complete(question);
    await expect(model.complete(question)).rejects.toMatchObject({
      code: 'spend_limit',
      details: { spent: 1_600, limit: 2_000 },
    });
    expect(server.asked).toHaveLength(2);
    clock.advance(24 * 3_600_000);
    await model.complete(question);
    expect(server.asked).toHaveLength(3);
  });

  it('counts that cannot be are estimated instead: what is spent never goes down', async () => {
    const bad = { text: 'x', usage: { prompt_tokens: -1_000_000, completion_tokens: -0.5 } };
    const { dataDir, model } = await setUp([{ text: 'x', usage }, bad]);
    await model.complete(question);
    await model.complete(question);
    const { tokens } = JSON.parse(await readFile(join(dataDir, 'model-usage.json'), 'utf8')) as { tokens: number };
    expect(tokens).toBeGreaterThan(800);
    expect(tokens).toBeLessThan(850);
  });

  it('an answer that comes after midnight counts for the day that has begun, and does not undo what that day has spent', async () => {
    const { clock, dataDir, model } = await setUp((_, index) => {
      if (index === 0) clock.advance(24 * 3_600_000);
      return { text: 'x', usage };
    });
    await model.complete(question);
    await model.complete(question);
    expect(await readFile(join(dataDir, 'model-usage.json'), 'utf8')).toContain('1600');
  });

  it('0 sets no limit', async () => {
    const { server, model } = await setUp([{ text: 'x', usage: { prompt_tokens: 9e9, completion_tokens: 9e9 } }], {
      daily_token_limit: 0,
    });
    await model.complete(question);
    await model.complete(question);
    expect(server.asked).toHaveLength(2);
  });

  it('requests at the same time count together', async () => {
    const { server, model } = await setUp([{ text: 'x', usage }], { daily_token_limit: 1_100 });
    const results = await Promise.allSettled([1, 2, 3].map(() => model.complete(question)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
    expect(server.asked).toHaveLength(2);
  });

  it('a restart does not begin a new day; the file is for its owner only', async () => {
    const { server, dataDir, model, start } = await setUp([{ text: 'x', usage }], { daily_token_limit: 1_000 });
    await model.complete(question);
    expect(await readFile(join(dataDir, 'model-usage.json'), 'utf8')).toContain('800');
    await expect(start().complete(question)).rejects.toMatchObject({ code: 'spend_limit' });
    expect(server.asked).toHaveLength(1);
  });

  it('a file that is no ledger counts as none, and is told when it cannot be read at all', async () => {
    const { dataDir, troubles, start } = await setUp([{ text: 'x', usage }]);
    await writeFile(join(dataDir, 'model-usage.json'), 'not json');
    expect((await start().complete(question)).text).toBe('x');
    expect(troubles).toHaveLength(1);
  });

  it('what came to nothing counts with its prompt, what was never worked on does not', async () => {
    const late = await setUp([{ never: true }], { timeout_ms: 30 });
    await late.model.complete(question).catch(() => undefined);
    const { tokens } = JSON.parse(await readFile(join(late.dataDir, 'model-usage.json'), 'utf8')) as { tokens: number };
    expect(tokens).toBeGreaterThan(0);
    expect(tokens).toBeLessThan(50);
    const refused = await setUp([{ status: 401 }]);
    await refused.model.complete(question).catch(() => undefined);
    await expect(readFile(join(refused.dataDir, 'model-usage.json'), 'utf8')).rejects.toThrow('ENOENT');
  });
});
