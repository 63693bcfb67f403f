import type { EngineParts } from '../engine-parts.ts';
import type { MemoryAccessPolicy } from '../memory/access/memory-access-policy.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { Recall } from '../ports/recall.ts';
import { StandingMemory } from '../standing/standing-memory.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { MemoryOfCalls } from './answer-builder.ts';
import { TurnRecalls } from './recall/turn-recalls.ts';

/** The workspace of a data directory of its own; another one is OpenClaw's, which sends its MEMORY.md itself. */
const ownWorkspace = 'workspace';

/** What memory the calls of one engine have. */
export function createCallMemory(
  parts: Pick<EngineParts, 'config' | 'clock' | 'store' | 'standing'>,
  memory: { readonly pages: MemoryPages; readonly recall: Recall },
  access: MemoryAccessPolicy,
  counter: TokenCounter,
): MemoryOfCalls {
  const { config, clock, store, standing: snapshots } = parts;
  const { pages, recall } = memory;
  const isHostsWorkspace = config.memory.workspace !== ownWorkspace;
  return {
    standing: new StandingMemory({ pages, snapshots, access, counter, clock, config, isHostsWorkspace }),
    recalls: new TurnRecalls({ recall, pages, access, config: config.recall, counter, store, clock }),
  };
}
