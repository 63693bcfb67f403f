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
    ['/sessions/s1/turns?turn=17', { at: 'session', uid: 's1', tab: 'turns', turn: 17 }],
    ['/sessions/s1/turns?turn=x', { at: 'session', uid: 's1', tab: 'turns' }],
    ['/memory', { at: 'memory' }],
    [
      '/memory?page=strata://user/local/memories/a/%25E8%258C%25B6&view=history&version=3&find=tea&kind=preference&only=retired',
      {
        at: 'memory',
        page: 'strata://user/local/memories/a/%E8%8C%B6',
        view: 'history',
        version: 3,
        find: 'tea',
        kind: 'preference',
        mark: 'retired',
      },
    ],
    ['/memory?view=odd&version=0&only=odd', { at: 'memory' }],
    ['/memory/operations?action=ADD&operation=o1', { at: 'operations', action: 'ADD', operation: 'o1' }],
    ['/memory/operations?action=odd', { at: 'operations' }],
    [
      '/recall?q=who+is+it&sources=turn,odd&labels=a,+b&limit=5&min=0.5&inactive=yes',
      {
        at: 'recall',
        query: 'who is it',
        sources: ['turn'],
        labels: ['a', 'b'],
        limit: 5,
        min: 0.5,
        inactive: true,
      },
    ],
    ['/recall?limit=0&min=2&tokens=1e9', { at: 'recall' }],
    ['/search?q=a/b&in=page', { at: 'search', query: 'a/b', source: 'page' }],
    ['/recall/more', { at: 'unknown', path: '/recall/more' }],
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
      fc.record({ at: fc.constant('memory' as const), page: id, find: id, kind: id, mark: fc.constant('pinned') }),
      fc.record({ at: fc.constant('recall' as const), query: id, user: id, as: id, limit: fc.constant(7) }),
      fc.record({ at: fc.constant('search' as const), query: id }),
      fc.record({ at: fc.constant('jobs' as const), jobId: id, state: fc.constantFrom('dead', 'queued'), type: id }),
    );
    fc.assert(
      fc.property(place, (made) => {
        expect(there(formatPlace(made as Place))).toEqual(made);
      }),
    );
  });
});
