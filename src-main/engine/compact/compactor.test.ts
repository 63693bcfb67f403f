import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CompactReply } from '../../../src-shared/protocol/compact.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { assemble, commit, said } from '../assemble/testing/assemble-session.ts';
import { conversationScript, messagesOf } from '../assemble/testing/random-conversation.ts';
import { wrapped } from '../assemble/testing/wrapped-store.ts';
import type { SessionStore } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture, type SentInput } from '../testing/engine-fixture.ts';
import {
  assistantMessage,
  conversation,
  mainSession,
  startTime,
  toolCallMessage,
  toolResultMessage,
  userMessage,
} from '../testing/messages.ts';

type CompactBody = NonNullable<SentInput<'compact'>['body']>;

function compact(fixture: EngineFixture, body: Partial<CompactBody> = {}): Promise<CompactReply> {
  return fixture.send('compact', { body: { ...mainSession, trigger: 'manual', ...body } });
}

async function checkpoints(fixture: EngineFixture) {
  const { items } = await fixture.send('sessions', {});
  const { items: found } = await fixture.send('sessionCheckpoints', { params: { id: items[0]?.session_uid ?? '' } });
  return found;
}

/** Exchanges that say something each. */
const talk = (count: number, from = 0): HostMessage[] =>
  Array.from({ length: count }, (_, index) => {
    const number = from + index + 1;
    return [
      userMessage(
        `Please look at part ${number} of src/part-${number}.ts and tell me what is wrong with its loop.`,
        number * 10,
      ),
      assistantMessage(
        `Part ${number} counts from ${number}, which is wrong; the fix is in src/part-${number}.ts now.`,
        number * 10 + 5,
      ),
    ];
  }).flat();

async function talked(count: number, options: Parameters<typeof openEngineFixture>[0] = {}): Promise<EngineFixture> {
  const fixture = await openEngineFixture(options);
  await store(fixture, talk(count));
  return fixture;
}

async function store(fixture: EngineFixture, messages: readonly HostMessage[]): Promise<void> {
  for (let from = 0; from < messages.length; from += 20) await commit(fixture, messages.slice(from, from + 20));
}

describe('a forced compaction', () => {
  it.each([200, 2_000, 20_000, 200_000])('H13: shrinks, however large the budget is (%i)', async (token_budget) => {
    const fixture = await talked(20);
    const reply = await compact(fixture, { force: true, token_budget });
    expect(reply).toMatchObject({ ok: true, compacted: true });
    expect(reply.tokens_after).toBeLessThan(reply.tokens_before);
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint?.summary_tokens).toBeLessThan(checkpoint?.source_tokens ?? 0);
    expect(reply.summary).toBe(checkpoint?.overview);
    expect(reply.summary?.trim()).not.toBe('');
  });

  it('keeps the newest turns raw and archives exactly what is before them', async () => {
    const fixture = await talked(20);
    await compact(fixture, { force: true, token_budget: 100_000 });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({
      source_turn_range: { start_sequence: 1, end_sequence: 32 },
      archive_index: 0,
      epoch: 0,
    });
    const call = await assemble(fixture, { messages: talk(20) });
    expect(call.messages.slice(1)).toEqual(talk(20).slice(32));
  });

  it('H14: says why when nothing is freed, and leaves no checkpoint', async () => {
    const fixture = await openEngineFixture();
    await commit(fixture, [
      userMessage('hi', 1),
      assistantMessage('hello', 2),
      userMessage('ok', 3),
      assistantMessage('ok', 4),
    ]);
    const reply = await compact(fixture, { force: true });
    expect(reply).toMatchObject({ ok: true, compacted: false, reason: 'summary_not_smaller' });
    expect(reply.tokens_after).toBe(reply.tokens_before);
    expect(await checkpoints(fixture)).toEqual([]);
  });

  it('S49: tries the last cut there is before it gives up', async () => {
    const fixture = await openEngineFixture();
    // The first cut would archive two tiny turns only; the last one archives the paste as well.
    await commit(fixture, [
      userMessage('hi', 1),
      assistantMessage('ok', 2),
      userMessage('paste '.repeat(900), 3),
      assistantMessage('read', 4),
      userMessage('go', 5),
    ]);
    const reply = await compact(fixture, { force: true, token_budget: 1_000 });
    expect(reply.compacted).toBe(true);
    expect(reply.tokens_after).toBeLessThan(reply.tokens_before / 2);
  });

  it.each([
    ['one turn', [userMessage('only this '.repeat(300), 1)]],
    ['one call with its result', [toolCallMessage('a', 1), toolResultMessage('a', 'data '.repeat(300), 2)]],
  ])('H12: a session of %s has nothing to compact', async (_, messages) => {
    const fixture = await openEngineFixture();
    await commit(fixture, messages);
    expect(await compact(fixture, { force: true })).toMatchObject({
      ok: true,
      compacted: false,
      reason: 'nothing_to_compact',
    });
  });

  it('a session of results only is answered, one way or the other', async () => {
    const fixture = await openEngineFixture();
    await commit(
      fixture,
      Array.from({ length: 30 }, (_, at) => toolResultMessage(`lost${at}`, 'data '.repeat(50), at)),
    );
    const reply = await compact(fixture, { force: true });
    expect(reply.ok).toBe(true);
    expect(reply.compacted ? reply.tokens_after < reply.tokens_before : reply.reason).toBeTruthy();
  });

  it('a giant tool loop is cut between its calls, also behind a call that was never answered', async () => {
    const fixture = await openEngineFixture();
    const loop = Array.from({ length: 60 }, (_, round) => [
      toolCallMessage(`call_${round}`, round * 10 + 5),
      toolResultMessage(`call${round}`, `row ${round} `.repeat(30), round * 10 + 6),
    ]).flat();
    const list = [userMessage('do it all', 1), toolCallMessage('never', 2), ...loop];
    await store(fixture, list);
    const reply = await compact(fixture, { force: true, trigger: 'overflow', token_budget: 2_000 });
    expect(reply.compacted).toBe(true);
    const [checkpoint] = await checkpoints(fixture);
    const end = checkpoint?.source_turn_range.end_sequence ?? 0;
    // Sequence 3 is the first answered call: a pair begins at each odd sequence.
    expect(end % 2).toBe(0);
    expect(end).toBeGreaterThan(60);
    const call = await assemble(fixture, { messages: list, token_budget: 2_000 });
    expect(call.messages.map((message) => message['role']).slice(0, 3)).toEqual([
      'compactionSummary',
      'assistant',
      'toolResult',
    ]);
  });

  it('never cuts before a user message that was said between a call and its result', async () => {
    const fixture = await openEngineFixture();
    const steered = Array.from({ length: 12 }, (_, round) => [
      toolCallMessage(`c${round}`, round * 10),
      userMessage(`steering ${round} ${'words '.repeat(30)}`, round * 10 + 1),
      toolResultMessage(`c${round}`, 'row '.repeat(60), round * 10 + 2),
    ]).flat();
    await store(fixture, [userMessage('go', 0), ...steered]);
    expect((await compact(fixture, { force: true, token_budget: 1_000 })).compacted).toBe(true);
    const [checkpoint] = await checkpoints(fixture);
    expect(((checkpoint?.source_turn_range.end_sequence ?? 0) - 1) % 3).toBe(0);
  });
});

describe('an unforced compaction', () => {
  it('leaves what fits its target', async () => {
    const fixture = await talked(5);
    const reply = await compact(fixture, { trigger: 'host', token_budget: 100_000 });
    expect(reply).toMatchObject({ ok: true, compacted: false, reason: 'nothing_to_compact' });
  });

  it('S43: goes by the smaller of the budget it is given and the one that assemble had', async () => {
    const fixture = await talked(30);
    await assemble(fixture, { messages: talk(30), token_budget: 1_500 });
    const reply = await compact(fixture, { trigger: 'host', token_budget: 272_000 });
    expect(reply.compacted).toBe(true);
    expect(reply.tokens_after).toBeLessThanOrEqual(1_500);
  });
});

describe('S55: the attempts of an overflow recovery', () => {
  it('each leave less than the one before, until there is nothing left to take', async () => {
    const fixture = await talked(80);
    const sizes: number[] = [];
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      const reply = await compact(fixture, {
        trigger: 'overflow',
        force: true,
        token_budget: 4_000,
        current_token_count: 5_000,
        attempt,
      });
      expect(reply.ok).toBe(true);
      if (reply.compacted) expect(reply.tokens_after).toBeLessThan(reply.tokens_before);
      else expect(reply.reason).toMatch(/nothing_to_compact|summary_not_smaller/);
      if (reply.compacted) sizes.push(reply.tokens_after);
    }
    expect(sizes.length).toBeGreaterThanOrEqual(2);
    expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
  });

  it('H12: what the provider counted beyond our list leaves less room', async () => {
    const [a, b] = [await talked(40), await talked(40)];
    const roomy = await compact(a, { trigger: 'overflow', token_budget: 8_000, current_token_count: 0 });
    const tight = await compact(b, { trigger: 'overflow', token_budget: 8_000, current_token_count: 9_500 });
    expect(tight.tokens_after).toBeLessThan(roomy.tokens_after);
  });
});

describe('one compaction after another', () => {
  it('the second archives only what came since', async () => {
    const fixture = await talked(20);
    await compact(fixture, { force: true });
    await store(fixture, talk(20, 20));
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
    const ranges = (await checkpoints(fixture)).map((checkpoint) => checkpoint.source_turn_range);
    expect(ranges[0]?.start_sequence).toBe((ranges[1]?.end_sequence ?? 0) + 1);
  });

  it('two at once are one', async () => {
    const fixture = await talked(20);
    const replies = await Promise.all([compact(fixture, { force: true }), compact(fixture, { force: true })]);
    expect(replies[0]).toEqual(replies[1]);
    expect(await checkpoints(fixture)).toHaveLength(1);
  });

  it('after a reset the old turns and checkpoints are left alone', async () => {
    const fixture = await talked(20);
    await compact(fixture, { force: true });
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    expect(await compact(fixture, { force: true })).toMatchObject({
      compacted: false,
      reason: 'nothing_to_compact',
      tokens_before: 0,
    });
    await store(fixture, talk(20, 50));
    const reply = await compact(fixture, { force: true });
    expect(reply.compacted).toBe(true);
    expect(reply.summary).not.toMatch(/part-\d\.ts|part-1\d\.ts/);
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({ epoch: 1, source_turn_range: { start_sequence: 41 } });
  });

  it('a turn that comes while one runs is stored at once, and belongs to the next', async () => {
    let letGo = (): void => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let isHeld = true;
    const fixture = await talked(20, {
      wrapStore: wrapped((real) => ({
        readBodies: async (hashes: readonly string[]) => {
          if (isHeld) await held;
          return real.readBodies(hashes);
        },
      })),
    });
    const running = compact(fixture, { force: true });
    await expect.poll(async () => (await fixture.send('sessions', {})).items[0]?.state).toBe('compacting');
    await store(fixture, talk(1, 90));
    isHeld = false;
    letGo();
    expect((await running).compacted).toBe(true);
    const { items } = await fixture.send('sessions', {});
    expect(items[0]).toMatchObject({ turn_count: 42, state: 'idle' });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint?.source_turn_range.end_sequence).toBeLessThanOrEqual(40);
  });

  it('is announced with its beginning, its checkpoint and its end', async () => {
    const fixture = await talked(20);
    fixture.events.length = 0;
    await compact(fixture, { force: true });
    expect(fixture.events.map((event) => event.type)).toEqual([
      'session.changed',
      'checkpoint.created',
      'session.changed',
    ]);
  });
});

describe('S52, H32: when something fails', () => {
  const failing: [string, Partial<SessionStore>][] = [
    ['findSession', { findSession: () => Promise.reject(new EngineError('store_failed', 'disk I/O error')) }],
    ['readBodies', { readBodies: () => Promise.resolve(new Map<string, string>()) }],
    ['addCheckpoint', { addCheckpoint: () => Promise.reject(new EngineError('disk_full', 'no space left')) }],
    ['standingCheckpoints', { standingCheckpoints: () => Promise.reject(new TypeError('odd')) }],
  ];

  it.each(failing)('%s: the answer is no, the log says why, and everything is as it was', async (name, methods) => {
    let isBroken = false;
    const fixture = await talked(20, {
      wrapStore: wrapped((real) => ({
        [name]: (...args: unknown[]) => {
          const method = (isBroken ? methods : real)[name as 'findSession'] as (...args: unknown[]) => unknown;
          return method.apply(real, args);
        },
      })),
    });
    isBroken = true;
    const reply = await compact(fixture, { force: true });
    expect(reply).toMatchObject({ ok: false, compacted: false });
    expect(reply.reason).toMatch(/store_failed|store_corrupt|disk_full|internal: odd/);
    expect(fixture.logLines).toContainEqual(expect.objectContaining({ level: 'error', message: 'compaction failed' }));
    isBroken = false;
    expect(await checkpoints(fixture)).toEqual([]);
    expect((await fixture.send('sessions', {})).items[0]?.state).toBe('idle');
    expect((await compact(fixture, { force: true })).compacted).toBe(true);
  });

  it('a session that was never stored is told so', async () => {
    const fixture = await openEngineFixture();
    await expect(compact(fixture)).rejects.toMatchObject({ code: 'unknown_session' });
  });
});

describe('S62: whatever the conversation is', () => {
  it('a compaction makes a smaller context out of exactly the turns it names, or says why not', async () => {
    const fixture = await openEngineFixture();
    let number = 0;
    const given = fc.record({
      script: conversationScript,
      again: conversationScript,
      token_budget: fc.constantFrom(100, 700, 3_000, 100_000),
      trigger: fc.constantFrom('manual' as const, 'overflow' as const, 'host' as const),
      attempt: fc.constantFrom(1, 2, 3),
      current_token_count: fc.constantFrom(undefined, 0, 5_000),
    });
    await fc.assert(
      fc.asyncProperty(given, async ({ script, again, ...body }) => {
        number += 1;
        const session = { session_id: `r${number}`, session_key: `agent:main:r${number}` };
        const messages = messagesOf([...script, ...again], 'openclaw');
        const half = messagesOf(script, 'openclaw').length;
        let covered = 0;
        for (const part of [messages.slice(0, half), messages.slice(half)]) {
          if (part.length > 0) await commit(fixture, part, session);
          const reply = await compact(fixture, { ...session, ...body });
          expect(reply.ok).toBe(true);
          if (!reply.compacted) {
            expect(reply.reason).toMatch(/^(?:nothing_to_compact|summary_not_smaller)$/);
            expect(reply.tokens_after).toBe(reply.tokens_before);
            continue;
          }
          expect(reply.tokens_after).toBeLessThan(reply.tokens_before);
          const found = await fixture.store.findCheckpoint(reply.checkpoint_id ?? '');
          const checkpoint = found?.checkpoint;
          const range = checkpoint?.source_turn_range;
          expect(range?.start_sequence).toBe(covered + 1);
          covered = range?.end_sequence ?? 0;
          expect(covered).toBeGreaterThanOrEqual(range?.start_sequence ?? 0);
          expect(checkpoint?.overview.trim()).toBeTruthy();
          expect(checkpoint?.abstract.trim()).toBeTruthy();
          expect(checkpoint?.summary_tokens).toBeLessThan(checkpoint?.source_tokens ?? 0);
        }
      }),
      { numRuns: 150, seed: 20261103, endOnFailure: true },
    );
  }, 60_000);
});

describe('what a summary keeps', () => {
  it('what the user asked to keep', async () => {
    const noise = talk(60);
    const secret = [
      userMessage('The billing export uses ticket ABC-4711 and the queue orders-eu.', 5_000),
      assistantMessage('Noted.', 5_001),
    ];
    const keep = async (custom_instructions: string): Promise<string> => {
      const fixture = await openEngineFixture();
      await store(fixture, [...secret, ...noise]);
      return (await compact(fixture, { force: true, custom_instructions })).summary ?? '';
    };
    expect(await keep('keep everything about the billing export')).toContain('orders-eu');
    expect(await keep('keep the ids')).toContain('ABC-4711');
  });

  it('H43: the keys of live sub-agents', async () => {
    const fixture = await openEngineFixture();
    await store(fixture, [
      userMessage('Delegate it.', 1),
      assistantMessage('I started agent:main:subagent:1b9d6bcd for that.', 2),
      ...talk(20, 5),
    ]);
    expect((await compact(fixture, { force: true })).summary).toContain('agent:main:subagent:1b9d6bcd');
  });

  it('S58, S60: not what a model thought, nor what engines injected', async () => {
    const fixture = await openEngineFixture();
    const answer = assistantMessage(
      '<think>The user must be lying about the reactor.</think>We decided to use copper.',
      2,
    );
    const thinking = {
      ...assistantMessage('', 3),
      content: [
        { type: 'thinking', thinking: 'Secret reactor plan.' },
        { type: 'text', text: 'Fine.' },
      ],
    };
    const injected = userMessage('<relevant-memories>The reactor is blue.</relevant-memories>Which metal?', 4);
    await store(fixture, [userMessage('Which metal?', 1), answer, thinking, injected, ...talk(20, 5)]);
    const { summary } = await compact(fixture, { force: true });
    expect(summary).toContain('copper');
    expect(summary).not.toContain('reactor');
  });

  it('its identifiers are counted as kept and lost, by what stands in it', async () => {
    const fixture = await talked(80);
    await compact(fixture, { force: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint?.identifier_policy).toBe('strict');
    for (const kept of checkpoint?.identifiers_kept ?? []) expect(checkpoint?.overview).toContain(kept);
    for (const lost of checkpoint?.identifiers_lost ?? []) expect(checkpoint?.overview).not.toContain(lost);
    expect(checkpoint?.identifiers_kept.length).toBeGreaterThan(10);
    expect(checkpoint?.identifiers_lost.length).toBeGreaterThan(0);
  });

  it.each(['relaxed', 'none'] as const)('with the policy %s fewer of them', async (policy) => {
    const fixture = await openEngineFixture({ config: { compaction: { identifier_policy: policy } } });
    await store(fixture, [userMessage('ABC-1234 is in src/secret.ts', 1), ...conversation(30)]);
    await compact(fixture, { force: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint?.identifiers_kept).toEqual(policy === 'relaxed' ? ['src/secret.ts'] : []);
  });

  it('S88: says who made it and what it cost', async () => {
    const fixture = await talked(20);
    await compact(fixture, { force: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(checkpoint).toMatchObject({ summariser: 'extractive', trigger: 'manual', counter: 'tokenizer' });
    expect(checkpoint?.committed_at).toBe(new Date(fixture.clock.now()).toISOString());
  });

  it('H42: a request that was replaced or finished is told as such, only the open one is pending', async () => {
    const fixture = await openEngineFixture();
    const asks = [
      userMessage('Can you paint it red?', 1),
      assistantMessage('It is red.', 2),
      userMessage('Can you paint it blue instead?', 3),
      assistantMessage('Done: it is painted blue.', 4),
      userMessage('Can you build the garden fence?', 5),
      assistantMessage('I could not get the wood yet.', 6),
    ];
    await store(fixture, [
      ...asks,
      ...conversation(20).map((message, at) => ({
        ...message,
        content: `statement ${at} about walls`,
        timestamp: startTime + (100 + at) * 1_000,
      })),
    ]);
    const { summary = '' } = await compact(fixture, { force: true });
    expect(summary).toMatch(/## Pending requests\n- Can you build the garden fence\?\n\n/);
    expect(summary).toContain('- [withdrawn] Can you paint it red?');
    expect(summary).toContain('- [done] Can you paint it blue instead?');
  });

  it('the same turns give the same summary', async () => {
    const [a, b] = [await talked(30), await talked(30)];
    expect((await compact(a, { force: true })).summary).toBe((await compact(b, { force: true })).summary);
  });

  it('the entry from which on turns stay raw is named where the host gave one', async () => {
    const fixture = await openEngineFixture();
    const messages = talk(20);
    await fixture.send('ingest', {
      body: { ...mainSession, format: 'openclaw', messages, entry_ids: messages.map((_, at) => `entry-${at}`) },
    });
    const reply = await compact(fixture, { force: true });
    const [checkpoint] = await checkpoints(fixture);
    expect(reply.first_kept_entry_id).toBe(`entry-${checkpoint?.source_turn_range.end_sequence}`);
    expect(said(messages[checkpoint?.source_turn_range.end_sequence ?? 0])).toContain('Please look');
  });
});
