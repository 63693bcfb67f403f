import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { AssembleInput, Choice, Selection } from './assemble-input.ts';
import { buildUnits } from './build-units.ts';

/**
 * What holds for every strategy, also for one loaded from a path: each candidate is decided about once, ranges are
 * never sent, and what is sent keeps tool calls and their results together.
 * @throws EngineError `strategy_failed` when a strategy answers something else than decisions about its input.
 */
export function checkSelection(selection: Selection, input: AssembleInput, strategy: string): Selection {
  if (!Array.isArray(selection?.choices) || !Array.isArray(selection.slots)) {
    throw new EngineError('strategy_failed', `The strategy ${strategy} must return {choices, slots}.`);
  }
  const decided = new Map(selection.choices.map((choice) => [choice.candidate?.item, choice]));
  const known = allCandidates(input);
  for (const item of decided.keys()) {
    if (!known.has(item))
      throw new EngineError('strategy_failed', `The strategy ${strategy} chose ${item}, which was not offered.`);
  }
  const forgotten = [...known.values()].filter((candidate) => !decided.has(candidate.item));
  const choices = [
    ...selection.choices,
    ...forgotten.map((candidate): Choice => ({
      candidate,
      action: 'dropped',
      reason: 'strategy_choice',
      tokensAfter: 0,
    })),
  ];
  const broken = brokenPairs(choices, input);
  return {
    slots: selection.slots,
    choices: choices.map((choice) => {
      const never = choice.candidate.count > 1 || broken.has(choice.candidate.item);
      return never && choice.action !== 'dropped'
        ? {
            candidate: choice.candidate,
            action: 'dropped',
            reason: broken.get(choice.candidate.item) ?? 'strategy_choice',
            tokensAfter: 0,
          }
        : choice;
    }),
  };
}

function allCandidates(input: AssembleInput) {
  const all = [
    ...input.standing,
    ...input.hostSummaries,
    ...input.summaries,
    ...input.raw,
    ...(input.older ? [input.older] : []),
    ...input.covered,
  ];
  return new Map(all.map((candidate) => [candidate.item, candidate]));
}

function brokenPairs(choices: readonly Choice[], input: AssembleInput) {
  const sent = new Set(choices.filter((choice) => choice.action !== 'dropped').map((choice) => choice.candidate.item));
  const { rejected } = buildUnits(input.raw.filter((candidate) => sent.has(candidate.item)));
  return new Map(rejected.map(({ candidate, reason }) => [candidate.item, reason]));
}
