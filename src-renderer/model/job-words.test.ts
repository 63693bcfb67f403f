import { describe, expect, it } from 'vitest';
import type { JobDetail, JobSummary } from '../../src-shared/model/job.ts';
import { formatTime } from './format-time.ts';
import { canCancel, checkpointIdsOf, idleWords, jobLine, progressWords, whyNotRetried } from './job-words.ts';

const now = Date.parse('2026-11-03T10:00:00Z');
const job = (over: Partial<JobSummary> = {}): JobSummary => ({
  job_id: 'job_1',
  type: 'compact',
  state: 'queued',
  priority: 0,
  attempts: 1,
  max_attempts: 3,
  timeout_ms: 60_000,
  cancel_requested: false,
  created_at: '2026-11-03T09:00:00Z',
  ...over,
});
const later = '2026-11-03T10:05:00Z';

describe('a job in one line', () => {
  it.each<[string, Partial<JobSummary>, string]>([
    ['waits for a worker', {}, 'waits for a worker'],
    ['begins later', { next_attempt_at: later }, 'begins in 5 min'],
    ['begins in a moment', { next_attempt_at: '2026-11-03T10:00:40Z' }, 'begins in 40 s'],
    [
      'waits for the host’s model',
      { attempts: 0, next_attempt_at: later },
      `waits until ${formatTime(later, now)} for OpenClaw’s model`,
    ],
    [
      'was tried and begins later',
      { next_attempt_at: later, last_error: 'busy' },
      'begins in 5 min; attempt 1 failed: busy',
    ],
    ['is at work', { state: 'running' }, 'at work'],
    ['got so far', { state: 'running', progress: { done: 2, total: 5, note: 'folding' } }, '2 of 5, folding'],
    ['was asked to stop', { state: 'running', cancel_requested: true }, 'asked to stop'],
    ['gave up', { state: 'dead', last_error: 'disk_full: nothing free' }, 'disk_full: nothing free'],
    ['gave up without a word', { state: 'dead' }, 'no reason was recorded'],
    ['has done it', { state: 'succeeded' }, ''],
  ])('says that it %s', (_what, over, line) => {
    expect(jobLine(job(over), now)).toBe(line);
  });

  it('leaves out a total that is not known', () => {
    expect(progressWords({ done: 3, total: 0, note: 'summarising turns' })).toBe('3 done, summarising turns');
    expect(progressWords({ done: 0, total: 0 })).toBe('');
  });
});

describe('what can be done with a job', () => {
  it('is trying again when it gave up, was cancelled, or waits for its next attempt', () => {
    expect(whyNotRetried(job({ state: 'dead' }), now)).toBeUndefined();
    expect(whyNotRetried(job({ state: 'cancelled' }), now)).toBeUndefined();
    expect(whyNotRetried(job({ next_attempt_at: later }), now)).toBeUndefined();
    expect(whyNotRetried(job(), now)).toContain('as soon as a worker is free');
    expect(whyNotRetried(job({ state: 'succeeded' }), now)).toContain('Only jobs that gave up');
  });

  it('is cancelling it while it has not ended, and once', () => {
    expect(canCancel(job())).toBe(true);
    expect(canCancel(job({ state: 'dead' }))).toBe(true);
    expect(canCancel(job({ state: 'running' }))).toBe(true);
    expect(canCancel(job({ state: 'running', cancel_requested: true }))).toBe(false);
    expect(canCancel(job({ state: 'succeeded' }))).toBe(false);
  });

  it('names the checkpoints of its answer, whatever the answer is', () => {
    expect(checkpointIdsOf({ checkpoint_ids: ['a', 4, 'b'] })).toEqual(['a', 'b']);
    expect(checkpointIdsOf({ checkpoint_ids: 'a' })).toEqual([]);
    expect(checkpointIdsOf(null)).toEqual([]);
  });
});

describe('a compaction that succeeded and made nothing', () => {
  const ended = (trigger: string, result: unknown): JobDetail => ({
    ...job({ state: 'succeeded' }),
    payload: { trigger },
    result,
    history: [],
  });

  it('says why, and warns when the context was over its share of the budget', () => {
    const small = idleWords(ended('turns', { compacted: false, reason: 'nothing_to_compact' }));
    expect(small).toEqual({ warn: false, sentence: expect.stringContaining('Nothing to do: no turns are old enough') });
    const large = idleWords(ended('budget', { compacted: false, reason: 'nothing_to_compact' }));
    expect(large).toEqual({ warn: true, sentence: expect.stringContaining('reached its share of the budget') });
    expect(idleWords(ended('budget', { compacted: false, reason: 'already_compacted' }))?.warn).toBe(false);
  });

  it('is no other job', () => {
    expect(idleWords(ended('budget', { compacted: true }))).toBeUndefined();
    expect(idleWords({ ...ended('budget', { compacted: false }), type: 'other' })).toBeUndefined();
  });
});
