import type { AssembleTrace } from '../../../../src-shared/model/trace.ts';
import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { Breakpoint, BreakpointRule, PausedCall } from '../../../../src-shared/protocol/breakpoints.ts';
import type { LiveEvents } from '../../engine-parts.ts';
import type { Clock } from '../../ports/clock.ts';
import { matchesBreakpoint } from './matches-breakpoint.ts';

type ResumedBy = 'person' | 'timeout' | 'removed' | 'stopped';

interface Held {
  readonly call: PausedCall;
  readonly resume: (by: ResumedBy) => void;
}

/** Rules at once; a person has a few. */
const mostRules = 100;
/** Calls that are held at once: a host with many sessions must not find all of them standing. */
const mostHeld = 4;
/** A call goes on so long before its own deadline, so that its answer still arrives (ms). */
const spareMs = 250;

/**
 * Rules under which a call waits between its answer and its return, so that a person can look at it. They live as long as
 * the daemon. Nothing holds a call for longer than its rule says, or than its own deadline leaves.
 */
export class Breakpoints {
  readonly #parts: { readonly clock: Clock; readonly events: LiveEvents };
  readonly #rules = new Map<string, Breakpoint>();
  readonly #held = new Set<Held>();
  #isStopped = false;

  constructor(parts: { readonly clock: Clock; readonly events: LiveEvents }) {
    this.#parts = parts;
  }

  list(): { readonly items: Breakpoint[]; readonly paused: PausedCall[] } {
    return { items: [...this.#rules.values()], paused: [...this.#held].map(({ call }) => call) };
  }

  counts(): { readonly active: number; readonly paused: number } {
    return { active: [...this.#rules.values()].filter(({ enabled }) => enabled).length, paused: this.#held.size };
  }

  /** @throws EngineError `invalid_request` when there are too many */
  put(id: string, rule: BreakpointRule): Breakpoint {
    const known = this.#rules.get(id);
    if (!known && this.#rules.size >= mostRules) {
      throw new EngineError('invalid_request', `There are ${mostRules} rules already; remove one first.`);
    }
    const at = new Date(this.#parts.clock.now()).toISOString();
    const breakpoint = { ...rule, breakpoint_id: id, created_at: known?.created_at ?? at, hits: known?.hits ?? 0 };
    this.#rules.set(id, breakpoint);
    this.#parts.events.publish({ type: 'health.changed' });
    return breakpoint;
  }

  delete(id: string): { readonly removed: boolean; readonly resumed: number } {
    const removed = this.#rules.delete(id);
    if (removed) this.#parts.events.publish({ type: 'health.changed' });
    return { removed, resumed: this.#resume((call) => call.breakpoint_id === id, 'removed') };
  }

  resume(id: string, callId: string | undefined): number {
    return this.#resume(
      (call) => call.breakpoint_id === id && (callId === undefined || call.call_id === callId),
      'person',
    );
  }

  /** All calls go on, and none is held any more. */
  stop(): void {
    this.#isStopped = true;
    this.#resume(() => true, 'stopped');
  }

  /**
   * Resolves at once where no rule matches; else when somebody lets the call go on, or its time is up. Never rejects.
   * @param leftMs what is left of the deadline that the caller named; infinite where it named none
   */
  async waitFor(trace: AssembleTrace, leftMs: number): Promise<void> {
    if (this.#rules.size === 0 || this.#isStopped || this.#held.size >= mostHeld) return;
    for (const rule of this.#rules.values()) {
      if (!rule.enabled || (rule.session_uid !== undefined && rule.session_uid !== trace.session_uid)) continue;
      const match = matchesBreakpoint(rule.when, trace);
      const ms = Math.min(rule.timeout_ms, leftMs - spareMs);
      if (!match || ms <= 0) continue;
      this.#rules.set(rule.breakpoint_id, { ...rule, hits: rule.hits + 1 });
      await this.#hold(rule, trace, match, ms);
      return;
    }
  }

  #hold(
    { breakpoint_id }: Breakpoint,
    { call_id, session_uid }: AssembleTrace,
    match: { readonly because: string; readonly item?: string },
    ms: number,
  ): Promise<void> {
    const { clock, events } = this.#parts;
    const since = clock.now();
    const call: PausedCall = {
      ...{ breakpoint_id, call_id, session_uid, ...match },
      since: new Date(since).toISOString(),
      until: new Date(since + ms).toISOString(),
    };
    return new Promise((resolve) => {
      const held: Held = {
        call,
        resume: (by) => {
          if (!this.#held.delete(held)) return;
          clearTimeout(timer);
          events.publish({ type: 'call.resumed', session_uid, call_id, breakpoint_id, by });
          resolve();
        },
      };
      const timer = setTimeout(() => held.resume('timeout'), ms);
      this.#held.add(held);
      const { until, because } = call;
      events.publish({ type: 'call.paused', session_uid, call_id, breakpoint_id, until, because });
    });
  }

  #resume(which: (call: PausedCall) => boolean, by: ResumedBy): number {
    const chosen = [...this.#held].filter(({ call }) => which(call));
    for (const { resume } of chosen) resume(by);
    return chosen.length;
  }
}
