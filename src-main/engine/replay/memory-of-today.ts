import { CallMemory, type MemoryOfCall } from '../assemble/call-memory.ts';
import { createCallMemory } from '../assemble/create-call-memory.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { MemoryAccessPolicy } from '../memory/access/memory-access-policy.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { Recall } from '../ports/recall.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { BodyCache } from '../turns/body-cache.ts';
import { SessionTails } from '../turns/session-tails.ts';

/** What memory itself is made of. */
export interface PresentMemory {
  readonly pages: MemoryPages;
  readonly recall: Recall;
  readonly access: MemoryAccessPolicy;
}

/** Nobody's turn waits for a replay (ms). */
const patienceMs = 5_000;

/** Memory as it is now for a call that has none on record, with caches of its own, and nothing written. */
export function memoryOfToday(
  parts: EngineParts,
  memory: PresentMemory,
  counter: TokenCounter,
): { readonly memory: MemoryOfCall; readonly stop: () => Promise<void> } {
  const config = { ...parts.config, recall: { ...parts.config.recall, deadline_ms: patienceMs } };
  const standing = {
    findSnapshot: parts.standing.findSnapshot.bind(parts.standing),
    grantOf: parts.standing.grantOf.bind(parts.standing),
    putSnapshot: async () => undefined,
    putGrant: async () => undefined,
    eraseSnapshots: async () => undefined,
  };
  const call = createCallMemory({ ...parts, config, standing }, memory, memory.access, counter);
  const { clock, store, log } = parts;
  const tails = new SessionTails(store);
  const bodies = new BodyCache(store);
  return {
    memory: new CallMemory({ ...call, config, counter, clock, log, tails, bodies }),
    stop: async () => {
      call.standing.stop();
      await call.recalls.stop(patienceMs);
    },
  };
}
