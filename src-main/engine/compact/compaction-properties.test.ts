import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bareId, type HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { pairResults } from '../assemble/pair-results.ts';
import {
  expectAllTurnsAccounted,
  expectHostOrder,
  expectSoundDecisions,
  expectValidList,
} from '../assemble/testing/check-answer.ts';
import { conversationScript, messagesOf } from '../assemble/testing/random-conversation.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import { openEngineFixture, type EngineFixture } from '../testing/engine-fixture.ts';
import { idle } from './testing/compaction-session.ts';
import { deliveredPrompts } from './testing/read-prompt-file.ts';
import { scriptedWriter } from './testing/scripted-writer.ts';

const which = fc.nat({ max: 30 });
const order = fc.record({
  trigger: fc.constantFrom('manual' as const, 'overflow' as const, 'host' as const, 'budget' as const),
  force: fc.constantFrom(undefined, true),
  token_budget: fc.constantFrom(100, 700, 3_000, 100_000),
  attempt: fc.constantFrom(1, 2, 3),
});

const said = fc.record({ kind: fc.constant('talk' as const), script: conversationScript });

/** What happens to a session, in the background (by triggers) too. */
const step = fc.oneof(
  { weight: 8, arbitrary: said },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('compact' as const), order }) },
  {
    weight: 7,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      order,
      answers: fc.array(fc.constantFrom('good' as const, 'refused' as const, 'failed' as const, 'none' as const), {
        minLength: 1,
        maxLength: 5,
      }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('dissolve' as const), which }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('restore' as const), which }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('rerun' as const), which }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reset' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('later' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Subject {
  readonly fixture: EngineFixture;
  readonly who: { readonly session_id: string; readonly session_key: string };
  /** Everything that was stored, over all epochs, and which delivery brought it. */
  readonly sent: { readonly message: HostMessage; readonly delivery: number }[];
  deliveries: number;
}

it('S62: whatever happens, each turn is raw or stands in exactly one summary, pairs are whole, and nothing is lost', async () => {
  const fixture = await openEngineFixture({
    prompts: deliveredPrompts(),
    config: {
      assemble: { recent_raw_turn_count: 4, deadline_ms: 60_000, default_token_budget: 6_000 },
      compaction: {
        summariser: 'host',
        host_wait_seconds: 60,
        segment_tokens: 1_000,
        condense_count: 2,
        triggers: { budget_share: 0.75, turns: 6 },
      },
    },
  });
  const copy = await openEngineFixture();
  let session = 0;
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(said, fc.array(step, { minLength: 4, maxLength: 16 })),
      fc.constantFrom(300, 2_000, 50_000),
      async ([first, steps], budget) => {
        session += 1;
        const who = { session_id: `p${session}`, session_key: `agent:main:p${session}` };
        const subject: Subject = { fixture, who, sent: [], deliveries: 0 };
        for (const one of [first, ...steps]) {
          const outcome = await take(subject, one);
          seen.set(`${one.kind} ${outcome}`, (seen.get(`${one.kind} ${outcome}`) ?? 0) + 1);
          await check(subject, budget);
        }
        await expectCopied(subject, copy);
      },
    ),
    { numRuns: 40, seed: 20261130, endOnFailure: true },
  );
  // Else the steps above prove nothing.
  for (const happened of ['compact compacted', 'ask compacted', 'dissolve done', 'restore done', 'rerun done']) {
    expect(seen.get(happened) ?? 0, happened).toBeGreaterThan(5);
  }
}, 300_000);

async function take(subject: Subject, one: Step): Promise<string> {
  const { fixture, who } = subject;
  switch (one.kind) {
    case 'talk':
      await talk(subject, messagesOf(one.script, 'openclaw'));
      await idle(fixture);
      return 'stored';
    case 'compact':
      return outcomeOf(() => fixture.send('compact', { body: { ...who, ...one.order } }));
    case 'ask':
      return ask(subject, one);
    case 'reset':
      await fixture.send('sessionEnd', { body: { ...who, reason: 'reset' } });
      return 'done';
    case 'later':
      fixture.clock.advance(5 * 60_000);
      fixture.engine.jobs.wake();
      await idle(fixture);
      return 'done';
    default:
      return change(subject, one.kind, one.which);
  }
}

async function talk(subject: Subject, messages: readonly HostMessage[]): Promise<void> {
  const { fixture, who, sent } = subject;
  subject.deliveries += 1;
  const delivery = subject.deliveries;
  // Messages of one second are told apart by their place only within one delivery.
  const timed = messages.map((message, index) => ({ ...message, timestamp: (sent.length + index + 1) * 1_000 }));
  const advancement_key = `${who.session_id}/${delivery}`;
  await fixture.send('commitTurn', { body: { ...who, format: 'openclaw', advancement_key, messages: timed } });
  sent.push(...timed.map((message) => ({ message, delivery })));
}

async function ask(subject: Subject, { order: given, answers }: Extract<Step, { kind: 'ask' }>): Promise<string> {
  const { fixture, who } = subject;
  if (subject.sent.length === 0) return 'nothing';
  let { prepared } = await fixture.send('prepareCompaction', { body: { ...who, ...given } });
  let outcome = 'nothing';
  for (const kind of answers) {
    if (!prepared || kind === 'none') break;
    const text = kind === 'good' ? scriptedWriter(prepared.prompt) : 'Sure.';
    const answer = kind === 'failed' ? { failure: 'HTTP 500' } : { text, model: 'm' };
    const body = { ...who, ...given, reservation_id: prepared.reservation_id, answer };
    const reply = await fixture.send('compact', { body });
    if (reply.compacted) outcome = 'compacted';
    prepared = reply.next;
  }
  return outcome;
}

async function change(subject: Subject, kind: 'dissolve' | 'restore' | 'rerun', at: number): Promise<string> {
  const { fixture } = subject;
  const session = await find(subject);
  if (!session) return 'nothing';
  const { items } = await fixture.store.pageCheckpoints(session.uid, { cursor: undefined, limit: 100 });
  const candidates = items.filter(({ end }) => (kind === 'restore' ? end && end.state !== 'folded' : !end));
  const chosen = candidates[at % Math.max(1, candidates.length)]?.checkpoint.checkpoint_id;
  if (chosen === undefined) return 'nothing';
  const params = { id: chosen };
  return outcomeOf(async () => {
    if (kind === 'rerun') return fixture.send('rerunCheckpoint', { params, body: { identifier_policy: 'relaxed' } });
    const name = kind === 'dissolve' ? 'dissolveCheckpoint' : 'restoreCheckpoint';
    const preview = await fixture.send(name, { params, body: { preview: true } });
    const done = await fixture.send(name, { params, body: {} });
    expect(done).toEqual({ ...preview, changed: true });
    return done;
  });
}

/** What is refused must be refused for one of the reasons there are. */
async function outcomeOf(work: () => Promise<object>): Promise<string> {
  try {
    const reply = await work();
    if (!('compacted' in reply)) return 'done';
    expect(reply).toMatchObject({ ok: true });
    return reply.compacted === true ? 'compacted' : 'nothing';
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    expect(error.code).toMatch(/^(?:unknown_session|checkpoint_conflict|model_bad_answer)$/);
    return error.code;
  }
}

async function find({ fixture, who }: Subject): Promise<SessionRow | undefined> {
  return (await fixture.store.lookUpSessions(who.session_id))[0];
}

async function check(subject: Subject, token_budget: number): Promise<void> {
  const { fixture, sent, who } = subject;
  const session = await find(subject);
  if (!session) return;
  const turns = await fixture.store.turnsInRange(session.uid, 1, session.lastSequence, 10_000);
  await expectUnchanged(subject, turns);
  const standing = await fixture.store.standingCheckpoints(session.uid, session.epoch);
  expectSound(standing, session);
  expectWholePairs(standing, turns.slice(session.epochStart), sent.slice(session.epochStart));
  const host = sent.slice(session.epochStart).map(({ message }) => message);
  const body = { ...who, format: 'openclaw' as const, messages: host, history: 'full' as const, token_budget };
  const reply = await fixture.send('assemble', { body });
  // Blank messages only: no provider takes those, whoever passes them on.
  if (reply.degraded?.message.startsWith('Nothing of the list')) return;
  expect(reply.degraded).toBeUndefined();
  const { trace } = await fixture.send('call', { params: { id: reply.call_id } });
  const answer = { trace, messages: reply.messages ?? [], host, mayEndOpen: true };
  expectValidList(answer);
  expectHostOrder(answer);
  expectSoundDecisions(answer);
  expectAllTurnsAccounted(answer, session.epochStart, session.lastSequence);
}

async function expectUnchanged({ fixture, sent }: Subject, turns: readonly TurnMeta[]): Promise<void> {
  const bodies = await fixture.store.readBodies(turns.map((turn) => turn.contentHash));
  expect(turns.map((turn) => turn.sequence)).toEqual(sent.map((_, index) => index + 1));
  expect(turns.map((turn) => bodies.get(turn.contentHash))).toEqual(sent.map(({ message }) => stored(message)));
}

/** UTF-8 has no lone surrogates, JSON writes them as escapes; nothing else changes. */
function stored(message: HostMessage): string {
  return JSON.stringify(message);
}

/** Whatever came to be is taken in elsewhere as it is, checkpoints and what became of them included. */
async function expectCopied({ fixture, who }: Subject, copy: EngineFixture): Promise<void> {
  const params = { id: who.session_id };
  const jsonl = await fixture.send('exportSession', { params });
  await copy.send('importSession', { body: { jsonl } });
  const again = await copy.send('exportSession', { params });
  // The first line has the time.
  expect(again.split('\n').slice(1)).toEqual(jsonl.split('\n').slice(1));
}

/** Newest first, none over another, none beyond the epoch, each smaller than what it stands for. */
function expectSound(standing: readonly CompactCheckpoint[], { epochStart, lastSequence }: SessionRow): void {
  let before = lastSequence + 1;
  for (const { source_turn_range: range, overview, summary_tokens, source_tokens } of standing) {
    expect(range.end_sequence).toBeLessThan(before);
    expect(range.start_sequence).toBeLessThanOrEqual(range.end_sequence);
    expect(range.start_sequence).toBeGreaterThan(epochStart);
    expect(overview.trim()).not.toBe('');
    expect(summary_tokens).toBeLessThan(source_tokens);
    before = range.start_sequence;
  }
}

/** A result that came in a later delivery than its call may find the call archived. */
function expectWholePairs(
  standing: readonly CompactCheckpoint[],
  turns: readonly TurnMeta[],
  sent: Subject['sent'],
): void {
  const { answers } = pairResults(
    turns.map((turn) => ({
      toolCallIds: turn.toolCallIds.map((id) => bareId(id) ?? id),
      toolResultFor: turn.toolResultFor === undefined ? undefined : (bareId(turn.toolResultFor) ?? ''),
    })),
  );
  const placeOf = ({ sequence }: TurnMeta): string | undefined =>
    standing.find(({ source_turn_range: r }) => r.start_sequence <= sequence && sequence <= r.end_sequence)
      ?.checkpoint_id;
  for (const [call, results] of answers) {
    for (const result of results) {
      const [from, to] = [turns[call], turns[result]];
      if (!from || !to || sent[call]?.delivery !== sent[result]?.delivery) continue;
      expect(placeOf(to), `result ${to.sequence} of call ${from.sequence}`).toBe(placeOf(from));
    }
  }
}
