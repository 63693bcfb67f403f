import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { openEngineFixture, type EngineFixture, type FixtureOptions } from '../testing/engine-fixture.ts';
import {
  expectAllTurnsAccounted,
  expectEstimateCovers,
  expectHostOrder,
  expectNewestIsSent,
  expectSoundDecisions,
  expectStartsAtUser,
  expectValidList,
  expectWithinBudget,
  isBlank,
  textsOf,
  type Answer,
} from './testing/check-answer.ts';
import { conversationScript, messagesOf } from './testing/random-conversation.ts';

/** One call on one random conversation. */
const scenario = fc.record({
  script: conversationScript,
  format: fc.constantFrom('openclaw' as const, 'openai' as const),
  history: fc.constantFrom('full' as const, 'window' as const),
  /** Share of the messages that is stored, and of those that a window shows. */
  stored: fc.constantFrom(0, 0.3, 0.7, 1),
  shown: fc.constantFrom(0, 0.2, 0.6, 1),
  /** Of a whole list only the first message and this many of the newest are described. */
  described: fc.constantFrom(undefined, undefined, 3, 9),
  budget: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 6_000 }), fc.constant(200_000)),
  compactions: fc.constantFrom(0, 0, 1, 2),
  prompt: fc.constantFrom(undefined, 'and now?'),
  tools: fc.constantFrom<(string[] | undefined)[]>(undefined, ['memory_expand']),
});
type Scenario = typeof scenario extends fc.Arbitrary<infer T> ? T : never;

const strategies = ['strata', 'legacy'] as const;

describe.each(strategies)('with the strategy %s', (strategy) => {
  it('every list is valid, complete, in order, within its budget and accounted for', async () => {
    const options: FixtureOptions = {
      config: {
        strategy: { default: strategy },
        assemble: { standing_instructions: 'Be brief.', deadline_ms: 60_000 },
      },
    };
    const fixture = await openEngineFixture(options);
    let session = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async (given) => {
        session += 1;
        await checkCall(fixture, given, `s${session}`);
      }),
      { numRuns: 120, seed: 20261102, endOnFailure: true },
    );
  }, 60_000);
});

async function checkCall(fixture: EngineFixture, given: Scenario, session_id: string): Promise<void> {
  const all = messagesOf(given.script, given.format);
  const identity = { session_id, session_key: `agent:main:${session_id}`, format: given.format };
  const storedCount = Math.round(all.length * given.stored);
  const stored = all.slice(0, storedCount);
  for (let from = 0; from < stored.length; from += 5) {
    const messages = stored.slice(from, from + 5);
    await fixture.send('commitTurn', { body: { ...identity, messages, advancement_key: `${session_id}-${from}` } });
    if (from === 10 && given.compactions > 0) await compact(fixture, session_id);
  }
  if (given.compactions === 2 && stored.length > 0) await compact(fixture, session_id);
  const first = given.history === 'full' ? 0 : Math.min(storedCount, Math.round(all.length * (1 - given.shown)));
  const host = all.slice(first);
  const tail = given.history === 'full' ? (given.described ?? host.length) : host.length;
  const indexes = [...host.keys()].filter((index) => index === 0 || index >= host.length - tail);
  const described = host.filter((_, index) => indexes.includes(index));
  const body = {
    ...identity,
    messages: described,
    ...(described.length === host.length ? {} : { indexes, host_count: host.length }),
    history: given.history,
    token_budget: given.budget,
    prompt: given.prompt,
    available_tools: given.tools,
  };
  const reply = await fixture.send('assemble', { body: { ...body, reply: 'messages' } });
  if (reply.degraded) {
    // Only where nothing of the list can be sent; then it is passed on as it came.
    expect(reply.degraded.code).toBe('strategy_failed');
    expect([reply.messages, host.length > 0]).toEqual([described, true]);
    return;
  }
  const { trace } = await fixture.send('call', { params: { id: reply.call_id } });
  const answer: Answer = { trace, messages: reply.messages ?? [], host, mayEndOpen: given.prompt === undefined };

  expectValidList(answer);
  const inScope = given.history === 'full' ? described : all;
  expectStartsAtUser(answer, inScope.some(isUsableUser));
  expectHostOrder(answer);
  expectNewestIsSent(answer);
  expectSoundDecisions(answer);
  expectWithinBudget(answer);
  expectEstimateCovers(answer);
  const { items } = await fixture.store.listSessions(
    { cursor: undefined, limit: 1_000 },
    { sessionKey: identity.session_key },
  );
  expectAllTurnsAccounted(answer, items[0]?.epochStart ?? 0, items[0]?.lastSequence ?? 0);

  // The same again, as a plan: the same list, byte for byte, and the host's own messages by index.
  const again = await fixture.send('assemble', { body: { ...body, reply: 'plan' } });
  const resolved = (again.plan ?? []).map((entry) => ('host' in entry ? host[entry.host] : entry.inline));
  expect(JSON.stringify(resolved)).toBe(JSON.stringify(reply.messages));
  const { trace: second } = await fixture.send('call', { params: { id: again.call_id } });
  expect(second.output_hash).toBe(trace.output_hash);
  expect(second.input_hash).toBe(trace.input_hash);
}

async function compact(fixture: EngineFixture, session_id: string): Promise<void> {
  const reply = await fixture.send('compact', {
    body: { session_id, session_key: `agent:main:${session_id}`, force: true, trigger: 'manual', token_budget: 800 },
  });
  expect(reply.ok).toBe(true);
}

function isUsableUser(message: HostMessage): boolean {
  return message['role'] === 'user' && !isBlank(message) && textsOf(message).some((text) => text.trim() !== '\u0000');
}
