import type { RecallConfig } from '../../../../src-shared/model/recall-config.ts';
import type { RecallOptions } from '../../../../src-shared/protocol/assemble.ts';
import type { RecallRule } from '../../strategies/context-engine.ts';

/** Tokens that recalled memories may take in a call; 0 where memory is not to be asked. */
export function recallRoom(
  given: RecallOptions | undefined,
  config: RecallConfig,
  rule: RecallRule,
  budget: number,
): number {
  if (!(given?.enabled ?? config.enabled)) return 0;
  const most = given?.max_tokens ?? config.max_tokens;
  return Math.floor(Math.min(budget * config.budget_share, most) * rule.room);
}
