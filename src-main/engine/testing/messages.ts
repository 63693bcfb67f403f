import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';

/** Identity fields of a session as OpenClaw names it. */
export const mainSession = { session_id: 'session-1', session_key: 'agent:main:main' } as const;

export const startTime = Date.parse('2026-11-02T09:00:00Z');

/** OpenClaw messages; `at` is seconds after `startTime`. */
export function userMessage(text: string, at: number): HostMessage {
  return { role: 'user', content: text, timestamp: startTime + at * 1_000 };
}

export function assistantMessage(text: string, at: number): HostMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    api: 'openai-completions',
    provider: 'fake',
    model: 'fake-model',
    usage: { input: 10, output: 5, cacheRead: 0, cacheWrite: 0, totalTokens: 15 },
    stopReason: 'stop',
    timestamp: startTime + at * 1_000,
  };
}

export function toolCallMessage(id: string, at: number, args: unknown = { path: 'README.md' }): HostMessage {
  return {
    ...assistantMessage('', at),
    content: [{ type: 'toolCall', id, name: 'read', arguments: args }],
    stopReason: 'toolUse',
  };
}

export function toolResultMessage(id: string, text: string, at: number): HostMessage {
  return {
    role: 'toolResult',
    toolCallId: id,
    toolName: 'read',
    content: [{ type: 'text', text }],
    details: {},
    isError: false,
    timestamp: startTime + at * 1_000,
  };
}

/** A question and its answer; turn `number` of a conversation, from 1. */
export function exchange(number: number): readonly [HostMessage, HostMessage] {
  return [userMessage(`Question ${number}`, number * 10), assistantMessage(`Answer ${number}`, number * 10 + 1)];
}

/** The first `count` exchanges, as one list. */
export function conversation(count: number): readonly HostMessage[] {
  return Array.from({ length: count }, (_, index) => exchange(index + 1)).flat();
}
