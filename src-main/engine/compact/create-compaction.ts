import type { EngineApi } from '../../../src-shared/protocol/api.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import { checkpointRecord } from '../reading/checkpoint-record.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { resolveIdentity } from '../turns/resolve-identity.ts';
import { CheckpointUndo } from './checkpoint-undo.ts';
import { CompactionScheduler } from './compaction-scheduler.ts';
import type { MemoryFlush } from './compaction-run.ts';
import { Compactor } from './compactor.ts';
import { createSummariser } from './create-summariser.ts';
import { createExtractiveSummariser } from './extractive-summariser.ts';
import { createSummaryPhases, type SummaryPhases } from './summary-phases.ts';

type CompactionRoutes = Pick<
  EngineApi,
  'prepareCompaction' | 'compact' | 'checkpoint' | 'dissolveCheckpoint' | 'restoreCheckpoint' | 'rerunCheckpoint'
>;

export interface Compaction {
  readonly api: CompactionRoutes;
  readonly compactor: Compactor;
  readonly scheduler: CompactionScheduler;
}

/** Everything that folds turns into checkpoints and back, wired together. */
export function createCompaction(
  parts: EngineParts,
  counter: TokenCounter,
  strategies: StrategyRegistry,
  jobs: JobRunner,
  flush?: MemoryFlush,
): Compaction {
  const { config, store, languageModel: model, prompts } = parts;
  const summariser = createSummariser({ config, counter, model, prompts });
  const extractive = createExtractiveSummariser(counter);
  const compactor = new Compactor({
    engine: parts,
    counter,
    strategies,
    summariser,
    extractive,
    phases: hostPhases(parts, counter),
    ...(flush ? { flush } : {}),
    onReply: (uid, reply, by) => scheduler.noteReply(uid, reply, by),
  });
  const scheduler = new CompactionScheduler(parts, counter, strategies, compactor, jobs);
  const endpoint =
    model &&
    prompts &&
    createSummariser({ config: withSummariser(config, 'openai-compatible'), counter, model, prompts });
  const undo = new CheckpointUndo({
    engine: parts,
    counter,
    strategies,
    summarisers: { extractive, 'openai-compatible': endpoint },
    summariser,
    onChanged: (uid) => scheduler.forget(uid),
  });
  return {
    compactor,
    scheduler,
    api: {
      prepareCompaction: async ({ body }) => compactor.prepare(body),
      compact: async ({ body }) => compactor.compact(body),
      checkpoint: async ({ params }) => {
        const found = await store.findCheckpoint(params.id);
        if (!found) throw unknown(params.id);
        const parents = await Promise.all(found.checkpoint.parent_checkpoint_ids.map((id) => store.findCheckpoint(id)));
        return {
          checkpoint: checkpointRecord(found),
          session_uid: found.sessionUid,
          parents: parents.flatMap((parent) => (parent ? [checkpointRecord(parent)] : [])),
        };
      },
      dissolveCheckpoint: async ({ params, body }) => undo.dissolve(params.id, body.preview),
      restoreCheckpoint: async ({ params, body }) => undo.restore(params.id, body.preview),
      rerunCheckpoint: async ({ params, body }) => undo.rerun(params.id, body),
    },
  };
}

/** The compaction that is due in a session and waits for its host's model; see `POST /v1/maintain`. */
export async function offerCompaction(
  { store, config }: EngineParts,
  scheduler: CompactionScheduler,
  fields: Parameters<typeof resolveIdentity>[0],
) {
  const session = await store.findSession(resolveIdentity(fields, config.user_id));
  return session && scheduler.offer(session);
}

/**
 * A host says nothing of what its model takes. A prompt holds one segment at most, and an answer is a summary and its
 * identifiers.
 */
function hostPhases({ prompts, config }: EngineParts, counter: TokenCounter): SummaryPhases | undefined {
  const maxInputTokens = Math.ceil(1.2 * config.compaction.segment_tokens) + 6_000;
  return prompts && createSummaryPhases({ counter, prompts, maxInputTokens, maxOutputTokens: 4_000 });
}

function withSummariser(config: EngineParts['config'], summariser: 'openai-compatible') {
  return { ...config, compaction: { ...config.compaction, summariser } };
}

function unknown(id: string): EngineError {
  return new EngineError('unknown_checkpoint', `There is no checkpoint ${JSON.stringify(id.slice(0, 200))}.`);
}
