import { planByTarget } from '../compact/plan-by-target.ts';
import type { CompactPlanInput, ContextEngine } from './context-engine.ts';
import { createStrataStrategy } from './strata.ts';

/** Recalled memory may take three times the room that it has in the default. */
const room = 3;

/** Share of the usual target: what was looked up is in memory, and need not stay in the conversation. */
const targetShare = 0.6;

/** Raw messages that ask for a compaction. */
const rawTurnLimit = 30;

/**
 * For agents that live off what they know: memory is asked about every message and has more room, and the conversation,
 * with what was retrieved in it, is compacted early.
 */
export function createSemanticStrategy(): ContextEngine {
  return {
    ...createStrataStrategy(),
    name: 'semantic',
    recall: { room, everyTurn: true },
    rawTurnLimit,
    focus: 'What was looked up, what was found and where, and what was concluded from it.',
    planCompaction: plan,
  };
}

function plan(input: CompactPlanInput): number | undefined {
  return planByTarget({ ...input, targetTokens: Math.floor(input.targetTokens * targetShare) });
}
