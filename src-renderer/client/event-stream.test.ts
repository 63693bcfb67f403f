import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveEvent } from '../../src-shared/model/events.ts';
import type { LinkState } from './engine-client.ts';
import { openEventStream, type EventStream } from './event-stream.ts';

const encoder = new TextEncoder();

/** A daemon whose connections are opened and cut by hand. */
class Daemon {
  readonly requests: Headers[] = [];
  away = false;
  status = 200;
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined;

  readonly fetch = (_url: string, init: RequestInit): Promise<Response> => {
    this.requests.push(new Headers(init.headers));
    if (this.away) return Promise.reject(new TypeError('refused'));
    if (this.status !== 200) {
      const body = { ok: false, error: { code: 'unauthorized', message: 'no' } };
      return Promise.resolve(Response.json(body, { status: this.status }));
    }
    const body = new ReadableStream<Uint8Array>({ start: (controller) => void (this.#controller = controller) });
    init.signal?.addEventListener('abort', () => this.#controller?.error(new Error('aborted')), { once: true });
    return Promise.resolve(new Response(body));
  };

  send(text: string): void {
    this.sendBytes(encoder.encode(text));
  }

  sendBytes(bytes: Uint8Array): void {
    this.#controller?.enqueue(bytes);
  }

  cut(): void {
    this.#controller?.close();
  }
}

let daemon: Daemon;
let stream: EventStream;
const events: LiveEvent[] = [];
const states: LinkState[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  daemon = new Daemon();
  events.length = 0;
  states.length = 0;
});

afterEach(() => {
  stream.close();
  vi.useRealTimers();
});

async function open(): Promise<void> {
  stream = openEventStream({
    fetch: daemon.fetch,
    url: 'http://daemon/v1/events',
    headers: () => ({ authorization: 'Bearer t' }),
    now: () => Date.now(),
    random: () => 0.5,
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
  });
  await settle();
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the event stream', () => {
  it('reads events that arrive in pieces, cut inside of a character', async () => {
    await open();
    const bytes = encoder.encode('id: a-1\ndata: {"type":"session.changed","session_uid":"会话"}\n\n');
    for (const byte of bytes) daemon.sendBytes(new Uint8Array([byte]));
    await settle();
    expect(events).toEqual([{ type: 'session.changed', session_uid: '会话' }]);
  });

  it('goes over an event of a kind that it does not know', async () => {
    await open();
    daemon.send('data: {"type":"dream.finished"}\n\ndata: no json\n\ndata: {"type":"health.changed"}\n\n');
    await settle();
    expect(events).toEqual([{ type: 'health.changed' }]);
    expect(states.at(-1)).toEqual({ status: 'live' });
  });

  it('resumes after the last event that it saw', async () => {
    await open();
    daemon.send('id: run-41\ndata: {"type":"health.changed"}\n\n');
    await settle();
    daemon.cut();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(daemon.requests).toHaveLength(2);
    expect(daemon.requests[0]?.get('last-event-id')).toBeNull();
    expect(daemon.requests[1]?.get('last-event-id')).toBe('run-41');
  });

  it('waits longer after each failure, up to ten seconds, and says when it tries again', async () => {
    daemon.away = true;
    await open();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt += 1) {
      const state = states.at(-1);
      if (state?.status !== 'reconnecting') throw new Error(`Not reconnecting at attempt ${attempt}`);
      expect(state.attempt).toBe(attempt);
      waits.push(state.nextTryAt - Date.now());
      await vi.advanceTimersByTimeAsync(state.nextTryAt - Date.now());
    }
    expect(waits).toEqual([500, 1_000, 2_000, 4_000, 8_000, 10_000, 10_000]);
  });

  it('starts with the shortest wait again once it was live', async () => {
    daemon.away = true;
    await open();
    await vi.advanceTimersByTimeAsync(4_000);
    daemon.away = false;
    await vi.advanceTimersByTimeAsync(4_000);
    expect(states.at(-1)).toEqual({ status: 'live' });
    daemon.cut();
    await settle();
    expect(states.at(-1)).toMatchObject({ status: 'reconnecting', attempt: 1 });
  });

  it('tries at once when asked to', async () => {
    daemon.away = true;
    await open();
    daemon.away = false;
    stream.reconnectNow();
    await settle();
    expect(states.at(-1)).toEqual({ status: 'live' });
  });

  it('takes a connection that is silent for a minute for dead', async () => {
    await open();
    await vi.advanceTimersByTimeAsync(59_000);
    daemon.send(':\n\n');
    await vi.advanceTimersByTimeAsync(59_000);
    expect(states.at(-1)).toEqual({ status: 'live' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(states.at(-1)).toMatchObject({ status: 'reconnecting' });
  });

  it('does not hammer a daemon that refuses its session', async () => {
    daemon.status = 401;
    await open();
    await vi.advanceTimersByTimeAsync(600_000);
    expect(daemon.requests).toHaveLength(1);
    expect(states.at(-1)).toEqual({ status: 'signed_out' });
    daemon.status = 200;
    stream.reconnectNow();
    await settle();
    expect(states.at(-1)).toEqual({ status: 'live' });
  });

  it('makes no attempt after it was closed', async () => {
    daemon.away = true;
    await open();
    stream.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(daemon.requests).toHaveLength(1);
  });
});
