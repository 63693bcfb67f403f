import type { Alarm } from '../../../src-shared/model/events.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';
import type { EngineParts } from '../engine-parts.ts';
import { alarmsOf, type Observed } from './alarms-of.ts';

type HostState = HealthReply['host'];

/** Sessions and runs that are remembered; beyond that the oldest are forgotten. */
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
  #bypassedTurns = 0;
  #turnsSinceCommit = 0;
  #pluginVersion: string | undefined;
  #hostVersion: string | undefined;
  #spooled: Observed['spooled'] = { pending: 0, rejected: 0, oldestAt: undefined };
  #degraded: Observed['degraded'];
  #storeFailed: Observed['storeFailed'];
  #catchUpIncomplete: number | undefined;
  #deadJobs: Observed['deadJobs'];
  /** Sessions whose newest assemble has not been matched by a seen model call yet. */
  readonly #assembled = new Set<string>();
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
      if (sessionId !== undefined) remember(this.#assembled, sessionId);
      this.#bypassedTurns = 0;
    }
    this.#announceChange();
  }

  /** Turns are in the log, whether they came by a commit or by a catch-up. */
  noteStored(isCommit: boolean): void {
    if (isCommit) this.#lastCommitAt = this.#parts.clock.now();
    this.#turnsSinceCommit = 0;
    this.#announceChange();
  }

  noteDegraded(degraded: Degraded): void {
    this.#degraded = { degraded, at: this.#parts.clock.now() };
    this.#announceChange();
  }

  noteStoreFailure(error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    this.#storeFailed = { message, at: this.#parts.clock.now() };
    this.#announceChange();
  }

  noteCatchUp(complete: boolean): void {
    this.#catchUpIncomplete = complete ? undefined : this.#parts.clock.now();
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
    } else if (event.type === 'spool_state') {
      this.#spooled = { pending: event.pending, rejected: event.rejected ?? 0, oldestAt: event.oldest_at };
    } else {
      this.#noteTurnSeen(event.session_id, event.run_id);
    }
    this.#announceChange();
  }

  #noteTurnSeen(sessionId: string, runId: string | undefined): void {
    this.#lastTurnSeenAt = this.#parts.clock.now();
    const wasAssembled = this.#assembled.delete(sessionId);
    // A run with tools makes several model calls, each after an assemble of its own or all after one; it counts once.
    const run = `${sessionId}\n${runId ?? ''}`;
    if (runId !== undefined && this.#seenRuns.has(run)) return;
    if (runId !== undefined) remember(this.#seenRuns, run);
    this.#turnsSinceCommit += 1;
    if (wasAssembled) this.#bypassedTurns = 0;
    else this.#bypassedTurns += 1;
  }

  state(): HostState {
    return {
      last_call_at: iso(this.#lastCall?.at),
      last_call: this.#lastCall?.name,
      last_assemble_at: iso(this.#lastAssembleAt),
      last_commit_at: iso(this.#lastCommitAt),
      last_turn_seen_at: iso(this.#lastTurnSeenAt),
      bypassed_turns: this.#bypassedTurns,
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
        bypassedTurns: this.#bypassedTurns,
        turnsSinceCommit: this.#turnsSinceCommit,
        lastTurnSeenAt: this.#lastTurnSeenAt,
        spooled: this.#spooled,
        degraded: this.#degraded,
        storeFailed: this.#storeFailed,
        catchUpIncomplete: this.#catchUpIncomplete,
        deadJobs: this.#deadJobs,
        recovery,
        uncleanShutdown,
        startedAt,
      },
      clock.now(),
    );
  }

  #link(): HostState['link'] {
    if (this.#bypassedTurns > 0) return 'bypassed';
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

function remember(set: Set<string>, value: string): void {
  set.delete(value);
  set.add(value);
  const oldest = set.size > remembered ? set.values().next().value : undefined;
  if (oldest !== undefined) set.delete(oldest);
}

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
