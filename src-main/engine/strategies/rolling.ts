import type { ContextEngine } from './context-engine.ts';
import { createStrataStrategy } from './strata.ts';

/** mini-OpenClaw's short-term memory (spec §2): a cap of 20 messages, of which the older half is folded. */
const cap = 20;

/**
 * One running summary instead of many: whenever there are more raw messages than the cap, the older half is summarised,
 * and that summary is folded into the one before it.
 */
export function createRollingStrategy(): ContextEngine {
  // It has the conversation and its summary, and asks memory for nothing.
  const { recall: _none, ...strata } = createStrataStrategy();
  return {
    ...strata,
    name: 'rolling',
    recentRawTurnCount: cap / 2,
    rawTurnLimit: cap,
    condensing: { count: 2, keptApart: 0, acrossLevels: true },
  };
}
