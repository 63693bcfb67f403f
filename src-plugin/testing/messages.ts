import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

export function user(text: string, timestamp = 1): HostMessage {
  return { role: 'user', content: text, timestamp };
}

export function assistant(text: string, timestamp = 2): HostMessage {
  return {
    role: 'assistant',
    content: [{ type: 'text', text }],
    provider: 'p',
    model: 'm',
    stopReason: 'stop',
    timestamp,
  };
}

export const session = { sessionId: 's1', sessionKey: 'agent:main:main' };
