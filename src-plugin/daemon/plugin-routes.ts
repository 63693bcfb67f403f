/**
 * The daemon's routes as the plugin uses them. Requests have the types of the protocol; of an answer only what the
 * plugin needs is read, by hand: the host evaluates the plugin several times per process, and a schema library would
 * cost more there than these few checks.
 */
import type { z } from 'zod';
import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import type {
  assembleRequestSchema,
  PlanEntry,
  prefetchRoute as prefetchDefinition,
} from '../../src-shared/protocol/assemble.ts';
import type {
  compactRequestSchema,
  prepareCompactionRoute as prepareCompactionDefinition,
} from '../../src-shared/protocol/compact.ts';
import type {
  hostEventsRoute as hostEventsDefinition,
  sessionEndRequestSchema,
} from '../../src-shared/protocol/lifecycle.ts';
import type {
  subagentEndedRoute as endedDefinition,
  subagentPrepareRoute as prepareDefinition,
} from '../../src-shared/protocol/lifecycle.ts';
import type { maintainRoute as maintainDefinition } from '../../src-shared/protocol/lifecycle.ts';
import type { toolResultRequestSchema } from '../../src-shared/protocol/tool-result.ts';
import type {
  memoryForgetRequestSchema,
  memoryRecallRequestSchema,
  memoryStoreRequestSchema,
} from '../../src-shared/protocol/memory-tools.ts';
import type { memoryExpandRequestSchema } from '../../src-shared/protocol/tools.ts';
import type {
  afterTurnRequestSchema,
  bootstrapRequestSchema,
  commitTurnRequestSchema,
  ingestRequestSchema,
} from '../../src-shared/protocol/turns.ts';

export interface PluginRoute<Body, Reply> {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  /** Narrows an answer; undefined when it is not what the protocol promises. */
  readonly read: (value: unknown) => Reply | undefined;
  /** Never set: carries the type of the request. */
  readonly body?: Body;
}

export type CommitTurnBody = z.input<typeof commitTurnRequestSchema>;
export type AfterTurnBody = z.input<typeof afterTurnRequestSchema>;
export type IngestBody = z.input<typeof ingestRequestSchema>;
export type BootstrapBody = z.input<typeof bootstrapRequestSchema>;
export type AssembleBody = z.input<typeof assembleRequestSchema>;
export type CompactBody = z.input<typeof compactRequestSchema>;
export type PrepareCompactionBody = z.input<(typeof prepareCompactionDefinition)['body']>;
export type SessionEndBody = z.input<typeof sessionEndRequestSchema>;
export type MemoryExpandBody = z.input<typeof memoryExpandRequestSchema>;
export type ToolResultBody = z.input<typeof toolResultRequestSchema>;
export type HostEventsBody = z.input<(typeof hostEventsDefinition)['body']>;
export type HostEventInput = HostEventsBody['events'][number];

const post = <Body, Reply>(path: string, read: (value: Fields) => Reply | undefined): PluginRoute<Body, Reply> => ({
  method: 'POST',
  path,
  read: (value) => (isFields(value) ? read(value) : undefined),
});

type Fields = Readonly<Record<string, unknown>>;

export const healthRoute: PluginRoute<undefined, { ready: boolean; fields: Fields }> = {
  method: 'GET',
  path: '/health',
  read: (value) =>
    isFields(value) && typeof value['ready'] === 'boolean' ? { ready: value['ready'], fields: value } : undefined,
};

export interface StoredAnswer {
  readonly status: 'committed' | 'duplicate';
  /** For so many messages the daemon names a turn. */
  readonly turns: number;
}

export const commitTurnRoute = post<CommitTurnBody, StoredAnswer>('/v1/commit-turn', readStored);
export const afterTurnRoute = post<AfterTurnBody, StoredAnswer>('/v1/after-turn', readStored);

export const ingestRoute = post<IngestBody, { imported: number; skipped: number }>('/v1/ingest', (value) =>
  isCount(value['imported']) && isCount(value['skipped'])
    ? { imported: value['imported'], skipped: value['skipped'] }
    : undefined,
);

export const bootstrapRoute = post<BootstrapBody, { imported: number; cursor: string | undefined }>(
  '/v1/bootstrap',
  (value) =>
    isCount(value['imported'])
      ? { imported: value['imported'], cursor: typeof value['cursor'] === 'string' ? value['cursor'] : undefined }
      : undefined,
);

export interface AssembleAnswer {
  readonly callId: string;
  readonly plan: readonly PlanEntry[];
  readonly estimatedTokens: number;
  readonly systemPromptAddition: string | undefined;
}

export const assembleRoute = post<AssembleBody, AssembleAnswer>('/v1/assemble', (value) => {
  const { call_id: callId, estimated_tokens: tokens, system_prompt_addition: addition } = value;
  const plan = readPlan(value['plan']);
  if (typeof callId !== 'string' || plan === undefined || !isCount(tokens)) return undefined;
  if (addition !== undefined && addition !== null && typeof addition !== 'string') return undefined;
  return { callId, plan, estimatedTokens: tokens, systemPromptAddition: addition || undefined };
});

export interface CompactAnswer {
  readonly ok: boolean;
  readonly compacted: boolean;
  readonly reason: string | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  readonly checkpointId: string | undefined;
  readonly summary: string | undefined;
  readonly firstKeptEntryId: string | undefined;
  /** Ask the host's model (again). */
  readonly next: PreparedQuestion | undefined;
}

/** What the host's model is to be asked. */
export interface PreparedQuestion {
  readonly reservationId: string;
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
}

export const prepareCompactionRoute = post<PrepareCompactionBody, { prepared: PreparedQuestion | undefined }>(
  '/v1/prepare-compaction',
  (value) => ({ prepared: readPrepared(value['prepared']) }),
);

export const compactRoute = post<CompactBody, CompactAnswer>('/v1/compact', (value) => {
  const { ok, compacted, tokens_before: before, tokens_after: after } = value;
  if (typeof ok !== 'boolean' || typeof compacted !== 'boolean' || !isCount(before) || !isCount(after))
    return undefined;
  return {
    ok,
    compacted,
    reason: optionalText(value['reason']),
    tokensBefore: before,
    tokensAfter: after,
    checkpointId: optionalText(value['checkpoint_id']),
    summary: optionalText(value['summary']),
    firstKeptEntryId: optionalText(value['first_kept_entry_id']),
    next: readPrepared(value['next']),
  };
});

export const maintainRoute = post<
  z.input<(typeof maintainDefinition)['body']>,
  { compaction: PreparedQuestion | undefined }
>('/v1/maintain', (value) => ({ compaction: readPrepared(value['compaction']) }));
export const sessionEndRoute = post<SessionEndBody, Fields>('/v1/session-end', (value) => value);
export const subagentPrepareRoute = post<z.input<(typeof prepareDefinition)['body']>, Fields>(
  '/v1/subagent/prepare',
  (value) => value,
);
export const subagentEndedRoute = post<z.input<(typeof endedDefinition)['body']>, Fields>(
  '/v1/subagent/ended',
  (value) => value,
);
export const hostEventsRoute = post<HostEventsBody, Fields>('/v1/host-events', (value) => value);
export const memoryRecallRoute = post<z.input<typeof memoryRecallRequestSchema>, Fields>(
  '/v1/tools/memory_recall',
  (value) => value,
);
export const memoryStoreRoute = post<z.input<typeof memoryStoreRequestSchema>, Fields>(
  '/v1/tools/memory_store',
  (value) => value,
);
export const memoryForgetRoute = post<z.input<typeof memoryForgetRequestSchema>, Fields>(
  '/v1/tools/memory_forget',
  (value) => value,
);
export const prefetchRoute = post<z.input<(typeof prefetchDefinition)['body']>, Fields>(
  '/v1/prefetch',
  (value) => value,
);
export const memoryExpandRoute = post<MemoryExpandBody, Fields>('/v1/tools/memory_expand', (value) => value);

/** Only a result that is stored counts as an answer: what stands for it in the transcript says that it is. */
export const toolResultRoute = post<ToolResultBody, { uri: string }>('/v1/tool-result', ({ externalised, uri }) =>
  externalised === true && typeof uri === 'string' ? { uri } : undefined,
);

/** A reading route for `/strata`. */
export function readingRoute(path: string): PluginRoute<undefined, Fields> {
  return { method: 'GET', path, read: (value) => (isFields(value) ? value : undefined) };
}

function readPrepared(value: unknown): PreparedQuestion | undefined {
  if (!isFields(value)) return undefined;
  const { reservation_id: reservationId, system, prompt, max_output_tokens: maxOutputTokens } = value;
  if (typeof reservationId !== 'string' || typeof system !== 'string') return undefined;
  if (typeof prompt !== 'string' || !isCount(maxOutputTokens)) return undefined;
  return { reservationId, system, prompt, maxOutputTokens };
}

function readStored(value: Fields): StoredAnswer | undefined {
  const { status, turn_ids: ids } = value;
  if ((status !== 'committed' && status !== 'duplicate') || !Array.isArray(ids)) return undefined;
  return { status, turns: ids.length };
}

/** The shape only; whether the positions fit the host's list is checked where that list is known. */
function readPlan(value: unknown): readonly PlanEntry[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const plan: PlanEntry[] = [];
  for (const entry of value as readonly unknown[]) {
    if (!isFields(entry)) return undefined;
    const { host, inline, replaces } = entry;
    if (isCount(host) && inline === undefined) plan.push({ host });
    else if (host !== undefined || !isHostMessage(inline)) return undefined;
    else if (replaces === undefined) plan.push({ inline });
    else if (isCount(replaces)) plan.push({ inline, replaces });
    else return undefined;
  }
  return plan;
}

function isHostMessage(value: unknown): value is HostMessage {
  return isFields(value) && typeof value['role'] === 'string' && value['role'] !== '';
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
