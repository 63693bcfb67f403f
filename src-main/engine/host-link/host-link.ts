import type { Alarm } from '../../../src-shared/model/events.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';
import type { EngineParts } from '../engine-parts.ts';
import { alarmsOf, silentTurns, type Observed } from './alarms-of.ts';
import { SessionLinks, type SessionLink } from './session-links.ts';

type HostState = HealthReply['host'];

/** Runs that are remembered; beyond that the oldest are forgotten. */
const remembered = 1_000;

/**
 * Knows whether the host really runs its turns through the engine. Model calls that the plugin's hooks see are held
 * against the assemble calls that came in: a seen call without one means that the host fell back to its own engine,
 * which it does silently (contract §0.1).
 */
export class HostLink {
  readonly #parts: EngineParts;
  #lastCall: { readonly name: string; readonly at: number } | undefined;
  #lastAssembleAt: number | undefined;
  #lastCommitAt: number | undefined;
  #lastTurnSeenAt: number | undefined;
  readonly #sessions = new SessionLinks();
  #pluginVersion: string | undefined;
  #hostVersion: string | undefined;
  #spooled: Observed['spooled'] = { pending: 0, rejected: 0, oldestAt: undefined };
  #degraded: Observed['degraded'];
  #storeFailed: Observed['storeFailed'];
  #deadJobs: Observed['deadJobs'];
  readonly #seenRuns = new Set<string>();
  #announced = '';

  constructor(parts: EngineParts) {
    this.#parts = parts;
    this.#announced = this.#fingerprint();
  }

  /** A call of the host's plugin (or of another client that stands for a host). */
  noteCall(name: string, sessionId: string | undefined): void {
    const now = this.#parts.clock.now();
    this.#lastCall = { name, at: now };
    if (name === 'assemble') {
      this.#lastAssembleAt = now;
      if (sessionId !== undefined) goesThrough(this.#sessions.of(sessionId));
      for (const session of this.#sessions.all()) if (session.isFromBefore) session.bypassedTurns = 0;
    }
    this.#announceChange();
  }

  /** Which session of ours a session of the host is. */
  nameSession(sessionId: string, uid: string): void {
    this.#sessions.of(sessionId).uid = uid;
  }

  /** Turns are in the log, whether they came by a commit or by a catch-up. */
  noteStored(isCommit: boolean, sessionId: string): void {
    if (isCommit) this.#lastCommitAt = this.#parts.clock.now();
    this.#sessions.of(sessionId).turnsSinceCommit = 0;
    this.#announceChange();
  }

  noteDegraded(degraded: Degraded, sessionId: string): void {
    this.#degraded = { degraded, at: this.#parts.clock.now(), uid: this.#sessions.of(sessionId).uid };
    this.#announceChange();
  }

  noteStoreFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#storeFailed = { message, at: this.#parts.clock.now() };
    this.#announceChange();
  }

  noteCatchUp(complete: boolean, sessionId: string): void {
    this.#sessions.of(sessionId).behindSince = complete ? undefined : this.#parts.clock.now();
    this.#announceChange();
  }

  noteDeadJobs(deadJobs: Observed['deadJobs']): void {
    this.#deadJobs = deadJobs;
    this.#announceChange();
  }

  noteEvent(event: HostEvent): void {
    if (event.type === 'plugin_registered') {
      this.#pluginVersion = event.plugin_version ?? this.#pluginVersion;
      this.#hostVersion = event.host_version ?? this.#hostVersion;
      for (const session of this.#sessions.all()) session.isFromBefore = session.bypassedTurns > 0;
    } else if (event.type === 'spool_state') {
      this.#spooled = { pending: event.pending, rejected: event.rejected ?? 0, oldestAt: event.oldest_at };
    } else {
      this.#noteTurnSeen(event.session_id, event.run_id);
    }
    this.#announceChange();
  }

  #noteTurnSeen(sessionId: string, runId: string | undefined): void {
    const now = this.#parts.clock.now();
    this.#lastTurnSeenAt = now;
    const session = this.#sessions.of(sessionId);
    session.seenAt = now;
    const wasAssembled = session.isAssembled;
    session.isAssembled = false;
    // A run with tools makes several model calls, each after an assemble of its own or all after one; it counts once.
    const run = `${sessionId}\n${runId ?? ''}`;
    if (runId !== undefined && this.#seenRuns.has(run)) return;
    if (runId !== undefined) remember(this.#seenRuns, run);
    session.turnsSinceCommit += 1;
    session.isFromBefore = false;
    session.bypassedTurns = wasAssembled ? 0 : session.bypassedTurns + 1;
  }

  state(): HostState {
    return {
      last_call_at: iso(this.#lastCall?.at),
      last_call: this.#lastCall?.name,
      last_assemble_at: iso(this.#lastAssembleAt),
      last_commit_at: iso(this.#lastCommitAt),
      last_turn_seen_at: iso(this.#lastTurnSeenAt),
      bypassed_turns: this.#bypassed()?.turns ?? 0,
      link: this.#link(),
      plugin_version: this.#pluginVersion,
      host_version: this.#hostVersion,
      spooled_turns: this.#spooled.pending,
    };
  }

  alarms(): Alarm[] {
    const { clock, recovery, uncleanShutdown, startedAt } = this.#parts;
    return alarmsOf(
      {
        bypassed: this.#bypassed(),
        silent: this.#sessions.trouble(
          ({ turnsSinceCommit: turns }) => (turns >= silentTurns ? turns : 0),
          (session) => session.seenAt,
        ),
        spooled: this.#spooled,
        degraded: this.#degraded,
        storeFailed: this.#storeFailed,
        behind: this.#sessions.trouble(
          ({ behindSince }) => (behindSince === undefined ? 0 : 1),
          (session) => session.behindSince,
        ),
        deadJobs: this.#deadJobs,
        recovery,
        uncleanShutdown,
        startedAt,
      },
      clock.now(),
    );
  }

  #bypassed(): Observed['bypassed'] {
    return this.#sessions.trouble(
      (session) => session.bypassedTurns,
      (session) => session.seenAt,
    );
  }

  #link(): HostState['link'] {
    if (this.#bypassed() !== undefined) return 'bypassed';
    return this.#lastAssembleAt === undefined && this.#lastCommitAt === undefined ? 'never' : 'active';
  }

  #announceChange(): void {
    const now = this.#fingerprint();
    if (now === this.#announced) return;
    this.#announced = now;
    this.#parts.events.publish({ type: 'health.changed' });
  }

  /** What a person sees of it; times move with every call and are no news. */
  #fingerprint(): string {
    const alarms = this.alarms().map(({ code, message }) => [code, message]);
    return JSON.stringify([this.#link(), this.#pluginVersion, this.#hostVersion, this.#spooled, alarms]);
  }
}

function goesThrough(session: SessionLink): void {
  session.isAssembled = true;
  session.bypassedTurns = 0;
}

function remember(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
  const oldest = set.size > remembered ? set.values().next().value : undefined;
  if (oldest !== undefined) set.delete(oldest);
}

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
