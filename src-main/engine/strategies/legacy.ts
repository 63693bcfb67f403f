import type { AssembleInput, Choice, Selection } from '../assemble/assemble-input.ts';
import { buildUnits } from '../assemble/build-units.ts';
import { slotsOf } from '../assemble/slots.ts';
import type { ContextEngine } from './context-engine.ts';

/** Plain truncation, as hosts do it by themselves: the newest turns that fit, nothing else, no summaries, no compaction. */
export function createLegacyStrategy(): ContextEngine {
  return { name: 'legacy', assemble };
}

function assemble(input: AssembleInput): Selection {
  const choices: Choice[] = input.standing.map((candidate) => ({
    candidate,
    action: 'included',
    reason: candidate.source === 'host' ? 'host_system_message' : 'standing_instruction',
    tokensAfter: candidate.tokens,
  }));
  const standingTokens = choices.reduce((sum, choice) => sum + choice.tokensAfter, 0);
  let left = input.budget - standingTokens;
  const { units, rejected } = buildUnits([...input.hostSummaries, ...input.raw]);
  for (const unit of [...units].reverse()) {
    const fits = unit.tokens <= left;
    // Truncation has a beginning: behind the first turn that does not fit nothing older is sent.
    left = fits ? left - unit.tokens : -1;
    for (const candidate of [...unit.members].reverse()) {
      choices.push({
        candidate,
        action: fits ? 'included' : 'dropped',
        reason: fits ? 'within_budget' : 'over_budget',
        tokensAfter: fits ? candidate.tokens : 0,
      });
    }
  }
  const never = [
    ...rejected,
    ...[...(input.older ? [input.older] : []), ...input.covered, ...input.summaries].map(tooOld),
  ];
  for (const { candidate, reason } of never) choices.push({ candidate, action: 'dropped', reason, tokensAfter: 0 });
  return {
    choices,
    slots: slotsOf(
      choices,
      [
        { kind: 'system', kinds: ['system'], allotted: standingTokens, rule: 'sent always' },
        {
          kind: 'raw_turn',
          kinds: ['raw_turn', 'tool_result', 'summary'],
          allotted: Math.max(0, input.budget - standingTokens),
          rule: 'the newest that fit',
        },
      ],
      input.budget,
    ),
  };
}

function tooOld(candidate: AssembleInput['covered'][number]) {
  return { candidate, reason: 'over_budget' } as const;
}
