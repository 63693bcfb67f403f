import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { describe, expect, it } from 'vitest';
import type { LiveEvent } from '../../../src-shared/model/events.ts';
import { createTestApp, type TestApp, type TestAppOptions } from '../testing/test-app.ts';
import { temporaryDirectory } from '../testing/temporary-directory.ts';

async function app(options: Omit<TestAppOptions, 'dataDir'> = {}): Promise<TestApp> {
  return createTestApp({ dataDir: await temporaryDirectory(), ...options });
}

function changed(name: string): LiveEvent {
  return { type: 'session.changed', session_uid: name };
}

function reading(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  if (!response.body) throw new Error('no body');
  return response.body.getReader();
}

async function nextText(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const { value } = await reader.read();
  return new TextDecoder().decode(value);
}

async function takeEvents(response: Response, count: number): Promise<EventSourceMessage[]> {
  if (!response.body) throw new Error('no body');
  const events: EventSourceMessage[] = [];
  const frames = response.body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
  for await (const frame of frames) {
    events.push(frame);
    if (events.length === count) break;
  }
  return events;
}

describe('live events over HTTP', () => {
  it('shows that it is open before anything happened', async () => {
    const response = await (await app()).send('/v1/events');
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await nextText(reading(response))).toBe(':\n\n');
  });

  it('needs the token', async () => {
    const test = await app();
    expect((await test.send('/v1/events', { headers: { Authorization: '' } })).status).toBe(401);
    expect(test.streams.count).toBe(0);
  });

  it('sends what is published from then on, each with its id and type', async () => {
    const test = await app();
    test.events.publish(changed('before'));
    const response = await test.send('/v1/events');
    test.events.publish(changed('one'));
    test.events.publish(changed('two'));
    expect(await takeEvents(response, 2)).toMatchObject([
      { id: 'test-2', event: 'session.changed', data: JSON.stringify(changed('one')) },
      { id: 'test-3', event: 'session.changed', data: JSON.stringify(changed('two')) },
    ]);
  });

  it('resumes after Last-Event-ID', async () => {
    const test = await app();
    for (const name of ['a', 'b', 'c']) test.events.publish(changed(name));
    const response = await test.send('/v1/events', { headers: { 'Last-Event-ID': 'test-1' } });
    expect((await takeEvents(response, 2)).map((event) => event.id)).toEqual(['test-2', 'test-3']);
  });

  it('tells a client that comes too late how many events it lost', async () => {
    const test = await app({ eventCapacity: 2 });
    for (const name of ['a', 'b', 'c', 'd']) test.events.publish(changed(name));
    const response = await test.send('/v1/events', { headers: { 'Last-Event-ID': 'test-1' } });
    const events = await takeEvents(response, 3);
    expect(events[0]).toMatchObject({ id: 'test-2', data: JSON.stringify({ type: 'stream.gap', dropped: 1 }) });
    expect(events.slice(1).map((event) => event.id)).toEqual(['test-3', 'test-4']);
  });

  it('tells a client of an earlier run that it has a gap, even when nothing happened since', async () => {
    const response = await (await app()).send('/v1/events', { headers: { 'Last-Event-ID': 'earlier-7' } });
    expect(await takeEvents(response, 1)).toMatchObject([{ id: 'test-0', event: 'stream.gap' }]);
  });

  it('does not grow with a client that does not read, and counts what that client lost', async () => {
    const test = await app({ eventCapacity: 10 });
    const response = await test.send('/v1/events');
    for (let i = 0; i < 5_000; i += 1) test.events.publish(changed(String(i)));
    const events = await takeEvents(response, 11);
    const gap = JSON.parse(events[0]?.data ?? '') as { dropped: number };
    expect(gap).toEqual({ type: 'stream.gap', dropped: 4_990 });
    expect(events.slice(1).map((event) => event.id)).toEqual(Array.from({ length: 10 }, (_, i) => `test-${4_991 + i}`));
  });

  it('goes on after a gap without a second one', async () => {
    const test = await app({ eventCapacity: 2 });
    const response = await test.send('/v1/events');
    const reader = reading(response);
    await nextText(reader);
    for (const name of ['a', 'b', 'c', 'd']) test.events.publish(changed(name));
    let text = '';
    while (!text.includes('test-4')) text += await nextText(reader);
    test.events.publish(changed('e'));
    while (!text.includes('test-5')) text += await nextText(reader);
    expect(text.match(/stream\.gap/g)?.length).toBe(2); // its event line and its data, once
  });

  it('serves several clients, each at its own pace', async () => {
    const test = await app();
    const [first, second] = await Promise.all([test.send('/v1/events'), test.send('/v1/events')]);
    test.events.publish(changed('a'));
    expect((await takeEvents(first, 1))[0]?.id).toBe('test-1');
    test.events.publish(changed('b'));
    expect((await takeEvents(second, 2)).map((event) => event.id)).toEqual(['test-1', 'test-2']);
  });

  it('shows that it lives while nothing happens', async () => {
    const reader = reading(await (await app({ heartbeatMs: 5 })).send('/v1/events'));
    expect(await nextText(reader)).toBe(':\n\n');
    expect(await nextText(reader)).toBe(':\n\n');
    await reader.cancel();
  });

  it('forgets a client that leaves', async () => {
    const test = await app();
    const reader = reading(await test.send('/v1/events'));
    expect(test.streams.count).toBe(1);
    await reader.cancel();
    expect(test.streams.count).toBe(0);
    test.events.publish(changed('a'));
  });

  it('forgets a client whose request is aborted, also before the stream began', async () => {
    const test = await app();
    const later = new AbortController();
    await test.send('/v1/events', { signal: later.signal });
    expect(test.streams.count).toBe(1);
    later.abort();
    expect(test.streams.count).toBe(0);
    await test.send('/v1/events', { signal: AbortSignal.abort() });
    expect(test.streams.count).toBe(0);
  });

  it('opens no stream for a HEAD request', async () => {
    const test = await app();
    expect((await test.send('/v1/events', { method: 'HEAD' })).status).toBe(200);
    expect(test.streams.count).toBe(0);
  });

  it('refuses the 101st stream', async () => {
    const test = await app();
    for (let i = 0; i < 100; i += 1) expect((await test.send('/v1/events')).status).toBe(200);
    expect((await test.send('/v1/events')).status).toBe(429);
  });

  it('ends all streams when the host stops', async () => {
    const test = await app();
    const reader = reading(await test.send('/v1/events'));
    await nextText(reader);
    test.streams.closeAll();
    expect((await reader.read()).done).toBe(true);
    expect(test.streams.count).toBe(0);
  });
});
