import type { HostEvent } from '../../../src-shared/protocol/lifecycle.ts';
import { Deadline } from '../deadline.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { AppendResult, NewUsage, SessionRow, TurnMeta } from '../ports/session-store.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import type { ResolvedMessage } from '../turns/resolve-messages.ts';
import { matchCalls, type LoggedTurn, type PlacedAnswer, type TimedCall } from './match-calls.ts';
import { messageUsage } from './message-usage.ts';
import { RunCalls } from './run-calls.ts';
import { providerUsage, usageOf } from './usage-of.ts';

type Stored = Extract<AppendResult, { readonly status: 'stored' | 'duplicate' }>;

/** With what the provider counted for it. */
interface ReportedAnswer extends PlacedAnswer {
  readonly usage: NewUsage;
}

/** Calls that are read at once, and the most that are looked through for one delivery. */
const callPage = 100;
const mostPages = 10;

/**
 * Puts what the provider counted beside the assemble call that it is about. Two sources tell it: each stored answer of
 * the model carries the numbers of its own model call, and the host's hook reports a run as a whole, which for a run of
 * several model calls is only their sum. The first is surer and takes the place of the second.
 */
export class UsageRecorder {
  readonly #parts: EngineParts;
  readonly #runs = new RunCalls();
  readonly #running = new Set<Promise<void>>();

  constructor(parts: EngineParts) {
    this.#parts = parts;
  }

  /** @returns the session that the event is about, if it is about one that is stored */
  async noteEvent(event: HostEvent): Promise<SessionRow | undefined> {
    if (event.type !== 'turn_seen' && event.type !== 'usage') return undefined;
    const { store, config, clock } = this.#parts;
    const session = await store.findSession(resolveIdentity(event, config.user_id));
    if (!session) return undefined;
    if (event.type === 'turn_seen') {
      if (event.run_id !== undefined) this.#runs.seen(event.run_id, session.lastCallId);
      return session;
    }
    // Who names no run speaks of the call just made.
    const callId = event.run_id === undefined ? session.lastCallId : this.#runs.callOf(event.run_id);
    if (callId !== undefined) await this.#record(session, callId, usageOf(event, clock.now()));
    return session;
  }

  /** Runs behind the reply: the host does not wait for it, and `settled` does. */
  noteStored(result: Stored, messages: readonly ResolvedMessage[]): void {
    const work = this.#takeFrom(result, messages).catch((error: unknown) => {
      this.#parts.log('warn', 'usage_not_recorded', { session_uid: result.session.uid, cause: String(error) });
    });
    this.#running.add(work);
    void work.finally(() => this.#running.delete(work));
  }

  /** What was noted so far is recorded, its failure is logged, or `ms` milliseconds are over. */
  async settled(ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    await deadline.wait(Promise.all(this.#running));
    deadline.clear();
  }

  async #takeFrom({ session, stored, turnIds }: Stored, messages: readonly ResolvedMessage[]): Promise<void> {
    const byTurn = new Map(turnIds.map((turnId, index) => [turnId, messages[index]]));
    const answers = await this.#reportedAnswers(session, stored, byTurn);
    if (answers.length === 0) return;
    const earliest = Math.min(...answers.map(({ before }) => before.at));
    const calls = matchCalls(answers, await this.#callsSince(session, earliest));
    for (const { answer, usage } of answers) {
      const callId = calls.get(answer.turnId);
      if (callId !== undefined) await this.#record(session, callId, usage);
    }
  }

  async #reportedAnswers(
    session: SessionRow,
    stored: readonly TurnMeta[],
    messages: ReadonlyMap<string, ResolvedMessage | undefined>,
  ): Promise<readonly ReportedAnswer[]> {
    const found: ReportedAnswer[] = [];
    for (const [index, turn] of stored.entries()) {
      const message = messages.get(turn.turnId);
      const numbers = message?.view.timestamp === undefined ? undefined : messageUsage(message.message);
      if (message === undefined || numbers === undefined) continue;
      const next = stored[index + 1];
      const before = stored[index - 1] ?? (await this.#turnBefore(session, turn));
      if (before === undefined) continue;
      const usage = providerUsage(numbers, message.view.model, this.#parts.clock.now());
      found.push({
        answer: logged(turn),
        before: logged(before),
        result: next?.role === 'tool' ? logged(next) : undefined,
        // Later in a run the host added results that its assemble call may not have counted.
        usage: { ...usage, forCalibration: before.role === 'user', replaces: true },
      });
    }
    return found;
  }

  async #turnBefore(session: SessionRow, turn: TurnMeta): Promise<TurnMeta | undefined> {
    const range = { epoch: turn.epoch, before: turn.sequence, limit: 1 };
    return (await this.#parts.store.turnsBefore(session.uid, range))[0];
  }

  async #callsSince(session: SessionRow, earliest: number): Promise<readonly TimedCall[]> {
    const found: TimedCall[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const { items, nextCursor } = await this.#parts.store.pageCalls(session.uid, { cursor, limit: callPage });
      for (const call of items) found.push({ id: call.call_id, at: Date.parse(call.created_at) });
      cursor = nextCursor;
      const oldest = found.at(-1);
      if (cursor === undefined || oldest === undefined || oldest.at < earliest) break;
    }
    return found;
  }

  async #record(session: SessionRow, callId: string, usage: NewUsage): Promise<void> {
    if (!(await this.#parts.store.addUsage(callId, usage))) return;
    this.#parts.events.publish({ type: 'call.usage', session_uid: session.uid, call_id: callId });
  }
}

function logged({ turnId, timestamp }: TurnMeta): LoggedTurn {
  return { turnId, at: timestamp };
}
