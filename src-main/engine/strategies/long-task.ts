import { planByTarget } from '../compact/plan-by-target.ts';
import type { CompactPlanInput, ContextEngine } from './context-engine.ts';
import { createStrataStrategy } from './strata.ts';

/** Share of the usual target: a long task reads and writes much that is of no use later. */
const targetShare = 0.4;

/** Raw messages that ask for a compaction: a few steps with their results. */
const rawTurnLimit = 24;

/**
 * For agents that work on one task for hours: only the last few turns stay raw, early and often; the summaries look out
 * for the plan and for what is still to be done.
 */
export function createLongTaskStrategy(): ContextEngine {
  return {
    ...createStrataStrategy(),
    name: 'long-task',
    recentRawTurnCount: 6,
    rawTurnLimit,
    focus: 'The plan and its steps with their state, open tasks, the next step, what blocks, and decisions.',
    planCompaction: plan,
  };
}

function plan(input: CompactPlanInput): number | undefined {
  return planByTarget({ ...input, targetTokens: Math.floor(input.targetTokens * targetShare) });
}
