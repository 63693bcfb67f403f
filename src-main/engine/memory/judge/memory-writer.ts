import { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import type { MemoryPage, PageAuthor } from '../../../../src-shared/model/memory-page.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { sha256 } from '../../hash.ts';
import { KeyedQueue } from '../../keyed-queue.ts';
import type { MemoryOperations, OperationChange } from '../../ports/memory-operations.ts';
import type { MemoryPages, PageFields } from '../../ports/memory-pages.ts';
import type { Candidate } from '../extract/candidate.ts';
import { checkGates, type GateResult } from '../extract/gates/check-gates.ts';
import { localAccount } from '../scope-of.ts';
import { findKnown } from './find-known.ts';
import { judge } from './judge.ts';
import type { Judgement } from './judgement.ts';
import { writeJudgement, type Written } from './write-judgement.ts';

export interface WriterParts extends Pick<EngineParts, 'clock' | 'events' | 'log' | 'kinds'> {
  readonly pages: MemoryPages;
  readonly operations: MemoryOperations;
}

/** On whose behalf candidates are judged, and how they were found. */
export interface WriteContext {
  readonly userId: string;
  readonly agentId: string;
  readonly sessionUid?: string | undefined;
  readonly checkpointId?: string | undefined;
  readonly author: PageAuthor;
  readonly method: MemoryOperation['method'];
  /** Of the prompts that a model was asked with. */
  readonly promptVersion?: string | undefined;
  readonly extra?: Pick<PageFields, 'tags' | 'scope' | 'visibility' | 'title'>;
  /** Words of turns are judged once; what a tool is asked for is judged each time. */
  readonly once: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface WriteOutcome {
  /** One per candidate that was judged now; those that were judged before are absent. */
  readonly operations: readonly MemoryOperation[];
  /** The pages as they were written, by operation id. */
  readonly pages: ReadonlyMap<string, MemoryPage>;
  /** What could not be judged or written; the rest was. */
  readonly failures: readonly unknown[];
}

/** Somebody may write between judging and writing; then it is judged anew, so often at most. */
const attempts = 5;

/** Everything that rules, a model or a tool want to remember goes through here: gates, judgement, pages, history. */
export class MemoryWriter {
  readonly #parts: WriterParts;
  /** The memory of one user is changed by one caller at a time: two would not see each other's pages. */
  readonly #queue = new KeyedQueue();

  constructor(parts: WriterParts) {
    this.#parts = parts;
  }

  /** One candidate that fails does not keep the others from being judged. */
  async remember(candidates: readonly Candidate[], context: WriteContext): Promise<WriteOutcome> {
    return this.#queue.run(context.userId, async () => this.#remember(candidates, context));
  }

  /** What else changes pages of the user, in turn with what is remembered. */
  async inTurn<T>(userId: string, work: () => Promise<T>): Promise<T> {
    return this.#queue.run(userId, work);
  }

  async #remember(candidates: readonly Candidate[], context: WriteContext): Promise<WriteOutcome> {
    const operations: MemoryOperation[] = [];
    const pages = new Map<string, MemoryPage>();
    const failures: unknown[] = [];
    const judged = await this.#judgedBefore(candidates, context);
    for (const candidate of candidates) {
      const key = keyOf(candidate, context);
      if (judged.has(key)) continue;
      judged.add(key);
      context.signal?.throwIfAborted();
      try {
        const { operation, page } = await this.#one(candidate, context, context.once ? key : undefined);
        operations.push(operation);
        if (page) pages.set(operation.operation_id, page);
      } catch (error) {
        failures.push(error);
        this.#parts.log('warn', 'memory_not_written', { rule: candidate.rule, error: String(error) });
      }
    }
    return { operations, pages, failures };
  }

  async #judgedBefore(candidates: readonly Candidate[], context: WriteContext): Promise<Set<string>> {
    if (!context.once) return new Set();
    return new Set(await this.#parts.operations.judged(candidates.map((candidate) => keyOf(candidate, context))));
  }

  async #one(given: Candidate, context: WriteContext, key: string | undefined) {
    const gates = checkGates(given);
    if (gates.refusal) return this.#record(gates, undefined, undefined, context, key);
    for (let attempt = 1; ; attempt += 1) {
      const known = await findKnown(gates.candidate, context, this.#parts);
      const judgement = judge(gates.candidate, known, this.#parts.kinds.require(gates.candidate.kind).policy);
      if (judgement.action === 'NONE') return this.#record(gates, judgement, undefined, context, key);
      try {
        const written = await writeJudgement(
          {
            candidate: gates.candidate,
            judgement,
            place: known.place,
            scope: scopeFor(context),
            author: context.author,
            extra: context.extra ?? {},
          },
          this.#parts,
        );
        return await this.#record(gates, judgement, written, context, key);
      } catch (error) {
        if (attempt === attempts || !isConflict(error)) throw error;
      }
    }
  }

  async #record(
    gates: GateResult,
    judgement: Judgement | undefined,
    written: Written | undefined,
    context: WriteContext,
    key: string | undefined,
  ): Promise<{ readonly operation: MemoryOperation; readonly page: MemoryPage | undefined }> {
    const { clock, operations, events } = this.#parts;
    const operation = describe(gates, judgement, written, context, clock.newId('op'), clock.now());
    await operations.add({ operation, changes: written?.changes ?? [] }, key);
    events.publish({
      type: 'memory.operation',
      operation_id: operation.operation_id,
      ...(operation.uri === undefined ? {} : { uri: operation.uri }),
    });
    return { operation, page: written?.page };
  }
}

function describe(
  { candidate, durable, useful, refusal }: GateResult,
  judgement: Judgement | undefined,
  written: Written | undefined,
  context: WriteContext,
  id: string,
  at: number,
): MemoryOperation {
  const uri = written?.page.uri ?? judgement?.page?.uri;
  const own = written?.changes.find((change: OperationChange) => change.uri === uri);
  return {
    operation_id: id,
    at: new Date(at).toISOString(),
    action: judgement?.action ?? 'REFUSED',
    ...(uri === undefined ? {} : { uri }),
    kind: candidate.kind,
    text: candidate.text,
    reason: judgement?.reason ?? refusal ?? { code: 'internal', message: 'No reason was given.' },
    gates: { durable, new: judgement !== undefined && judgement.action !== 'NONE', useful },
    compared: judgement ? [...judgement.compared] : [],
    ...(own && own.versionBefore > 0 ? { version_before: own.versionBefore } : {}),
    ...(own ? { version_after: own.versionAfter } : {}),
    ...(written?.supersedes === undefined ? {} : { supersedes: written.supersedes }),
    author: context.author,
    method: context.method,
    ...(context.promptVersion === undefined ? {} : { prompt_version: context.promptVersion }),
    user_id: context.userId,
    agent_id: context.agentId,
    ...(context.sessionUid === undefined ? {} : { session_uid: context.sessionUid }),
    sources: [...candidate.sources],
    ...(context.checkpointId === undefined ? {} : { checkpoint_id: context.checkpointId }),
  };
}

/** The same words of the same turn, for the same owner. */
function keyOf({ sources, text, signal }: Candidate, { userId, agentId }: WriteContext): string {
  const what = signal === 'forget' ? 'forget' : 'keep';
  return sha256(JSON.stringify([userId, agentId, sources[0] ?? '', what, text.toLowerCase()]));
}

function scopeFor({ userId, agentId, sessionUid }: WriteContext) {
  return {
    accountId: localAccount,
    userId,
    agentId,
    sessionUid,
    otherSessions: false,
    access: 'all',
    labels: undefined,
  } as const;
}

function isConflict(error: unknown): boolean {
  return error instanceof EngineError && (error.code === 'page_conflict' || error.code === 'page_exists');
}
