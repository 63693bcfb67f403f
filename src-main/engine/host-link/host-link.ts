import type { Alarm } from '../../../src-shared/model/events.ts';
import type { Degraded } from '../../../src-shared/model/trace.ts';
import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';
import type { EngineParts } from '../engine-parts.ts';

type HostState = HealthReply['host'];

/** Degraded calls within this time raise the alarm (ms). */
const degradedMemory = 10 * 60_000;

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
  #pluginVersion: string | undefined;
  #hostVersion: string | undefined;
  #spooled: { readonly pending: number; readonly oldestAt: string | undefined } = { pending: 0, oldestAt: undefined };
  #degraded: { readonly degraded: Degraded; readonly at: number } | undefined;
  #catchUpIncomplete: number | undefined;
  /** Sessions whose newest assemble has not been matched by a seen model call yet. */
  readonly #assembled = new Set<string>();
  readonly #seenRuns = new Set<string>();
  #wasBypassed = false;

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** A call of the host's plugin (or of another client that stands for a host). */
  noteCall(name: string, sessionId: string | undefined): void {
    const now = this.#parts.clock.now();
    this.#lastCall = { name, at: now };
    if (name === 'assemble') {
      this.#lastAssembleAt = now;
      if (sessionId !== undefined) this.#assembled.add(sessionId);
      this.#bypassedTurns = 0;
    }
    if (name === 'commitTurn' || name === 'afterTurn') this.#lastCommitAt = now;
    this.#announceChange();
  }

  noteDegraded(degraded: Degraded): void {
    this.#degraded = { degraded, at: this.#parts.clock.now() };
    this.#parts.events.publish({ type: 'health.changed' });
  }

  noteCatchUp(complete: boolean): void {
    this.#catchUpIncomplete = complete ? undefined : this.#parts.clock.now();
  }

  noteEvent(event: HostEvent): void {
    if (event.type === 'plugin_registered') {
      this.#pluginVersion = event.plugin_version ?? this.#pluginVersion;
      this.#hostVersion = event.host_version ?? this.#hostVersion;
    } else if (event.type === 'spool_state') {
      this.#spooled = { pending: event.pending, oldestAt: event.oldest_at };
    } else {
      this.#noteTurnSeen(event.session_id, event.run_id);
    }
    this.#announceChange();
  }

  #noteTurnSeen(sessionId: string, runId: string | undefined): void {
    this.#lastTurnSeenAt = this.#parts.clock.now();
    // A run with tools makes several model calls after one assemble; it counts once.
    const run = `${sessionId}\n${runId ?? ''}`;
    if (runId !== undefined && this.#seenRuns.has(run)) return;
    if (runId !== undefined) this.#rememberRun(run);
    if (this.#assembled.delete(sessionId)) this.#bypassedTurns = 0;
    else this.#bypassedTurns += 1;
  }

  #rememberRun(run: string): void {
    this.#seenRuns.add(run);
    const oldest = this.#seenRuns.size > 1_000 ? this.#seenRuns.values().next().value : undefined;
    if (oldest !== undefined) this.#seenRuns.delete(oldest);
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

  #link(): HostState['link'] {
    if (this.#bypassedTurns > 0) return 'bypassed';
    return this.#lastAssembleAt === undefined && this.#lastCommitAt === undefined ? 'never' : 'active';
  }

  alarms(): Alarm[] {
    const now = this.#parts.clock.now();
    const alarms: Alarm[] = [];
    if (this.#bypassedTurns > 0) {
      alarms.push({
        code: 'engine_bypassed',
        severity: 'danger',
        message: `${this.#bypassedTurns} model ${this.#bypassedTurns === 1 ? 'call' : 'calls'} of the host ran without Strata.`,
        remedy: 'Run "strata doctor": it says whether the plugin is installed, enabled and selected as context engine.',
        since: iso(this.#lastTurnSeenAt) ?? iso(now) ?? '',
      });
    }
    if (this.#spooled.pending > 0) {
      alarms.push({
        code: 'host_silent',
        severity: 'warning',
        message: `${this.#spooled.pending} turns wait in the plugin's spool and are not in the log yet.`,
        remedy: 'They are delivered with the next turn of the host; nothing is lost.',
        since: this.#spooled.oldestAt ?? iso(now) ?? '',
      });
    }
    if (this.#degraded && now - this.#degraded.at < degradedMemory) {
      alarms.push({
        code: 'assemble_degraded',
        severity: 'warning',
        message: `A call was answered with the host's own messages: ${this.#degraded.degraded.message}`,
        remedy: 'Open the call in the inspector; if it repeats, run "strata doctor".',
        since: iso(this.#degraded.at) ?? '',
      });
    }
    if (this.#catchUpIncomplete !== undefined) {
      alarms.push({
        code: 'catch_up_incomplete',
        severity: 'warning',
        message: 'The host has history that was not taken in yet, because one catch-up is bounded.',
        remedy: 'It goes on with each further turn of the session.',
        since: iso(this.#catchUpIncomplete) ?? '',
      });
    }
    if (this.#parts.recovery !== '') {
      alarms.push({
        code: 'store_failing',
        severity: 'danger',
        message: this.#parts.recovery,
        remedy: 'What was set aside is kept beside the database; run "strata doctor" for what it holds.',
        since: iso(this.#parts.startedAt) ?? '',
      });
    } else if (this.#parts.uncleanShutdown) {
      alarms.push({
        code: 'unclean_shutdown',
        severity: 'warning',
        message: 'The process before this one did not end cleanly; everything that was acknowledged is in the log.',
        remedy: 'Nothing to do. Stop the daemon with Ctrl-C or SIGTERM where you can.',
        since: iso(this.#parts.startedAt) ?? '',
      });
    }
    return alarms;
  }

  #announceChange(): void {
    const bypassed = this.#bypassedTurns > 0;
    if (bypassed === this.#wasBypassed && this.#lastCall !== undefined) return;
    this.#wasBypassed = bypassed;
    this.#parts.events.publish({ type: 'health.changed' });
  }
}

function iso(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
