import type { Json } from '../../../../src-shared/model/json.ts';
import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import { Deadline } from '../../deadline.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { JobContext } from '../../jobs/job-handler.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Job } from '../../ports/job-queue.ts';
import type { MemoryOperations, TurnRange } from '../../ports/memory-operations.ts';
import type { SessionRow, TurnMeta } from '../../ports/session-store.ts';
import type { ModelExtractor } from './model/model-extractor.ts';
import { extractByRules } from './rules/extract-by-rules.ts';
import type { Extracted, TurnExtractor } from './turn-extractor.ts';
import { makesMemories, mayBeUsers, userWords } from './user-words.ts';

export const extractJobType = 'memory.extract';

export interface ExtractionParts extends Pick<EngineParts, 'store' | 'clock' | 'config' | 'log'> {
  readonly jobs: JobRunner;
  readonly operations: MemoryOperations;
  readonly extractor: TurnExtractor;
  /** Undefined where no model is configured: then rules alone find what there is. */
  readonly model: ModelExtractor | undefined;
  readonly timeZone: string;
}

/** `requests`: at once, only what was asked for. `flush`: everything of turns that leave the window. `model`: once more, by a model. */
type Pass = 'requests' | 'flush' | 'model';

interface Payload {
  readonly session_uid: string;
  readonly start: number;
  readonly end: number;
  readonly pass: Pass;
  readonly checkpoint_id?: string;
}

/** Turns that are read for one piece of a job, so that it can be cancelled in between. */
const turnsAtOnce = 500;
/** Sessions that a start catches up with. */
const mostSessions = 50;
/** Requests are done before what can wait. */
const requestPriority = 10;

/**
 * When turns are read for memories: requests right after they were stored, everything else before its turns leave the
 * window, and what was missed when the engine starts. Nothing of it can lose or hold up a turn or a compaction.
 */
export class MemoryExtraction {
  readonly #parts: ExtractionParts;
  readonly #pending = new Set<Promise<void>>();

  constructor(parts: ExtractionParts) {
    this.#parts = parts;
    parts.jobs.register(extractJobType, (job, context) => this.#run(job, context), {
      maxAttempts: 5,
      timeoutMs: 10 * 60_000,
    });
  }

  get #isOn(): boolean {
    return this.#parts.config.memory.extraction.enabled;
  }

  /** Turns were stored. Never throws and never waits: whoever committed them is answered meanwhile. */
  noteStored(session: SessionRow, stored: readonly TurnMeta[]): void {
    if (!this.#isOn || !makesMemories(session)) return;
    const own = stored.filter(mayBeUsers);
    if (own.length > 0) this.#own(this.#lookForRequests(session, own));
  }

  /** The session ended: what was not read of it will not be compacted any more. */
  noteEnded(session: SessionRow): void {
    if (!this.#isOn || !makesMemories(session) || session.lastSequence === 0) return;
    this.#own(this.#enqueue({ session_uid: session.uid, start: 1, end: session.lastSequence, pass: 'flush' }));
  }

  /**
   * Reads turns before a checkpoint takes their place, each once over all compactions. Never rejects: what fails is put
   * into a job, which shows.
   * @returns URIs of the pages that have something of these turns now
   */
  async flush(session: SessionRow, turns: readonly TurnMeta[], checkpointId: string): Promise<readonly string[]> {
    const [first, last] = [turns[0], turns.at(-1)];
    if (!this.#isOn || !makesMemories(session) || !first || !last) return [];
    const range = { start: first.sequence, end: last.sequence };
    const payload: Payload = { session_uid: session.uid, ...range, pass: 'flush', checkpoint_id: checkpointId };
    try {
      const uris = await this.#flushRange(session, range, payload, turns);
      if (this.#parts.model) await this.#enqueue({ ...payload, pass: 'model' });
      return uris;
    } catch (error) {
      this.#parts.log('warn', 'memory_flush_failed', { session_uid: session.uid, ...range, error: String(error) });
      await this.#enqueueOrLog(payload);
      return [];
    }
  }

  /** What left the window unread, because extraction was off or the process ended: as jobs, the sessions used last first. */
  catchUp(): void {
    if (this.#isOn) this.#own(this.#catchUp());
  }

  /** Waits for what is being looked at, so long at most (ms): a store that hangs must not keep the process from ending. */
  async stop(ms: number): Promise<void> {
    const deadline = new Deadline(ms);
    await deadline.wait(this.settled());
    deadline.clear();
  }

  /** Resolves when nothing is being looked at any more. */
  async settled(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
  }

  async #lookForRequests(session: SessionRow, own: readonly TurnMeta[]): Promise<void> {
    const { store, timeZone } = this.#parts;
    const bodies = await store.readBodies(own.map((turn) => turn.contentHash));
    for (const turn of own) {
      const body = bodies.get(turn.contentHash);
      const text =
        body === undefined ? '' : userWords(JSON.parse(body) as Parameters<typeof userWords>[0], turn.format);
      if (
        text === '' ||
        extractByRules({ text, sources: [''], at: turn.timestamp, timeZone, requestsOnly: true }).length === 0
      )
        continue;
      await this.#enqueue({ session_uid: session.uid, start: turn.sequence, end: turn.sequence, pass: 'requests' });
    }
  }

  async #catchUp(): Promise<void> {
    const { store, operations } = this.#parts;
    for (const { sessionUid } of await operations.behind(mostSessions)) {
      const [session] = await store.lookUpSessions(sessionUid);
      if (session?.uid !== sessionUid || !makesMemories(session)) continue;
      const end = await this.#leftWindow(session);
      const unread = end < 1 ? [] : await operations.unread(sessionUid, { start: 1, end });
      for (const range of unread) await this.#enqueue({ session_uid: sessionUid, ...range, pass: 'flush' });
    }
  }

  /** Newest turn that no context shows any more. */
  async #leftWindow(session: SessionRow): Promise<number> {
    if (session.ended) return session.lastSequence;
    const standing = await this.#parts.store.standingCheckpoints(session.uid, session.epoch);
    return Math.max(session.epochStart, ...standing.map((one) => one.source_turn_range.end_sequence));
  }

  async #run(job: Job, { signal, progress }: JobContext): Promise<Json> {
    const { store, operations } = this.#parts;
    const payload = readPayload(job.payload);
    const [session] = await store.lookUpSessions(payload.session_uid);
    if (session?.uid !== payload.session_uid) return { reason: 'session_is_gone' };
    const ranges = payload.pass === 'flush' ? await operations.unread(session.uid, payload) : [payload];
    const found: MemoryOperation[] = [];
    for (const range of ranges) {
      for (let start = range.start; start <= range.end; start += turnsAtOnce) {
        signal.throwIfAborted();
        progress(start - payload.start, payload.end - payload.start + 1, 'reading turns');
        const part = { start, end: Math.min(range.end, start + turnsAtOnce - 1) };
        found.push(...(await this.#pass(session, part, payload, signal)));
      }
    }
    return countsOf(found);
  }

  /** @throws the first failure, after everything else was done: the job is tried again */
  async #pass(
    session: SessionRow,
    range: TurnRange,
    payload: Payload,
    signal: AbortSignal,
  ): Promise<readonly MemoryOperation[]> {
    const { store, extractor, model, operations, clock } = this.#parts;
    const turns = await store.turnsInRange(session.uid, range.start, range.end, turnsAtOnce);
    const options = { requestsOnly: payload.pass === 'requests', checkpointId: payload.checkpoint_id, signal };
    const extracted =
      payload.pass === 'model' && model
        ? await model.extract(session, turns, options)
        : await extractor.extract(session, turns, options);
    if (extracted.failures.length > 0) throw extracted.failures[0];
    if (payload.pass === 'flush') await operations.noteRead(session.uid, range, clock.now());
    return extracted.operations;
  }

  async #flushRange(
    session: SessionRow,
    range: TurnRange,
    payload: Payload,
    turns: readonly TurnMeta[],
  ): Promise<readonly string[]> {
    const { operations, extractor, clock } = this.#parts;
    const found: MemoryOperation[] = [];
    for (const gap of await operations.unread(session.uid, range)) {
      const part = turns.filter(({ sequence }) => sequence >= gap.start && sequence <= gap.end);
      const extracted: Extracted = await extractor.extract(session, part, { checkpointId: payload.checkpoint_id });
      found.push(...extracted.operations);
      if (extracted.failures.length > 0) await this.#enqueue({ ...payload, ...gap });
      else await operations.noteRead(session.uid, gap, clock.now());
    }
    return urisOf(found);
  }

  async #enqueue(payload: Payload): Promise<void> {
    const { session_uid: uid, start, end, pass } = payload;
    await this.#parts.jobs.enqueue({
      type: extractJobType,
      payload: { ...payload },
      sessionUid: uid,
      singleFlightKey: `${extractJobType}:${uid}`,
      idempotencyKey: `${uid}:${start}-${end}:${pass}`,
      priority: pass === 'requests' ? requestPriority : 0,
    });
  }

  async #enqueueOrLog(payload: Payload): Promise<void> {
    try {
      await this.#enqueue(payload);
    } catch (error) {
      // The store itself is in trouble, which health shows; the next start catches up.
      this.#parts.log('error', 'memory_flush_not_queued', { session_uid: payload.session_uid, error: String(error) });
    }
  }

  #own(work: Promise<void>): void {
    const pending = work
      .catch((error: unknown) => this.#parts.log('error', 'memory_extraction_failed', { error: String(error) }))
      .finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }
}

function urisOf(operations: readonly MemoryOperation[]): string[] {
  const written = operations.filter(
    ({ action, uri }) => uri !== undefined && (action === 'ADD' || action === 'UPDATE' || action === 'DELETE'),
  );
  return [...new Set(written.flatMap(({ uri }) => uri ?? []))];
}

function countsOf(operations: readonly MemoryOperation[]): Json {
  const counts: Record<string, number> = {};
  for (const { action } of operations) counts[action] = (counts[action] ?? 0) + 1;
  return { operations: operations.length, ...counts, uris: urisOf(operations) };
}

function readPayload(payload: Json): Payload {
  // Only #enqueue writes it.
  return payload as unknown as Payload;
}
