import { setImmediate } from 'node:timers/promises';
import type { CheckpointRecord } from '../../../../src-shared/model/checkpoint.ts';
import type { SessionSummary } from '../../../../src-shared/model/session.ts';
import type { CompactReply } from '../../../../src-shared/protocol/compact.ts';
import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { commit } from '../../assemble/testing/assemble-session.ts';
import {
  openEngineFixture,
  type EngineFixture,
  type FixtureOptions,
  type SentInput,
} from '../../testing/engine-fixture.ts';
import { assistantMessage, mainSession, userMessage } from '../../testing/messages.ts';

export type CompactBody = NonNullable<SentInput<'compact'>['body']>;
type Triggers = NonNullable<NonNullable<NonNullable<FixtureOptions['config']>['compaction']>['triggers']>;

export function compact(fixture: EngineFixture, body: Partial<CompactBody> = {}): Promise<CompactReply> {
  return fixture.send('compact', { body: { ...mainSession, trigger: 'manual', ...body } });
}

/** Exchange `number` of a conversation whose exchanges say something each. */
export function talk(number: number): readonly [HostMessage, HostMessage] {
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
}

/** Exchanges `from` to `to`, each stored as a turn of its own. */
export async function converse(fixture: EngineFixture, from: number, to: number): Promise<void> {
  for (let number = from; number <= to; number += 1) await commit(fixture, talk(number));
}

/** The same in as few turns as can be; triggers look only after them. */
export async function store(fixture: EngineFixture, messages: readonly HostMessage[]): Promise<void> {
  for (let from = 0; from < messages.length; from += 100) await commit(fixture, messages.slice(from, from + 100));
}

export function talks(count: number, from = 1): HostMessage[] {
  return Array.from({ length: count }, (_, index) => talk(from + index)).flat();
}

/** With the extractive summariser and only these triggers. */
export function openTriggered(triggers: Triggers, options: FixtureOptions = {}): Promise<EngineFixture> {
  const compaction = { summariser: 'extractive' as const, ...options.config?.compaction, triggers };
  return openEngineFixture({ ...options, config: { ...options.config, compaction } });
}

/** Nothing is looked at, queued for now or run any more. */
export async function idle(fixture: EngineFixture): Promise<void> {
  for (let round = 0; round < 4; round += 1) {
    await setImmediate();
    await fixture.engine.jobs.settled();
  }
}

/** All of the only session, newest first. */
export async function checkpoints(fixture: EngineFixture): Promise<readonly CheckpointRecord[]> {
  const { session_uid: id } = await summary(fixture);
  const found: CheckpointRecord[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: '100', ...(cursor === undefined ? {} : { cursor }) };
    const page = await fixture.send('sessionCheckpoints', { params: { id }, query });
    found.push(...page.items);
    cursor = page.next_cursor;
    if (cursor === undefined) return found;
  }
}

/** Oldest first. */
export async function standing(fixture: EngineFixture): Promise<readonly CheckpointRecord[]> {
  const all = await checkpoints(fixture);
  return all
    .filter(({ state }) => state === 'stands')
    .sort((a, b) => a.source_turn_range.start_sequence - b.source_turn_range.start_sequence);
}

export async function summary(fixture: EngineFixture): Promise<SessionSummary> {
  const { items } = await fixture.send('sessions', {});
  if (!items[0]) throw new Error('There is no session.');
  return items[0];
}

export async function compactJobs(fixture: EngineFixture) {
  return (await fixture.send('jobs', { query: { type: 'compact', limit: '100' } })).items;
}
