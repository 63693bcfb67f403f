import type { Json } from '../../../src-shared/model/json.ts';
import type { SessionSummary } from '../../../src-shared/model/session.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CompactReply, PreparedCompaction } from '../../../src-shared/protocol/compact.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { JobContext } from '../jobs/job-handler.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { Job } from '../ports/job-queue.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { chooseTrigger, type BackgroundTrigger } from './choose-trigger.ts';
import type { Compactor } from './compactor.ts';
import { contextTokens } from './plan-compaction.ts';
import { countUserTurns, factsOf, readProgress, type SessionProgress } from './session-progress.ts';

export const compactJobType = 'compact';

/** Sessions whose progress is held; others are read again. */
const heldSessions = 500;

/**
 * What is worth a summary in the background: two questions and their answers, or a good part of the budget. Where the
 * newest turns alone are more than the trigger, each turn would else be folded by itself, and each call start anew.
 */
const manyTurns = 4;
const worthwhileShare = 0.2;
const leastTokens = 600;

/** After vain attempts the next one waits: from one minute on, twice as long each time, an hour at most. */
const firstPauseMs = 60_000;
const longestPauseMs = 60 * 60_000;

interface Attempt {
  readonly trigger: BackgroundTrigger;
  readonly reason: string | undefined;
  readonly at: number;
  /** Vain ones in a row. */
  readonly vain: number;
  readonly notBefore: number | undefined;
}

interface Payload {
  readonly session_uid: string;
  readonly trigger: BackgroundTrigger;
  /** Newest turn when the trigger was seen. */
  readonly sequence: number;
}

/** After each stored turn looks whether it is time to compact, and has it done in the background. */
export class CompactionScheduler {
  readonly #parts: EngineParts;
  readonly #counter: TokenCounter;
  readonly #strategies: StrategyRegistry;
  readonly #compactor: Compactor;
  readonly #jobs: JobRunner;
  readonly #progress = new Map<string, SessionProgress>();
  readonly #attempts = new Map<string, Attempt>();
  /** Jobs that are queued or running, by session. */
  readonly #pending = new Map<string, { readonly jobId: string; readonly trigger: BackgroundTrigger }>();
  /** Sessions whose host said lately that its model can be asked. */
  readonly #hosts = new Set<string>();
  /** Shares of the budget that the hosts of sessions want in the place of the configured one. */
  readonly #thresholds = new Map<string, number>();
  readonly #looking = new Map<string, Promise<void>>();
  /** Sessions as they are by now, where a turn came while they were looked at. */
  readonly #lookAgain = new Map<string, SessionRow>();
  /** What the host's model came to, by the job that waited for it. */
  readonly #byHost = new Map<string, CompactReply>();
  /** Grows with whatever changes what stands somewhere: what was read before is not kept. */
  #changes = 0;

  constructor(
    parts: EngineParts,
    counter: TokenCounter,
    strategies: StrategyRegistry,
    compactor: Compactor,
    jobs: JobRunner,
  ) {
    this.#parts = parts;
    this.#strategies = strategies;
    this.#counter = counter;
    this.#compactor = compactor;
    this.#jobs = jobs;
    jobs.register(compactJobType, (job, context) => this.#run(job, context), {
      maxAttempts: 5,
      timeoutMs: 15 * 60_000,
    });
  }

  /**
   * Turns were stored. Never throws and never waits: the turn is answered meanwhile.
   * @param threshold share of the budget that the host named with its turn; null: none; undefined: it was no turn's end
   */
  noteStored(session: SessionRow, stored: readonly TurnMeta[], threshold?: number | null): void {
    if (threshold !== undefined) this.#noteThreshold(session.uid, threshold);
    const known = this.#progress.get(session.uid);
    if (known?.epoch === session.epoch && known.counted + 1 === stored[0]?.sequence) {
      known.userTurns += countUserTurns(stored);
      known.counted = session.lastSequence;
    }
    if (this.#looking.has(session.uid)) {
      this.#lookAgain.set(session.uid, session);
      return;
    }
    const looking = this.#lookUntilQuiet(session).finally(() => this.#looking.delete(session.uid));
    this.#looking.set(session.uid, looking);
  }

  /** Something changed what stands in the session. */
  forget(sessionUid: string): void {
    this.#changes += 1;
    this.#progress.delete(sessionUid);
  }

  /**
   * The host offers its model's time: the compaction that is due, or undefined.
   * @throws what the store throws
   */
  async offer(session: SessionRow): Promise<PreparedCompaction | undefined> {
    if (this.#parts.config.compaction.summariser !== 'host') return undefined;
    this.#hosts.add(session.uid);
    forgetOldest(this.#hosts);
    await this.#looking.get(session.uid);
    const pending = this.#pending.get(session.uid);
    if (!pending) return undefined;
    const { prepared } = await this.#compactor.prepareFor(session, { trigger: pending.trigger });
    return prepared;
  }

  /** A compaction of the session ended, whoever asked for it. What waits for the host's model need not wait any longer. */
  noteReply(sessionUid: string, reply: CompactReply, by: 'engine' | 'host'): void {
    this.forget(sessionUid);
    if (reply.compacted) this.#attempts.delete(sessionUid);
    const pending = this.#pending.get(sessionUid);
    if (by !== 'host' || !pending || reply.next || !reply.ok) return;
    this.#noteAttempt(sessionUid, pending.trigger, reply);
    this.#byHost.set(pending.jobId, reply);
    forgetOldest(this.#byHost);
    const waking = this.#wake(pending.jobId).finally(() => this.#looking.delete(pending.jobId));
    this.#looking.set(pending.jobId, waking);
  }

  /** For the session's summary. */
  stateOf(sessionUid: string): SessionSummary['compaction'] {
    const attempt = this.#attempts.get(sessionUid);
    if (!attempt) return undefined;
    return {
      last_trigger: attempt.trigger,
      ...(attempt.reason === undefined ? {} : { last_reason: attempt.reason }),
      last_attempt_at: new Date(attempt.at).toISOString(),
      ...(attempt.notBefore === undefined ? {} : { next_attempt_at: new Date(attempt.notBefore).toISOString() }),
    };
  }

  async settled(): Promise<void> {
    await Promise.all(this.#looking.values());
  }

  #noteThreshold(uid: string, threshold: number | null): void {
    this.#thresholds.delete(uid);
    if (threshold === null) return;
    this.#thresholds.set(uid, threshold);
    forgetOldest(this.#thresholds);
  }

  async #lookUntilQuiet(session: SessionRow): Promise<void> {
    for (let next: SessionRow | undefined = session; next; next = this.#lookAgain.get(session.uid)) {
      this.#lookAgain.delete(session.uid);
      await this.#look(next);
    }
  }

  async #look(session: SessionRow): Promise<void> {
    const { config, clock, log } = this.#parts;
    try {
      const now = clock.now();
      const attempt = this.#attempts.get(session.uid);
      // An attempt of the future was made before the clock was set back.
      const isPaused = attempt !== undefined && attempt.at <= now && now < (attempt.notBefore ?? 0);
      if (isPaused || (await this.#isPending(session.uid))) return;
      const progress = await this.#progressOf(session);
      const facts = factsOf(session, progress, config.assemble.default_token_budget, now);
      const { rawTurnLimit, recentRawTurnCount } = await this.#strategies.get(this.#strategies.nameFor(session));
      const recent = recentRawTurnCount ?? config.assemble.recent_raw_turn_count;
      if (!(await this.#isWorthwhile(session, progress.covered.sequence, facts.rawTurns - recent, facts.budget)))
        return;
      const { triggers } = config.compaction;
      const share = this.#thresholds.get(session.uid) ?? triggers.budget_share;
      const trigger = chooseTrigger({ ...facts, rawTurnLimit }, { ...triggers, budget_share: share });
      if (trigger) await this.#enqueue(session, trigger);
    } catch (error) {
      // The turn is stored; the next one looks again.
      log('error', 'triggers of compaction could not be checked', { session_uid: session.uid, message: String(error) });
    }
  }

  /**
   * Besides the newest turns, which stay raw, there may be next to nothing: an attempt would be in vain, and put off the
   * next one.
   */
  async #isWorthwhile(session: SessionRow, covered: number, older: number, budget: number): Promise<boolean> {
    if (older <= 0 || older >= manyTurns) return older > 0;
    const turns = await this.#parts.store.turnsInRange(session.uid, covered + 1, covered + older, older);
    return contextTokens(turns) >= Math.max(leastTokens, worthwhileShare * budget);
  }

  /** Jobs also end without us: somebody cancels them, or they die. */
  async #isPending(uid: string): Promise<boolean> {
    const pending = this.#pending.get(uid);
    if (!pending) return false;
    const found = await this.#parts.jobs.get(pending.jobId);
    const isOpen = found?.job.state === 'queued' || found?.job.state === 'running';
    if (!isOpen) this.#pending.delete(uid);
    return isOpen;
  }

  async #progressOf(session: SessionRow): Promise<SessionProgress> {
    const known = this.#progress.get(session.uid);
    // Turns that came while it was read were not counted in it.
    if (known?.epoch === session.epoch && known.counted >= session.lastSequence) return known;
    const changes = this.#changes;
    const progress = await readProgress(session, this.#parts, this.#counter);
    if (changes !== this.#changes) return progress;
    this.#progress.set(session.uid, progress);
    forgetOldest(this.#progress);
    return progress;
  }

  async #enqueue(session: SessionRow, trigger: BackgroundTrigger): Promise<void> {
    const { config, clock } = this.#parts;
    const { uid } = session;
    const { summariser, host_wait_seconds: wait } = config.compaction;
    const waits = summariser === 'host' && this.#hosts.has(uid);
    const { job } = await this.#jobs.enqueue({
      type: compactJobType,
      payload: { session_uid: uid, trigger, sequence: session.lastSequence },
      sessionUid: uid,
      singleFlightKey: `session:${uid}`,
      idempotencyKey: `compact:${uid}`,
      whenFinished: 'new',
      ...(waits ? { runAfter: clock.now() + wait * 1_000 } : {}),
    });
    this.#pending.set(uid, { jobId: job.jobId, trigger });
  }

  async #run(job: Job, { signal, progress }: JobContext): Promise<Json> {
    const { session_uid: uid, trigger, sequence } = readPayload(job.payload);
    const { store } = this.#parts;
    const [session] = await store.lookUpSessions(uid);
    if (!session) return { compacted: false, reason: 'unknown_session' };
    const newest = await store.newestCheckpoint(uid, session.epoch);
    const byHost = this.#byHost.get(job.jobId);
    this.#byHost.delete(job.jobId);
    if ((newest?.as_of?.sequence ?? 0) >= sequence)
      return this.#done(uid, { compacted: false, reason: 'already_compacted' });
    if (byHost) return this.#done(uid, resultOf(byHost));
    const reply = await this.#compactor.compactSession(
      session,
      { trigger },
      { signal, progress: (done, note) => progress(done, 0, note), patient: true },
    );
    this.#noteAttempt(uid, trigger, reply);
    if (!reply.ok) throw new EngineError('internal', reply.reason ?? 'The compaction failed.');
    return this.#done(uid, resultOf(reply));
  }

  #done(uid: string, result: Json): Json {
    this.#pending.delete(uid);
    this.forget(uid);
    return result;
  }

  #noteAttempt(uid: string, trigger: BackgroundTrigger, { compacted, reason }: CompactReply): void {
    const now = this.#parts.clock.now();
    const vain = compacted ? 0 : (this.#attempts.get(uid)?.vain ?? 0) + 1;
    const pause = vain === 0 ? undefined : Math.min(longestPauseMs, firstPauseMs * 2 ** (vain - 1));
    this.#attempts.set(uid, {
      trigger,
      reason,
      at: now,
      vain,
      notBefore: pause === undefined ? undefined : now + pause,
    });
    forgetOldest(this.#attempts);
  }

  /** Never rejects. The job may have begun by itself; either way it sees that there is nothing left to do. */
  async #wake(jobId: string): Promise<void> {
    try {
      await this.#jobs.retry(jobId);
    } catch (error) {
      if (error instanceof EngineError && (error.code === 'job_not_retriable' || error.code === 'unknown_job')) return;
      this.#parts.log('warn', 'a job could not be woken', { job_id: jobId, message: String(error) });
    }
  }
}

/** Sets and maps keep the order of insertion; who is forgotten is read or told of again. */
function forgetOldest(held: Map<string, unknown> | Set<string>): void {
  const oldest = held.size > heldSessions ? held.keys().next().value : undefined;
  if (oldest !== undefined) held.delete(oldest);
}

function resultOf({ compacted, reason, tokens_before, tokens_after, checkpoint_ids }: CompactReply): Json {
  return { compacted, ...(reason === undefined ? {} : { reason }), tokens_before, tokens_after, checkpoint_ids };
}

function readPayload(payload: Json): Payload {
  // Only #enqueue writes it.
  return payload as unknown as Payload;
}
