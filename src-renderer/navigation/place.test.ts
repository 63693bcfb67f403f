import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPlace, parsePlace, type Place } from './place.ts';

const there = (url: string) => {
  const parsed = new URL(url, 'http://page');
  return parsePlace(parsed.pathname, parsed.search);
};

describe('addresses', () => {
  it.each<[string, Place]>([
    ['/', { at: 'overview' }],
    ['/sessions', { at: 'sessions' }],
    ['/sessions/', { at: 'sessions' }],
    ['/sessions/s1', { at: 'session', uid: 's1', tab: 'calls' }],
    ['/sessions/s1/calls', { at: 'session', uid: 's1', tab: 'calls' }],
    ['/sessions/s1/checkpoints', { at: 'session', uid: 's1', tab: 'checkpoints' }],
    ['/sessions/s1/calls/c1', { at: 'call', uid: 's1', callId: 'c1', view: 'decisions' }],
    ['/sessions/s1/calls/c1?view=messages', { at: 'call', uid: 's1', callId: 'c1', view: 'messages' }],
    ['/sessions/s1/calls/c1?step=12', { at: 'call', uid: 's1', callId: 'c1', view: 'decisions', step: 12 }],
    ['/sessions/s1/calls/c1?step=-1&view=odd', { at: 'call', uid: 's1', callId: 'c1', view: 'decisions' }],
    ['/sessions/s1/checkpoints/k1', { at: 'checkpoint', uid: 's1', checkpointId: 'k1' }],
    [
      '/sessions/s1/checkpoints/k1?view=turns&find=a%2Fb+c&only=uncovered',
      { at: 'checkpoint', uid: 's1', checkpointId: 'k1', view: 'turns', find: 'a/b c', uncovered: true },
    ],
    ['/sessions/s1/checkpoints/k1?view=odd&only=odd', { at: 'checkpoint', uid: 's1', checkpointId: 'k1' }],
    ['/jobs', { at: 'jobs' }],
    ['/jobs/j1?state=dead&type=compact', { at: 'jobs', jobId: 'j1', state: 'dead', type: 'compact' }],
    ['/jobs?state=odd', { at: 'jobs' }],
    ['/jobs/j1/more', { at: 'unknown', path: '/jobs/j1/more' }],
    ['/dreams', { at: 'unknown', path: '/dreams' }],
    ['/sessions/s1/odd', { at: 'unknown', path: '/sessions/s1/odd' }],
    ['/sessions/s1/calls/c1/more', { at: 'unknown', path: '/sessions/s1/calls/c1/more' }],
  ])('%s leads there', (url, place) => {
    expect(there(url)).toEqual(place);
  });

  it('lead back to where they were made, whatever the ids', () => {
    const id = fc
      .string({ minLength: 1, maxLength: 40, unit: 'grapheme' })
      .filter((text) => text !== '.' && text !== '..');
    const place = fc.oneof(
      fc.record({
        at: fc.constant('session' as const),
        uid: id,
        tab: fc.constantFrom('calls', 'turns', 'checkpoints'),
      }),
      fc.record({
        at: fc.constant('call' as const),
        uid: id,
        callId: id,
        view: fc.constantFrom('decisions', 'messages'),
        step: fc.nat({ max: 100_000 }),
      }),
      fc.record({
        at: fc.constant('checkpoint' as const),
        uid: id,
        checkpointId: id,
        view: fc.constantFrom('turns', 'checkpoints', 'identifiers'),
        find: id,
        uncovered: fc.constant(true),
      }),
      fc.record({ at: fc.constant('jobs' as const), jobId: id, state: fc.constantFrom('dead', 'queued'), type: id }),
    );
    fc.assert(
      fc.property(place, (made) => {
        expect(there(formatPlace(made as Place))).toEqual(made);
      }),
    );
  });
});
