import { expect } from 'vitest';
import type { AssembleTrace, TraceDecision } from '../../../../src-shared/model/trace.ts';
import type { AssembleReply } from '../../../../src-shared/protocol/assemble.ts';
import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import type { EngineFixture, SentInput } from '../../testing/engine-fixture.ts';
import { mainSession } from '../../testing/messages.ts';

export type AssembleBody = NonNullable<SentInput<'assemble'>['body']>;

export interface AssembledCall {
  readonly reply: AssembleReply;
  readonly messages: readonly HostMessage[];
  readonly trace: AssembleTrace;
}

/** A call of the main session, with what it answered and its record; it must not have been degraded. */
export async function assemble(fixture: EngineFixture, body: Partial<AssembleBody>): Promise<AssembledCall> {
  const reply = await fixture.send('assemble', {
    body: { ...mainSession, format: 'openclaw', messages: [], history: 'full', ...body },
  });
  expect(reply.degraded).toBeUndefined();
  const { trace } = await fixture.send('call', { params: { id: reply.call_id } });
  return { reply, messages: reply.messages ?? [], trace };
}

let advancements = 0;

/** Stores messages as one turn of the main session. */
export async function commit(
  fixture: EngineFixture,
  messages: readonly HostMessage[],
  body: Partial<NonNullable<SentInput<'commitTurn'>['body']>> = {},
): Promise<void> {
  advancements += 1;
  const key = `advancement-${advancements}`;
  await fixture.send('commitTurn', {
    body: { ...mainSession, format: 'openclaw', advancement_key: key, messages: [...messages], ...body },
  });
}

/** How the items of a trace were decided, by item: `included newest_turns`. */
export function decisions({ trace }: AssembledCall): Record<string, string> {
  return Object.fromEntries(trace.decisions.map((one) => [one.item, `${one.action} ${one.reason}`]));
}

export function decisionOf({ trace }: AssembledCall, item: string): TraceDecision {
  const decision = trace.decisions.find((one) => one.item === item);
  if (!decision) throw new Error(`No decision about ${item}: ${trace.items.map((one) => one.item).join(', ')}`);
  return decision;
}

/** What a message says, whatever its form. */
export function said(message: HostMessage | undefined): string {
  const { content, summary } = message ?? {};
  if (typeof summary === 'string') return summary;
  if (typeof content === 'string') return content;
  return Array.isArray(content) ? (content as { text?: string }[]).map((part) => part.text ?? '').join('') : '';
}
