import { expect } from 'vitest';
import type { AssembleTrace, TraceDecision, TraceItem } from '../../../../src-shared/model/trace.ts';
import { bareId, type HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { countO200k } from '../../../providers/tokenizer/count-o200k.ts';

export interface Answer {
  readonly trace: AssembleTrace;
  /** What is sent, in the host's format. */
  readonly messages: readonly HostMessage[];
  /** The host's own list. */
  readonly host: readonly HostMessage[];
  /** The host may append results to an open call at the end of its list. */
  readonly mayEndOpen: boolean;
}

/** Tool calls and results complete and side by side, nothing blank. */
export function expectValidList({ messages, mayEndOpen }: Answer): void {
  let open = new Set<string>();
  messages.forEach((message, index) => {
    const answers = resultFor(message);
    if (answers !== undefined) {
      expect(open, `result ${index} has its call right before it`).toContain(answers);
      open.delete(answers);
      return;
    }
    expect([...open], `calls before message ${index} are answered`).toEqual([]);
    open = new Set(callIds(message));
    expect(isBlank(message), `message ${index} is not blank: ${JSON.stringify(message).slice(0, 200)}`).toBe(false);
  });
  if (!mayEndOpen) expect([...open], 'calls at the end are answered').toEqual([]);
}

/** The first message that is not of the system comes from the user, where there is any user message to send. */
export function expectStartsAtUser({ messages }: Answer, hasUser: boolean): void {
  const first = messages.find((message) => !['system', 'developer', 'notice'].includes(String(message['role'])));
  if (first && hasUser) {
    expect(['user', 'custom', 'bashExecution', 'compactionSummary', 'branchSummary']).toContain(first['role']);
  }
}

/** The host's messages in the host's order, results of tools beside their calls. */
export function expectHostOrder({ trace, host }: Answer): void {
  const indexes = trace.output.flatMap((entry) => ('host' in entry ? [entry.host] : []));
  expect(new Set(indexes).size).toBe(indexes.length);
  const said = indexes.filter((index) => resultFor(host[index] ?? {}) === undefined);
  expect(said).toEqual([...said].sort((a, b) => a - b));
}

/** S29: the host's newest message is sent, unless no provider would take it. */
export function expectNewestIsSent({ trace, host }: Answer): void {
  const newest = host.at(-1);
  if (!newest || newest['role'] !== 'user' || isBlank(newest)) return;
  const item = trace.items.find(({ host_index: index }) => index === host.length - 1);
  const decision = trace.decisions.find((one) => one.item === item?.item);
  expect(decision?.action).toMatch(/included|trimmed/);
}

/** Each item once, with one decision; numbered; what was left is the running difference; and the sum is the estimate. */
export function expectSoundDecisions({ trace }: Answer): void {
  const items = trace.items.map(({ item }) => item);
  expect(new Set(items).size).toBe(items.length);
  expect(trace.decisions.map(({ item }) => item)).toEqual(items);
  expect(trace.decisions.map(({ seq }) => seq)).toEqual(trace.decisions.map((_, index) => index));
  const { ratio } = trace.calibration;
  let left = Math.max(0, Math.floor((trace.token_budget * 50) / Math.round(ratio * 50)) - 3);
  let used = 0;
  for (const decision of trace.decisions) {
    left -= decision.tokens_after;
    used += decision.tokens_after;
    expect(decision.budget_left).toBe(left);
    if (decision.action === 'dropped') expect(decision.tokens_after).toBe(0);
  }
  expect(trace.estimated_tokens).toBe(Math.ceil(((used + 3) * Math.round(ratio * 50)) / 50));
  const slots = trace.slots.reduce((sum, slot) => sum + slot.used, 0);
  expect(slots).toBe(Math.max(used, used + left));
  for (const slot of trace.slots) expect(slot.used).toBeGreaterThanOrEqual(0);
}

/** Every stored turn of the epoch is in exactly one item of the conversation; system messages stand outside of it. */
export function expectAllTurnsAccounted({ trace, host }: Answer, epochStart: number, lastSequence: number): void {
  const seen = new Map<number, string>();
  const standing = new Set<number>();
  for (const item of trace.items) {
    if (item.sequence === undefined || item.kind === 'summary') continue;
    if (item.kind === 'system') {
      standing.add(item.sequence);
      continue;
    }
    expect(item.count).toBe((item.end_sequence ?? item.sequence) - item.sequence + 1);
    for (let sequence = item.sequence; sequence <= (item.end_sequence ?? item.sequence); sequence += 1) {
      expect(seen.get(sequence), `turn ${sequence} is in one item`).toBeUndefined();
      seen.set(sequence, item.item);
    }
  }
  for (let sequence = epochStart + 1; sequence <= lastSequence; sequence += 1) {
    expect(seen.has(sequence) || standing.has(sequence), `turn ${sequence} is accounted for`).toBe(true);
  }
  const live = trace.items.filter((item) => item.item.startsWith('host:')).length;
  const known = trace.items.filter((item) => item.host_index !== undefined && item.sequence !== undefined).length;
  expect(live + known).toBeLessThanOrEqual(host.length);
}

/** Within the budget, unless nothing is sent that could have been left out. */
export function expectWithinBudget({ trace }: Answer): void {
  if (trace.estimated_tokens <= trace.token_budget) return;
  const sent = sentItems(trace).filter(({ item }) => item.kind !== 'system');
  const needed = new Set(['oversized_newest', 'anchor_user_turn', 'newest_turns', 'live_not_stored']);
  const spare = sent.filter(({ item, decision }) => !needed.has(decision.reason) && item.kind !== 'summary');
  expect(spare.map(({ item, decision }) => `${item.item} ${decision.reason}`)).toEqual([]);
  const units = sent.filter(
    ({ item, decision }) => item.kind !== 'tool_result' && decision.reason !== 'anchor_user_turn',
  );
  expect(units.filter(({ item }) => item.kind !== 'summary').length).toBeLessThanOrEqual(1);
}

/** S40, S41: at least what a plain count of the texts gives, with what every message costs besides. */
export function expectEstimateCovers({ trace, messages }: Answer): void {
  const addition = trace.system_prompt_addition ?? '';
  const texts = messages.flatMap((message) => [...textsOf(message), ...callTexts(message)]);
  const counted = [...texts, addition].reduce((sum, text) => sum + countO200k(text), 0) + 3 * messages.length;
  expect(trace.estimated_tokens).toBeGreaterThanOrEqual(counted);
}

function sentItems(trace: AssembleTrace): { readonly item: TraceItem; readonly decision: TraceDecision }[] {
  return trace.decisions.flatMap((decision, index) => {
    const item = trace.items[index];
    return item && decision.action !== 'dropped' ? [{ item, decision }] : [];
  });
}

export function resultFor(message: HostMessage): string | undefined {
  const id = message['toolCallId'] ?? message['tool_call_id'];
  return message['role'] === 'toolResult' || message['role'] === 'tool' ? (bareId(id) ?? '') : undefined;
}

export function callIds(message: HostMessage): string[] {
  const content = Array.isArray(message['content']) ? (message['content'] as Record<string, unknown>[]) : [];
  const openAi = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as Record<string, unknown>[]) : [];
  return [...content.filter((part) => part['type'] === 'toolCall'), ...openAi].map((call) => bareId(call['id']) ?? '');
}

export function textsOf(message: HostMessage): string[] {
  const { content, summary } = message;
  if (typeof summary === 'string') return [summary];
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return (content as Record<string, unknown>[]).flatMap((part) =>
    [part['text'], part['thinking']].filter((value) => typeof value === 'string'),
  );
}

function callTexts(message: HostMessage): string[] {
  const content = Array.isArray(message['content']) ? (message['content'] as Record<string, unknown>[]) : [];
  const openAi = Array.isArray(message['tool_calls']) ? (message['tool_calls'] as Record<string, unknown>[]) : [];
  return [
    ...content.flatMap((part) =>
      part['type'] === 'toolCall' ? [String(part['name']), JSON.stringify(part['arguments'])] : [],
    ),
    ...openAi.map((call) => JSON.stringify(call['function'])),
  ];
}

/** What a provider refuses: no text but white space, no call, no image. */
export function isBlank(message: HostMessage): boolean {
  if (resultFor(message) !== undefined || callIds(message).length > 0) return false;
  const content = Array.isArray(message['content']) ? (message['content'] as Record<string, unknown>[]) : [];
  if (content.some((part) => part['type'] === 'image' || part['type'] === 'image_url')) return false;
  const texts = typeof message['content'] === 'string' ? [message['content']] : content.map((part) => part['text']);
  if (typeof message['summary'] === 'string') texts.push(message['summary']);
  return texts.every((value) => typeof value !== 'string' || value.trim() === '');
}
