import type { HostMessage } from '../src-shared/protocol/host-message.ts';

export interface BreakerState {
  failures: number;
  /** Until when (epoch ms) calls fail at once. */
  openUntil: number;
  trialRunning: boolean;
}

/** What the newest assemble of a session came to; for `/strata`. */
export interface LastCall {
  readonly callId: string | undefined;
  readonly tokens: number;
  readonly budget: number | undefined;
  readonly fallback: string | undefined;
}

export interface RunFacts {
  modelCalls: number;
  lastCallId: string | undefined;
  /** Characters that the host put around our list: system prompt, prompt, tools. */
  hostTextChars: number | undefined;
}

/**
 * What the instances of the plugin in one process know together. The host evaluates the module several times with
 * separate scopes and makes an engine per turn, so neither module variables nor the engine can hold it. Everything
 * here is a cache: losing it costs time, never a turn.
 */
export interface SharedState {
  readonly probes: Map<string, { at: number; healthy: boolean }>;
  readonly breakers: Map<string, BreakerState>;
  /** Keys of messages whose bodies the daemon has acknowledged. */
  readonly knownKeys: BoundedMap<string, true>;
  readonly sessionIds: BoundedMap<string, string>;
  /** By run id of the host. */
  readonly runs: BoundedMap<string, RunFacts>;
  /** Resets that `before_reset` has reported already, by session key. */
  readonly announcedResets: BoundedMap<string, number>;
  readonly seenEvents: WeakSet<object>;
  /** The newest user messages as the host persists them, by session key (hosts that show them changed in memory). */
  readonly persistedUsers: BoundedMap<string, HostMessage[]>;
  /** Large results as their tools gave them, by session and call, until the host asks what to write. */
  readonly wholeResults: BoundedMap<string, unknown>;
  /** What the host was told to write instead of large results, by session and call. */
  readonly replacedResults: BoundedMap<string, HostMessage>;
  readonly additions: BoundedMap<string, string>;
  readonly lastCalls: BoundedMap<string, LastCall>;
  /** Sessions whose engine was asked for a context since their last prompt was built. */
  readonly assembled: BoundedMap<string, true>;
  /** By run id of the host: whether its engine was asked. */
  readonly assembledRuns: BoundedMap<string, boolean>;
  /** What the daemon was last told ahead that a session will ask. */
  readonly prefetched: BoundedMap<string, string>;
  /** The messages for which something was recalled without the engine. */
  readonly lastFallbacks: BoundedMap<string, string>;
  readonly deliveries: Map<string, Promise<number>>;
  /** How often the daemon failed with a waiting request, and since when (epoch ms); by the name of its file. */
  readonly failedDeliveries: BoundedMap<string, { readonly times: number; readonly since: number }>;
  /** Session ends and resets that are being reported, by session id: what follows in that session waits for them. */
  readonly endings: Map<string, Promise<void>>;
  /** Observations on their way to the daemon. */
  readonly sending: Set<Promise<void>>;
  readonly warnedAt: Map<string, number>;
  /** When the daemon that answered last was started, as it says itself. */
  daemonStartedAt: string | undefined;
  /** The daemon process that knows of this plugin: another one has to be told again. */
  registrationReportedTo: string | undefined;
  /** The newest report said that requests wait or were refused: when that is over, the daemon must hear of it. */
  spoolTroubleReported: boolean;
}

/** A map that forgets what was set longest ago. */
export class BoundedMap<K, V> {
  readonly #limit: number;
  readonly #entries = new Map<K, V>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size <= this.#limit) return;
    for (const oldest of this.#entries.keys()) {
      this.#entries.delete(oldest);
      break;
    }
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}

const slot = Symbol.for('strata.openclaw-plugin/2');

export function sharedState(): SharedState {
  // The global object has no index signature for symbols; this slot is only ever written here.
  const holder = globalThis as { [slot]?: SharedState };
  return (holder[slot] ??= {
    probes: new Map(),
    breakers: new Map(),
    knownKeys: new BoundedMap(50_000),
    sessionIds: new BoundedMap(1_000),
    runs: new BoundedMap(1_000),
    announcedResets: new BoundedMap(1_000),
    seenEvents: new WeakSet(),
    persistedUsers: new BoundedMap(200),
    wholeResults: new BoundedMap(16),
    replacedResults: new BoundedMap(200),
    additions: new BoundedMap(1_000),
    lastCalls: new BoundedMap(1_000),
    assembled: new BoundedMap(1_000),
    assembledRuns: new BoundedMap(1_000),
    prefetched: new BoundedMap(500),
    lastFallbacks: new BoundedMap(500),
    deliveries: new Map(),
    failedDeliveries: new BoundedMap(1_000),
    endings: new Map(),
    sending: new Set(),
    warnedAt: new Map(),
    daemonStartedAt: undefined,
    registrationReportedTo: undefined,
    spoolTroubleReported: false,
  });
}
