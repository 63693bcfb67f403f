import { createParser } from 'eventsource-parser';
import { liveEventSchema, type LiveEvent } from '../../src-shared/model/events.ts';
import { ClientError } from './client-error.ts';
import type { LinkState } from './engine-client.ts';
import { errorOf, reach, type Fetch } from './http-request.ts';

export interface EventStreamParts {
  readonly fetch: Fetch;
  readonly url: string;
  readonly headers: () => Record<string, string>;
  readonly now: () => number;
  /** A number in [0, 1) that spreads the attempts of several pages. */
  readonly random: () => number;
  readonly onEvent: (event: LiveEvent) => void;
  readonly onState: (state: LinkState) => void;
}

export interface EventStream {
  close(): void;
  reconnectNow(): void;
}

/** Without a byte for this long the connection is taken for dead; the daemon sends heartbeats far more often. */
const silenceLimitMs = 60_000;
const firstDelayMs = 500;
const longestDelayMs = 10_000;

/**
 * Reads the daemon's server-sent events with fetch, because EventSource can not send the token. Reconnects with
 * growing delays and resumes after the last event that was seen.
 */
export function openEventStream(parts: EventStreamParts): EventStream {
  const closing = new AbortController();
  let wake: (() => void) | undefined;
  void run(parts, closing.signal, (resolve) => (wake = resolve)).catch((error: unknown) => {
    // Only a fault of this page ends up here: every failure of the connection is handled inside.
    console.error(error);
  });
  return {
    close: () => {
      closing.abort();
      wake?.();
    },
    reconnectNow: () => wake?.(),
  };
}

async function run(parts: EventStreamParts, closed: AbortSignal, onSleep: (wake: () => void) => void): Promise<void> {
  const seen: { id: string | undefined } = { id: undefined };
  let attempt = 0;
  let lostAt: number | undefined;
  // Who subscribes gets the way to end it before the first call back.
  await Promise.resolve();
  if (!closed.aborted) parts.onState({ status: 'connecting' });
  while (!closed.aborted) {
    const outcome = await readOnce(parts, closed, seen);
    if (closed.aborted) return;
    if (outcome === 'signed_out') {
      parts.onState({ status: 'signed_out' });
      // A new link may be opened in another tab, which puts a token into storage: someone then wakes us.
      await new Promise<void>(onSleep);
      continue;
    }
    if (outcome === 'was_live') {
      attempt = 0;
      lostAt = undefined;
    }
    attempt += 1;
    lostAt ??= parts.now();
    const delay = Math.min(longestDelayMs, firstDelayMs * 2 ** (attempt - 1)) * (0.75 + parts.random() / 2);
    parts.onState({ status: 'reconnecting', attempt, since: lostAt, nextTryAt: parts.now() + delay });
    await sleep(delay, onSleep);
  }
}

/** One connection, until it ends. */
async function readOnce(
  parts: EventStreamParts,
  closed: AbortSignal,
  seen: { id: string | undefined },
): Promise<'was_live' | 'failed' | 'signed_out'> {
  const silence = new AbortController();
  let timer = setTimeout(() => silence.abort(), silenceLimitMs);
  let live = false;
  try {
    const headers = { accept: 'text/event-stream', ...parts.headers() };
    const response = await reach(parts.fetch, parts.url, {
      headers: seen.id === undefined ? headers : { ...headers, 'last-event-id': seen.id },
      cache: 'no-store',
      signal: AbortSignal.any([closed, silence.signal]),
    });
    if (!response.ok) throw await errorOf(response);
    if (response.body === null) return 'failed';
    live = true;
    parts.onState({ status: 'live' });
    const parser = createParser({ onEvent: ({ id, data }) => take(parts, seen, id, data) });
    const decoder = new TextDecoder();
    for await (const chunk of chunks(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(), silenceLimitMs);
      parser.feed(decoder.decode(chunk, { stream: true }));
    }
    return 'was_live';
  } catch (error) {
    if (error instanceof ClientError && error.code === 'unauthorized') return 'signed_out';
    // The daemon stopped, the machine slept, the network went: the state says so and the next attempt follows.
    return live ? 'was_live' : 'failed';
  } finally {
    clearTimeout(timer);
  }
}

function take(parts: EventStreamParts, seen: { id: string | undefined }, id: string | undefined, data: string): void {
  if (id !== undefined && id !== '') seen.id = id;
  const event = liveEventSchema.safeParse(parseJson(data));
  // A kind of event that this page does not know announces something that it does not show.
  if (event.success) parts.onEvent(event.data);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function* chunks(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

function sleep(ms: number, onSleep: (wake: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    onSleep(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
