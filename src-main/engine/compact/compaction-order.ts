import type { CompactRequest } from '../../../src-shared/protocol/compact.ts';

/** What is asked of a compaction, whoever asks. */
export type CompactionOrder = Pick<
  CompactRequest,
  'trigger' | 'force' | 'token_budget' | 'current_token_count' | 'attempt' | 'custom_instructions' | 'target'
>;

const backgroundTriggers: ReadonlySet<CompactionOrder['trigger']> = new Set([
  'budget',
  'tokens_added',
  'turns',
  'interval',
]);

export function isBackground({ trigger, force }: CompactionOrder): boolean {
  return backgroundTriggers.has(trigger) && force !== true;
}
