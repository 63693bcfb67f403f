import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';
import type { EngineParts } from '../engine-parts.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import { RunCalls } from './run-calls.ts';
import { usageOf } from './usage-of.ts';

/** Puts what the provider reported beside the call that it is about. */
export class UsageRecorder {
  readonly #parts: EngineParts;
  readonly #runs = new RunCalls();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  async noteEvent(event: HostEvent): Promise<void> {
    if (event.type !== 'turn_seen' && event.type !== 'usage') return;
    const { store, config, clock, events } = this.#parts;
    const session = await store.findSession(resolveIdentity(event, config.user_id));
    if (!session) return;
    if (event.type === 'turn_seen') {
      if (event.run_id !== undefined) this.#runs.seen(event.run_id, session.lastCallId);
      return;
    }
    const callId = this.#runs.callOf(event.run_id, event.model_calls, session.lastCallId);
    if (callId === undefined || !(await store.addUsage(callId, usageOf(event, clock.now())))) return;
    events.publish({ type: 'call.usage', session_uid: session.uid, call_id: callId });
  }
}
