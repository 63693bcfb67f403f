import type { HealthReply } from '../../src-shared/protocol/health.ts';
import { formatNoun } from './format-number.ts';

export interface HostLinkWords {
  /** Two or three words for the frame. */
  readonly short: string;
  /** One sentence for the overview. */
  readonly sentence: string;
  readonly tone: 'quiet' | 'active' | 'danger';
}

/** Whether the host really calls the engine, in words. */
export function hostLinkWords({ host, store }: Pick<HealthReply, 'host' | 'store'>): HostLinkWords {
  switch (host.link) {
    case 'never':
      // What was seen before a restart is not remembered, but it left sessions.
      return store.sessions === 0
        ? { short: 'No host yet', sentence: 'No host has called this engine yet.', tone: 'quiet' }
        : { short: 'Host quiet', sentence: 'No host has called since this daemon was started.', tone: 'quiet' };
    case 'active':
      return {
        short: 'Host linked',
        sentence: 'The host calls this engine: its newest turn went through it.',
        tone: 'active',
      };
    case 'bypassed':
      return {
        short: 'Engine bypassed',
        sentence:
          host.bypassed_turns > 0
            ? `The host runs turns without this engine: ${formatNoun(host.bypassed_turns, 'turn')} since the last one of their session that went through it.`
            : 'The host runs without this engine: its newest turn did not go through it.',
        tone: 'danger',
      };
  }
}
