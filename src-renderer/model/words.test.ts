import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatDelta,
  formatDuration,
  formatNoun,
  formatScore,
  formatShare,
} from './format-number.ts';
import { formatAgo, formatExactTime, formatTime } from './format-time.ts';
import { hostLinkWords } from './host-link-words.ts';
import { isHostInternal } from './is-host-internal.ts';
import { itemLabel } from './item-label.ts';
import { sessionName } from './session-name.ts';
import { providerSentence } from './provider-sentence.ts';
import { sampleItem } from './testing/samples.ts';
import { counterSentence, isEstimate } from './token-counter-words.ts';
import { usageExplanation } from './usage-explanation.ts';

describe('numbers', () => {
  it.each([
    [formatCount(1_234_567), '1,234,567'],
    [formatDelta(3_549), '+3,549'],
    [formatDelta(-310), '−310'],
    [formatDelta(0), '±0'],
    [formatShare(0.9349), '93.5%'],
    [formatScore(0.5), '0.50'],
    [formatScore(0.4218), '0.422'],
    [formatBytes(0), '0 B'],
    [formatBytes(1_023), '1023 B'],
    [formatBytes(4_278_190), '4.08 MiB'],
    [formatBytes(300 * 1024 ** 3), '300 GiB'],
    [formatDuration(0.42), '0.4 ms'],
    [formatDuration(75.4), '75 ms'],
    [formatDuration(3_240), '3.2 s'],
    [formatDuration(125_000), '2 min 5 s'],
    [formatNoun(1, 'call'), '1 call'],
    [formatNoun(1_000, 'body', 'bodies'), '1,000 bodies'],
  ])('%s', (shown, expected) => {
    expect(shown).toBe(expected);
  });
});

describe('times', () => {
  const now = Date.parse('2026-11-12T14:03:22.000');
  const at = (text: string) => new Date(text).toISOString();

  it.each([
    ['2026-11-12T14:03:21.500', 'just now'],
    ['2026-11-12T14:03:10', '12 s ago'],
    ['2026-11-12T13:00:00', '1 h ago'],
    ['2026-11-02T14:03:22', '10 d ago'],
    ['2026-11-12T14:03:40', 'just now'],
    ['2026-11-12T16:03:22', 'in 2 h'],
  ])('%s is %s', (text, expected) => {
    expect(formatAgo(at(text), now)).toBe(expected);
  });

  it('of today are shown to the second, of this year with the day, else with the year', () => {
    expect(formatTime(at('2026-11-12T09:01:05'), now)).toBe('09:01:05');
    expect(formatTime(at('2026-11-02T09:01:05'), now)).toBe('2 Nov 09:01');
    expect(formatTime(at('2024-02-29T09:01:05'), now)).toBe('29 Feb 2024');
  });

  it('are exact in explanations', () => {
    expect(formatExactTime(at('2026-11-12T09:01:05.007'))).toMatch(/^2026-11-12 09:01:05\.007 UTC[+−]\d\d:\d\d$/);
  });

  it('that are none are shown as they came', () => {
    expect([formatAgo('soon', now), formatTime('soon', now), formatExactTime('soon')]).toEqual([
      'soon',
      'soon',
      'soon',
    ]);
  });
});

describe('who counted', () => {
  it('only the provider’s number is no estimate', () => {
    expect((['tokenizer', 'calibrated', 'characters', 'provider'] as const).map(isEstimate)).toEqual([
      true,
      true,
      true,
      false,
    ]);
  });

  it('is told with the correction and what it was learned from', () => {
    expect(counterSentence('calibrated', { ratio: 1.0417, samples: 12 })).toContain(
      '× 1.042, learned from 12 provider reports',
    );
  });

  it('the provider’s number says what it includes', () => {
    const usage = {
      input: 20,
      output: 300,
      cache_read: 900,
      cache_write: 80,
      prompt_tokens: 1_000,
      reported_at: '2026-11-12T14:03:22.000Z',
    };
    expect(usageExplanation(usage)).toContain('1,000 tokens = 20 new + 900 read from cache + 80 written to cache');
    const sum = usageExplanation({ ...usage, sum_of_model_calls: 3 });
    expect(sum).toContain('3 model calls that began with this call: it is their sum, not the size of one prompt');
  });
});

describe('an item', () => {
  it.each([
    [sampleItem(), 'turn 17'],
    [sampleItem({ sequence: 1, end_sequence: 9_000, count: 9_000 }), 'turns 1–9,000 (9,000)'],
    [sampleItem({ kind: 'summary', sequence: 2_807, end_sequence: 2_908 }), 'of turns 2,807–2,908'],
    [sampleItem({ sequence: undefined, host_index: 3 }), 'host message 3'],
    [sampleItem({ sequence: undefined, host_index: 3, count: 4 }), 'host messages 3–6 (4)'],
    [sampleItem({ sequence: undefined, source: 'engine' }), 'from the engine'],
    [sampleItem({ sequence: undefined, uri: 'strata://session/u/s/checkpoint/ckpt%201' }), 'checkpoint ckpt 1'],
    [sampleItem({ sequence: undefined, count: 12, source: 'host' }), '12 items of the host'],
  ])('of %o is labelled', (item, expected) => {
    expect(itemLabel(item)).toBe(expected);
  });
});

describe('the host link', () => {
  const host = { bypassed_turns: 0, spooled_turns: 0 };
  const store = { schema_version: 1, sessions: 3, turns: 9, size_bytes: 1 };

  it('is danger only when turns go past the engine', () => {
    expect(hostLinkWords({ store, host: { ...host, link: 'never' } }).tone).toBe('quiet');
    expect(hostLinkWords({ store, host: { ...host, link: 'active' } }).tone).toBe('active');
    expect(hostLinkWords({ store, host: { ...host, link: 'bypassed', bypassed_turns: 2 } })).toEqual({
      short: 'Engine bypassed',
      sentence:
        'The host runs turns without this engine: 2 turns since the last one of their session that went through it.',
      tone: 'danger',
    });
  });

  it('tells an engine that was never called from one that was restarted', () => {
    const never = { ...host, link: 'never' as const };
    expect(hostLinkWords({ host: never, store: { ...store, sessions: 0 } }).short).toBe('No host yet');
    expect(hostLinkWords({ host: never, store }).sentence).toBe('No host has called since this daemon was started.');
  });
});

describe('a session', () => {
  it('is known by its key, else by the host’s id', () => {
    expect(sessionName({ session_key: 'agent:main:main', session_id: 'x' })).toBe('agent:main:main');
    expect(sessionName({ session_key: '', session_id: 'x' })).toBe('x');
  });
});

describe('sessions that the host keeps for itself', () => {
  it('are known by their keys, and conversations are none', () => {
    expect(isHostInternal({ session_key: 'agent:main:internal-session-effects:c66d3d15-b5d1' })).toBe(true);
    expect(isHostInternal({ session_key: 'agent:main:main' })).toBe(false);
    expect(isHostInternal({ session_key: 'agent:main:discord:internal-session-effects:4' })).toBe(false);
  });
});

describe('what the provider counted besides', () => {
  const usage = { input: 15_746, output: 1, cache_read: 0, cache_write: 0, prompt_tokens: 15_746, reported_at: '' };

  it('is put in words, also when nothing was reported, less was counted, or it is a sum', () => {
    const call = { estimated_tokens: 3_155 };
    expect(providerSentence(call, usage)).toContain('12,591 tokens more');
    expect(providerSentence(call, undefined)).toContain('will be larger');
    expect(providerSentence({ estimated_tokens: 15_750 }, usage)).toContain('4 tokens less');
    expect(providerSentence(call, { ...usage, sum_of_model_calls: 3 })).toContain('the sum of 3 model calls');
  });
});
