import type { HostMessage } from '../src-shared/protocol/host-message.ts';

const vocabulary = [
  'database', 'index', 'query', 'window', 'token', 'budget', 'summary', 'agent', 'memory', 'turn', 'latency', 'cache', 'deploy', 'review', 'branch',
]; // prettier-ignore
const chinese = '我们在上海的数据库里发现了一个慢查询，需要优化索引。';
const firstTimestamp = 1_795_000_000_000;

/**
 * Message `number` (0-based) of the workload that all speed figures share: turns of four messages — user (60 words,
 * every tenth message also some Chinese), assistant (20 words and a tool call), tool result (120 words), assistant
 * (80 words) — a second apart, words from a small vocabulary, each message with its number in it.
 */
export function workloadMessage(number: number): HostMessage {
  const timestamp = firstTimestamp + number * 1_000;
  const callId = `call_${Math.floor(number / 4)}`;
  switch (number % 4) {
    case 0:
      return { role: 'user', content: `${number} ${words(number, 60)}${number % 40 === 0 ? chinese : ''}`, timestamp };
    case 1:
      return assistant(number, timestamp, [
        { type: 'text', text: `${number} ${words(number, 20)}` },
        { type: 'toolCall', id: callId, name: 'search', arguments: { query: words(number, 3), limit: 5 } },
      ]);
    case 2:
      return {
        role: 'toolResult',
        toolCallId: callId,
        toolName: 'search',
        content: [{ type: 'text', text: `${number} ${words(number, 120)}` }],
        isError: false,
        timestamp,
      };
    default:
      return assistant(number, timestamp, [{ type: 'text', text: `${number} ${words(number, 80)}` }]);
  }
}

export function workload(from: number, to: number): HostMessage[] {
  return Array.from({ length: to - from }, (_, index) => workloadMessage(from + index));
}

function assistant(number: number, timestamp: number, content: readonly unknown[]): HostMessage {
  return {
    role: 'assistant',
    content,
    api: 'openai-completions',
    provider: 'bench',
    model: 'bench-model',
    usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0 },
    stopReason: number % 4 === 1 ? 'toolUse' : 'stop',
    timestamp,
  };
}

function words(seed: number, count: number): string {
  return Array.from(
    { length: count },
    (_, index) => vocabulary[(seed * 7 + index * index + index) % vocabulary.length],
  ).join(' ');
}
