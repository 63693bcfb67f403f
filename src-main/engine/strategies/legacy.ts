import type { AssembleInput, Choice, Selection } from '../assemble/assemble-input.ts';
import { chooseWindow } from '../assemble/choose-window.ts';
import { emptySlot } from '../assemble/slots.ts';
import { chooseTurns } from './choose-turns.ts';
import type { ContextEngine } from './context-engine.ts';
import { standingReason, standingSlots } from './strata.ts';

/** Plain truncation, as hosts do it by themselves: the newest turns that fit, nothing else, no summaries, no compaction. */
export function createLegacyStrategy(): ContextEngine {
  return { name: 'legacy', ignoresCheckpoints: true, assemble };
}

function assemble(input: AssembleInput): Selection {
  const standing = input.standing.map((candidate): Choice => ({
    candidate,
    action: 'included',
    reason: standingReason(candidate),
    tokensAfter: candidate.tokens,
  }));
  const budget = Math.max(0, input.budget - sum(standing.map((choice) => choice.tokensAfter)));
  const hostSummaries = chooseHostSummaries(input, budget);
  const window = chooseWindow({
    units: input.units,
    budget,
    recentCount: 0,
    userBefore: hostSummaries.some((choice) => choice.action === 'included'),
    hasOlder: input.hasOlder,
    earliest: input.earliest,
    step: 1,
  });
  const turns = chooseTurns(input.units, window, { recentCount: input.recentRawTurnCount, budget });
  return {
    choices: [...standing, ...turns.newest, ...turns.others, ...hostSummaries],
    slots: [...standingSlots(standing), emptySlot('raw_turn', budget, 'the newest that fit')],
  };
}

/** The host's summary is the oldest part of its list: truncation takes it first. */
function chooseHostSummaries(input: AssembleInput, budget: number): Choice[] {
  const all = [...input.hostSummaries.map(({ tokens }) => tokens), ...input.units.map(({ tokens }) => tokens)];
  const fits = !input.hasOlder && sum(all) <= budget;
  return input.hostSummaries.map((candidate) => ({
    candidate,
    action: fits ? 'included' : 'dropped',
    reason: fits ? 'host_summary' : 'over_budget',
    tokensAfter: fits ? candidate.tokens : 0,
  }));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, value) => total + value, 0);
}
