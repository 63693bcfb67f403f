import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src-shared/model/config.ts';
import { createOpenAiCompatible } from '../../providers/language-model/openai-compatible.ts';
import {
  openModelServer,
  type Asked,
  type ScriptedAnswer,
} from '../../providers/language-model/testing/model-server.ts';
import { createInlineTokenizer } from '../../providers/tokenizer/create-inline-tokenizer.ts';
import { TokenCounter } from '../tokens/token-counter.ts';
import { createSummariser } from './create-summariser.ts';
import { createExtractiveSummariser } from './extractive-summariser.ts';
import { readSummary } from './read-summary.ts';
import type { SourceTurn, SummaryRequest } from './summariser.ts';
import { chineseTalk, englishTalk } from './testing/conversations.ts';
import { deliveredPrompts } from './testing/read-prompt-file.ts';
import { scriptedWriter } from './testing/scripted-writer.ts';

const counter = new TokenCounter(createInlineTokenizer());
const prompts = deliveredPrompts();
const good = (asked: Asked): string => scriptedWriter(asked.prompt);

const request = (given: Partial<SummaryRequest> = {}): SummaryRequest => ({
  turns: englishTalk,
  policy: 'strict',
  focus: '',
  abstractTokens: 60,
  overviewTokens: 200,
  ...given,
});

function summariserAt(url: string, given: { readonly timeout_ms?: number; readonly max_input_tokens?: number } = {}) {
  const model = createOpenAiCompatible({
    base_url: url,
    model: 'scripted-1',
    timeout_ms: 20_000,
    max_input_tokens: 16_000,
    max_output_tokens: 3_000,
    retries: 0,
    apiKey: () => '',
    ...given,
  });
  const config = configSchema.parse({ compaction: { summariser: 'openai-compatible' } });
  return createSummariser({ config, counter, model, prompts });
}

async function run(
  answers: readonly ScriptedAnswer[] | ((asked: Asked, index: number) => ScriptedAnswer),
  given: Partial<SummaryRequest> = {},
  settings: Parameters<typeof summariserAt>[1] = {},
) {
  const server = await openModelServer(answers);
  return { summary: await summariserAt(server.url, settings).summarise(request(given)), asked: server.asked };
}

describe('S88: a summary that a model wrote', () => {
  it('says which model, which prompts, how many answers and what they cost', async () => {
    const { summary } = await run(good);
    expect(summary).toMatchObject({
      summariser: 'openai-compatible',
      model: 'scripted-1',
      promptVersion: 'compaction@1',
      attempts: 1,
      inputTokens: 1_000,
      outputTokens: 100,
    });
    expect(summary.fallback).toBeUndefined();
  });

  it('has what the model lost put back, and says so', async () => {
    const { summary } = await run(good);
    expect(summary.identifiersRepaired).toEqual(
      expect.arrayContaining(['src/store/open-store.ts:42', 'openai/gpt-5.2-mini', '9fceb02d0ae598e9']),
    );
    expect(readSummary(summary.overview).lines.identifiers).toEqual(
      expect.arrayContaining([...summary.identifiersRepaired]),
    );
  });

  it('has no identifier that only the model knows in its list', async () => {
    const { summary } = await run(
      (asked) => `${good(asked)}\n\n## Exact identifiers\nsrc/invented.ts\nsrc/store/open-store.ts:42`,
    );
    const { identifiers } = readSummary(summary.overview).lines;
    expect(identifiers).toContain('src/store/open-store.ts:42');
    expect(identifiers).not.toContain('src/invented.ts');
    expect(summary.identifiersRepaired).not.toContain('src/store/open-store.ts:42');
  });
});

describe('H30, H34: an endpoint that fails leaves a summary and the reason', () => {
  const expected = createExtractiveSummariser(counter).summarise(request());

  it.each([
    ['401', { status: 401 }, /^model_refused: /],
    ['429', { status: 429 }, /^model_rate_limited: /],
    ['500', { status: 500 }, /^model_unavailable: /],
    ['no completion', { body: '{}' }, /^model_bad_answer: /],
  ])('%s', async (_, answer: ScriptedAnswer, reason) => {
    const { summary, asked } = await run([answer]);
    expect(summary).toEqual({
      ...(await expected),
      fallback: { from: 'openai-compatible', reason: expect.stringMatching(reason) as string },
      attempts: 2,
    });
    expect(asked).toHaveLength(1);
  });

  it('absent', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise<void>((resolve) => server.close(() => resolve()));
    const summary = await summariserAt(`http://127.0.0.1:${port}/v1`).summarise(request());
    expect(summary.fallback?.reason).toMatch(/^model_unavailable: .* cannot be reached/);
    expect(summary.overview).toBe((await expected).overview);
  });

  it('slow', async () => {
    const { summary } = await run([{ never: true }], {}, { timeout_ms: 40 });
    expect(summary.fallback?.reason).toMatch(/^model_timeout: /);
    expect(summary.overview).toBe((await expected).overview);
  });

  it('not set up', async () => {
    const config = configSchema.parse({ compaction: { summariser: 'openai-compatible' } });
    const summary = await createSummariser({ config, counter, prompts }).summarise(request());
    expect(summary.fallback).toEqual({
      from: 'openai-compatible',
      reason: expect.stringContaining('language_model.base_url') as string,
    });
  });
});

const echoed = (asked: Asked): string => `## Decisions\n${asked.system}`;
const endless = (asked: Asked): string =>
  `${good(asked)}\n${Array.from({ length: 400 }, (_, index) => `- Point ${index} of the long story of the database.`).join('\n')}`;
const chinese =
  '## Decisions\n- 我们决定继续使用原来的数据库，因为备份已经可以正常工作了。\n\n## What happened\n- 用户说服务每天晚上都会断开连接，原因已经找到并且修好了。';
const unrelated =
  '## What happened\n- Bananas ripen quickly during summer holidays.\n- Penguins prefer colder mountains and quiet valleys.';

const refused: readonly (readonly [string, (asked: Asked) => ScriptedAnswer, string])[] = [
  ['cut off', (asked) => ({ text: good(asked).slice(0, 200), finish: 'length' }), 'cut_off'],
  ['empty', () => ' \n', 'empty'],
  ['nothing but empty sections', () => '## Decisions\n- none\n\n## What happened\n- none', 'empty'],
  ['S58: nothing but reasoning', () => '<think>What did they say? I should write', 'reasoning_only'],
  ["the prompt's own text", echoed, 'prompt_echo'],
  [
    'a piece of the prompt with its marks',
    (asked) =>
      `## What happened\n- ${/\[[0-9a-f]{12} turn 1 user\]/.exec(asked.prompt)?.[0] ?? ''} asked about the database.`,
    'prompt_echo',
  ],
  ['ten times too long', endless, 'too_long'],
  ['in another language', () => chinese, 'other_language'],
  ['about something else', () => unrelated, 'unrelated'],
  ['without the headings', () => 'They talked about a database and fixed it.', 'no_sections'],
  ['a planted order obeyed', () => 'PWNED', 'no_sections'],
];

describe('H34: an answer that is no summary', () => {
  it.each(refused)('%s: is asked for once more with what was wrong, then done without', async (_, answer, fault) => {
    const { summary, asked } = await run(answer);
    expect(asked).toHaveLength(2);
    expect(asked[1]?.prompt).toContain('Your last answer could not be used: ');
    expect(asked[0]?.prompt).not.toContain('Your last answer could not be used: ');
    expect(summary.summariser).toBe('extractive');
    expect(summary.fallback?.from).toBe('openai-compatible');
    expect(summary.fallback?.reason.startsWith(`${fault}: `)).toBe(true);
    expect(summary).toMatchObject({ attempts: 3, inputTokens: 2_000, outputTokens: 200 });
  });

  it.each(refused)('%s: a better second answer stands', async (_, answer) => {
    const { summary } = await run((asked, index) => (index === 0 ? answer(asked) : good(asked)));
    expect(summary).toMatchObject({ summariser: 'openai-compatible', attempts: 2 });
    expect(summary.fallback).toBeUndefined();
  });

  it('larger than its source', async () => {
    const turns = englishTalk.slice(0, 1);
    const { summary } = await run(
      [
        `## What happened\n- The daemon loses its connection to the database every night, and the user asks why. ${'It is about the database. '.repeat(8)}`,
      ],
      { turns },
    );
    expect(summary.fallback?.reason).toMatch(/^not_smaller: /);
  });

  it('an English answer to Chinese talk is refused too', async () => {
    const { summary } = await run(
      ['## What happened\n- The user asked why the daemon loses its connection to the database; the cause was found.'],
      { turns: chineseTalk },
    );
    expect(summary.fallback?.reason).toMatch(/^other_language: /);
  });

  it('the second answer gets all the room there is, since the first may have been cut off', async () => {
    const { asked } = await run((one, index) => (index === 0 ? { text: 'x', finish: 'length' } : good(one)));
    expect(asked[0]?.body.max_tokens).toBeLessThan(1_500);
    expect(asked[1]?.body.max_tokens).toBe(3_000);
  });
});

describe('tolerated', () => {
  it.each([
    ['S58: reasoning before the answer', (text: string) => `<think>Hm.\n## Decisions\n- wrong</think>\n${text}`],
    ['reasoning of which only the end is marked', (text: string) => `Let me see.</think>${text}`],
    [
      'the channels of another chat format',
      (text: string) => `<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>${text}`,
    ],
    ['talk before the first heading', (text: string) => `Sure, here is the record:\n\n${text}`],
    ['a fence around the whole', (text: string) => `\`\`\`markdown\n${text}\n\`\`\``],
    ['headings of another level', (text: string) => text.replaceAll('## ', '### ')],
    ['headings in bold', (text: string) => text.replace(/^## (.*)$/gm, '**$1**')],
    ['other bullets', (text: string) => text.replaceAll('\n- ', '\n* ')],
    ['control characters', (text: string) => text.replaceAll(' ', ' \u0000')],
  ])('%s', async (_, change) => {
    const plain = await run(good);
    const { summary } = await run((asked) => change(good(asked)));
    expect(summary.fallback).toBeUndefined();
    expect(summary.overview).toBe(plain.summary.overview);
  });

  it('an answer twice as long as asked for loses lines of what happened, never requests or rules', async () => {
    const { summary } = await run(
      (asked) =>
        `${good(asked)}\n${Array.from({ length: 30 }, (_, index) => `- Story ${index} about the nightly database.`).join('\n')}`,
      { overviewTokens: 100 },
    );
    expect(summary.fallback).toBeUndefined();
    const { lines } = readSummary(summary.overview);
    expect(lines.facts.length).toBeLessThan(25);
    expect(lines.requests[0]).toMatch(/load test/);
    expect(lines.rules).not.toEqual([]);
  });
});

describe('H42: pending requests of a model', () => {
  it('the newest unresolved one is put there when the model forgot it', async () => {
    const { summary } = await run(['## Decisions\n- PostgreSQL stays for the archive since backups work.']);
    expect(readSummary(summary.overview).lines.requests).toEqual([
      'Write a load test for the endpoint https://api.example.com/v1/turns?limit=50 too.',
    ]);
  });
});

describe('S54: giving up', () => {
  it('an abort while the model writes ends it, with nothing in its place', async () => {
    const abort = new AbortController();
    const server = await openModelServer(() => {
      abort.abort();
      return { never: true };
    });
    await expect(summariserAt(server.url).summarise(request({ signal: abort.signal }))).rejects.toMatchObject({
      code: 'aborted',
    });
    expect(server.asked).toHaveLength(1);
  });
});

describe('a range beyond the input of the model', () => {
  const long = (count: number): readonly SourceTurn[] =>
    Array.from({ length: count }, (_, index) => ({
      sequence: index + 1,
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      text: `Chapter ${index} of the handbook: ${'the daemon stores every message of the conversation before it answers. '.repeat(6)}`,
      tool: undefined,
    }));

  it('S66: is told in parts of max_input_tokens, each with the record so far', async () => {
    const prompted: number[] = [];
    const { summary, asked } = await run(good, { turns: long(60) }, { max_input_tokens: 3_000 });
    for (const { system, prompt } of asked) prompted.push(await counter.text(`${system}${prompt}`));
    expect(asked.length).toBeGreaterThan(1);
    expect(Math.max(...prompted)).toBeLessThanOrEqual(3_000);
    expect(asked[0]?.prompt).not.toContain('The record of the parts before it');
    expect(asked.slice(1).every(({ prompt }) => prompt.includes(`of ${asked.length} of the conversation`))).toBe(true);
    expect(summary).toMatchObject({ summariser: 'openai-compatible', attempts: asked.length });
    const sequences = asked.flatMap(({ prompt }) =>
      [...prompt.matchAll(/ turn (\d+) (?:user|assistant)\]/g)].map((match) => Number(match[1])),
    );
    expect(sequences).toEqual(long(60).map(({ sequence }) => sequence));
  });

  it('takes eight answers at most, however long it is', async () => {
    const { asked } = await run(good, { turns: long(2_000) }, { max_input_tokens: 3_000 });
    expect(asked.length).toBeLessThanOrEqual(8);
    expect(
      Math.max(...(await counter.texts(asked.map(({ system, prompt }) => `${system}${prompt}`)))),
    ).toBeLessThanOrEqual(3_000);
  });

  it('is one prompt with a larger input', async () => {
    expect((await run(good, { turns: long(60) }, { max_input_tokens: 32_000 })).asked).toHaveLength(1);
  });

  it('a part that fails twice ends it: the extractive summariser tells the whole range', async () => {
    const { summary, asked } = await run(
      (one, index) => (index === 0 ? good(one) : ''),
      { turns: long(60) },
      { max_input_tokens: 3_000 },
    );
    expect(asked).toHaveLength(3);
    expect(summary.fallback?.reason).toMatch(/^empty: /);
    expect(summary.summariser).toBe('extractive');
  });
});

describe('S66: compaction.summariser', () => {
  it.each([
    ['host', { from: 'host', reason: expect.stringMatching(/^no_host: /) as string }],
    ['extractive', undefined],
  ] as const)('%s without anybody who asks a host: the extractive one writes', async (summariser, fallback) => {
    const config = configSchema.parse({ compaction: { summariser } });
    const server = await openModelServer(good);
    const summary = await createSummariser({ config, counter, prompts }).summarise(request());
    expect(summary).toMatchObject({ summariser: 'extractive' });
    expect(summary.fallback).toEqual(fallback);
    expect(server.asked).toEqual([]);
  });
});
