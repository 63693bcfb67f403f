import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

/** What is stored under one key; kept so that it can be sent again, and compared with what the log says. */
export interface Advancement {
  readonly key: string;
  readonly messages: readonly HostMessage[];
}

/** One session of the host: its turns come one after the other, and one that got no answer is sent again. */
export interface Conversation {
  readonly session_id: string;
  readonly session_key: string;
  /** Stored for sure: the daemon answered. */
  readonly acknowledged: Advancement[];
  /** Sent without an answer so far. */
  pending: Advancement | undefined;
}

export function createConversations(count: number): readonly Conversation[] {
  return Array.from({ length: count }, (_, index) => ({
    session_id: `crash-${index}`,
    session_key: `agent:main:crash-${index}`,
    acknowledged: [],
    pending: undefined,
  }));
}

const start = Date.parse('2026-11-02T08:00:00Z');

/** A question, a call with its result, and an answer, all of which say something that a summary can keep. */
export function nextAdvancement({ session_id: name, acknowledged }: Conversation): Advancement {
  const number = acknowledged.length + 1;
  const timestamp = (step: number): number => start + number * 10_000 + step * 1_000;
  const file = `src/${name}/part-${number}.ts:${number * 3}`;
  const assistant = (content: readonly unknown[], step: number): HostMessage => ({
    role: 'assistant',
    content,
    api: 'openai-completions',
    provider: 'crash',
    model: 'crash-model',
    stopReason: step === 1 ? 'toolUse' : 'stop',
    timestamp: timestamp(step),
  });
  return {
    key: `${name}/${number}`,
    messages: [
      { role: 'user', content: `Please look at ${file} and tell me what is wrong with it.`, timestamp: timestamp(0) },
      assistant([{ type: 'toolCall', id: `call_${name}_${number}`, name: 'read', arguments: { path: file } }], 1),
      {
        role: 'toolResult',
        toolCallId: `call_${name}_${number}`,
        toolName: 'read',
        content: [{ type: 'text', text: `for (let at = ${number}; at < 10; at += 1) run(at);\n`.repeat(6) }],
        isError: false,
        timestamp: timestamp(2),
      },
      assistant([{ type: 'text', text: `The loop in ${file} begins at ${number}; I changed it to begin at 0.` }], 3),
    ],
  };
}
