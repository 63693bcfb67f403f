import type { EngineApi } from '../../../../src-shared/protocol/api.ts';
import type { EngineParts } from '../../engine-parts.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { MemoryPages } from '../../ports/memory-pages.ts';
import type { SessionRow, TurnMeta } from '../../ports/session-store.ts';
import { resolveIdentity, type IdentityFields } from '../../turns/resolve-identity.ts';
import type { MemoryAccessPolicy } from '../access/memory-access-policy.ts';
import { MemoryExtraction } from '../extract/memory-extraction.ts';
import { ModelExtractor } from '../extract/model/model-extractor.ts';
import { TurnExtractor } from '../extract/turn-extractor.ts';
import { MemoryWriter } from '../judge/memory-writer.ts';
import { deletePageOnRecord } from './delete-page.ts';
import { createOperationsApi } from './operations-api.ts';

/** What is being looked at when the engine is closed may take so long (ms). */
const settleMs = 1_000;

/** Everything that writes memory of itself or on request, wired together. */
export function createWriting(
  parts: EngineParts,
  pages: MemoryPages,
  jobs: JobRunner,
  access: MemoryAccessPolicy,
  deletePage: EngineApi['deletePage'],
) {
  const { store, config, kinds } = parts;
  // Days are those of the machine: it stands where the user does.
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  const writer = new MemoryWriter({ ...parts, pages });
  const extraction = new MemoryExtraction({
    ...parts,
    jobs,
    extractor: new TurnExtractor({ store, kinds, writer, timeZone }),
    model: modelExtractor(parts, pages, writer, timeZone),
    timeZone,
  });
  return {
    api: {
      ...createOperationsApi({ ...parts, pages, writer, access, timeZone }),
      deletePage: deletePageOnRecord({ ...parts, pages, writer, deletePage }),
    },
    writer,
    /** Turns were stored; see {@link MemoryExtraction.noteStored}. */
    noteStored: (session: SessionRow, stored: readonly TurnMeta[]): void => extraction.noteStored(session, stored),
    noteEnded: async (fields: IdentityFields): Promise<void> => {
      const session = await store.findSession(resolveIdentity(fields, config.user_id));
      if (session) extraction.noteEnded(session);
    },
    /** Before turns leave the window; see {@link MemoryExtraction.flush}. */
    flush: (session: SessionRow, turns: readonly TurnMeta[], checkpointId: string): Promise<readonly string[]> =>
      extraction.flush(session, turns, checkpointId),
    catchUp: (): void => extraction.catchUp(),
    settled: async (): Promise<void> => extraction.settled(),
    start: (): void => extraction.catchUp(),
    stop: async (): Promise<void> => extraction.stop(settleMs),
  };
}

function modelExtractor(
  parts: EngineParts,
  pages: MemoryPages,
  writer: MemoryWriter,
  timeZone: string,
): ModelExtractor | undefined {
  const { languageModel: model, extractionPrompts: prompts, config } = parts;
  const { method, model_max_rounds: maxRounds, model_max_tokens: maxTokens } = config.memory.extraction;
  if (method === 'rules' || !model || !prompts) return undefined;
  return new ModelExtractor({ ...parts, model, prompts, pages, writer, timeZone, maxRounds, maxTokens });
}
