import { describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../../../src-shared/model/events.ts';
import { createEventLog } from './event-log.ts';

function changed(name: string): LiveEvent {
  return { type: 'session.changed', session_uid: name };
}

function logOf(capacity: number, ...names: string[]) {
  const log = createEventLog({ capacity, streamId: 'run1' });
  for (const name of names) log.publish(changed(name));
  return log;
}

describe('event log', () => {
  it('numbers events from 1 under the name of its stream', () => {
    const log = logOf(10, 'a', 'b');
    expect(log.since('run1-0').events).toEqual([
      { id: 'run1-1', event: changed('a') },
      { id: 'run1-2', event: changed('b') },
    ]);
    expect(log.lastId).toBe('run1-2');
  });

  it('resumes after the given id', () => {
    expect(logOf(10, 'a', 'b', 'c').since('run1-2')).toEqual({
      events: [{ id: 'run1-3', event: changed('c') }],
      dropped: 0,
      gap: false,
      from: 'run1-2',
    });
  });

  it('gives a reader without an id nothing of the past', () => {
    expect(logOf(10, 'a').since(undefined)).toEqual({ events: [], dropped: 0, gap: false, from: 'run1-1' });
  });

  it('counts what a reader missed for good', () => {
    const missed = logOf(2, 'a', 'b', 'c', 'd', 'e').since('run1-1');
    expect(missed.dropped).toBe(2);
    expect(missed.gap).toBe(true);
    expect(missed.from).toBe('run1-3');
    expect(missed.events.map((entry) => entry.id)).toEqual(['run1-4', 'run1-5']);
  });

  it('reports no gap to a reader that is just within the held events', () => {
    expect(logOf(2, 'a', 'b', 'c').since('run1-1')).toMatchObject({ dropped: 0, gap: false });
  });

  it.each(['run0-1', 'run1-99', 'run1-', 'run1--1', 'run1-1e3', '', 'nonsense', 'run1-1 '])(
    'answers the unknown id %j with a gap and everything it holds',
    (id) => {
      const missed = logOf(10, 'a', 'b').since(id);
      expect(missed.gap).toBe(true);
      expect(missed.events).toHaveLength(2);
    },
  );

  it('tells subscribers in order and stops when they leave', () => {
    const log = createEventLog({ capacity: 4, streamId: 's' });
    const seen: string[] = [];
    const leave = log.subscribe((entry) => seen.push(entry.id));
    log.publish(changed('a'));
    log.publish(changed('b'));
    leave();
    log.publish(changed('c'));
    expect(seen).toEqual(['s-1', 's-2']);
  });

  it('lets a subscriber leave while it is told', () => {
    const log = createEventLog({ capacity: 4, streamId: 's' });
    const seen: string[] = [];
    const leave = log.subscribe(() => leave());
    log.subscribe((entry) => seen.push(entry.id));
    log.publish(changed('a'));
    expect(seen).toEqual(['s-1']);
  });

  it('drops a subscriber that throws, says so, and tells the others', () => {
    const onListenerError = vi.fn();
    const log = createEventLog({ capacity: 4, streamId: 's', onListenerError });
    const failure = new Error('listener');
    const seen: string[] = [];
    log.subscribe(() => {
      throw failure;
    });
    log.subscribe((entry) => seen.push(entry.id));
    log.publish(changed('a'));
    log.publish(changed('b'));
    expect(seen).toEqual(['s-1', 's-2']);
    expect(onListenerError.mock.calls).toEqual([[failure]]);
  });
});
