import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { routes } from '../../src-shared/protocol/routes.ts';
import { startHost, type Host } from '../host.ts';
import { temporaryDirectory } from './testing/temporary-directory.ts';

type Route = (typeof routes)[number];

const oddValue = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('\ud800', '\0', '__proto__', '', ' ', 'constructor', 'user', 'toolResult', 'a'.repeat(2_000)),
  fc.integer(),
  fc.double(),
  fc.boolean(),
  fc.constant(null),
);
const knownKey = fc.constantFrom(
  'role',
  'content',
  'type',
  'text',
  'id',
  'name',
  'arguments',
  'usage',
  '__openclaw',
  'ref',
);
const anyJson = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    oddValue,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(fc.string({ maxLength: 5 }), knownKey), tie('value'), { maxKeys: 6 }),
  ),
})).value;

function rarely<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(value, { nil: undefined, freq: 1 });
}

const part = fc.record({
  type: fc.constantFrom('text', 'toolCall', 'thinking', 'image', 'tool_use', 'image_url', 'hologram'),
  text: rarely(anyJson),
  id: rarely(anyJson),
  name: rarely(anyJson),
  arguments: rarely(anyJson),
});
const message = fc.record({
  role: fc.constantFrom('user', 'assistant', 'toolResult', 'tool', 'system', 'custom', 'compactionSummary', 'oracle'),
  content: fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), fc.array(part, { maxLength: 4 }), anyJson),
  timestamp: rarely(anyJson),
  toolCallId: rarely(oddValue),
  tool_calls: rarely(fc.oneof(anyJson, fc.array(fc.record({ id: oddValue, function: anyJson }), { maxLength: 3 }))),
  tool_call_id: rarely(oddValue),
  usage: rarely(anyJson),
  excludeFromContext: rarely(anyJson),
});
/** Fields of all routes at once: each route takes its own. */
const body = fc.record({
  session_id: fc.constantFrom('a', 'b', '\0', '\ud800'),
  session_key: fc.constantFrom(undefined, 'agent:main:main', 'agent:x:subagent:1', 'odd key'),
  format: fc.constantFrom('openclaw', 'openai'),
  messages: fc.array(message, { maxLength: 8 }),
  advancement_key: fc.string({ minLength: 1 }),
  token_budget: fc.constantFrom(undefined, 1, 100, 5_000, Number.MAX_SAFE_INTEGER),
  history: fc.constantFrom(undefined, 'full', 'window'),
  reply: fc.constantFrom(undefined, 'plan', 'messages'),
  prompt: fc.constantFrom(undefined, '', '\ud800'),
  cursor: fc.constantFrom(undefined, 'c', '\0'),
  transcript: fc.constantFrom(undefined, 'reset', 'page'),
  force: fc.constantFrom(undefined, true),
  reason: fc.constantFrom('reset', 'new', 'deleted'),
  events: fc.constant([
    { type: 'turn_seen', session_id: 'a' },
    { type: 'usage', session_id: 'a', input: 1e308, output: 0.5 },
  ]),
  uri: fc.oneof(fc.constantFrom('strata://session/default/x/turn/1', 'strata://session/%zz'), fc.string()),
  query: fc.constantFrom(undefined, '*', '"', 'x AND', '\0'),
  jsonl: fc.oneof(fc.constantFrom('', '{', '{"type":"strata.session","version":1}\n{"type":"turn"}'), fc.string()),
  code: fc.constant('wrong'),
});

const writing = routes.filter((route) => route.method === 'POST');
const reading = routes.filter((route) => route.path.startsWith('/v1/sessions/{id}') && route.replyKind === 'json');

describe('whatever is sent', () => {
  it('is answered with what the route promises or with a typed refusal, and everything can be read afterwards', async () => {
    const host = await startHost({ dataDir: await temporaryDirectory(), port: 0, mode: 'headless', version: '1' });
    onTestFinished(async () => host.close());
    const requests = fc.sample(
      fc.tuple(
        fc.constantFrom(...writing),
        fc.oneof({ weight: 9, arbitrary: body }, { weight: 1, arbitrary: anyJson }),
      ),
      { numRuns: 300, seed: 7 },
    );
    const problems: string[] = [];
    let served = 0;
    for (const [route, content] of requests) {
      const response = await send(host, route.path, JSON.stringify(content));
      if (response.ok) served += 1;
      problems.push(...(await problemsOf(route, response)));
    }
    const sessions = await send(host, '/v1/sessions?limit=1000');
    const { items } = (await sessions.json()) as { items: { session_uid: string }[] };
    for (const { session_uid } of items) {
      for (const route of reading) {
        problems.push(...(await problemsOf(route, await send(host, route.path.replace('{id}', session_uid)))));
      }
    }
    expect(problems).toEqual([]);
    expect(served).toBeGreaterThan(100);
    expect(items.length).toBeGreaterThan(3);
  });
});

async function send(host: Host, path: string, text?: string): Promise<Response> {
  const headers = { Authorization: `Bearer ${host.token}`, 'Content-Type': 'application/json' };
  return fetch(host.url + path, text === undefined ? { headers } : { method: 'POST', headers, body: text });
}

async function problemsOf(route: Route, response: Response): Promise<string[]> {
  const text = await response.text();
  const value: unknown = JSON.parse(text);
  if (response.ok) {
    const issue = route.reply.safeParse(value).error?.issues[0];
    return issue ? [`${route.name}: ${issue.path.join('.')}: ${issue.message}`] : [];
  }
  return response.status >= 500 ? [`${route.name}: ${text.slice(0, 300)}`] : [];
}
