import type { AssembleInput, Choice, Selection } from '../assemble/assemble-input.ts';
import type { Unit } from '../assemble/build-units.ts';
import type { Candidate } from '../assemble/candidate.ts';
import type { ContextEngine } from '../strategies/context-engine.ts';
import type { Trial } from './trial.ts';

/**
 * A strategy that is asked about what is neither pinned nor excluded, within the tokens that the pinned leave. What holds
 * for every list still holds: the newest message is sent, pairs stay whole, the list begins with a user message.
 */
export function trialStrategy(strategy: ContextEngine, trial: Trial): ContextEngine {
  const { name, ignoresCheckpoints, recentRawTurnCount, recall } = strategy;
  return {
    name,
    ...(ignoresCheckpoints === undefined ? {} : { ignoresCheckpoints }),
    ...(recentRawTurnCount === undefined ? {} : { recentRawTurnCount }),
    ...(recall === undefined ? {} : { recall }),
    assemble: async (input) => withTrial(partsOf(input, trial), strategy),
  };
}

interface Parts {
  readonly rest: AssembleInput;
  readonly pinned: readonly Choice[];
  readonly excluded: readonly Choice[];
}

async function withTrial({ rest, pinned, excluded }: Parts, strategy: ContextEngine): Promise<Selection> {
  const { choices, slots } = await strategy.assemble(rest);
  return { choices: [...pinned, ...choices, ...excluded], slots };
}

function partsOf(input: AssembleInput, trial: Trial): Parts {
  const newest = input.units.at(-1);
  const isOut = (unit: Unit): boolean => {
    const [named] = unit.members.filter((member) => trial.isExcluded(member));
    if (named === undefined) return false;
    if (unit !== newest) return true;
    trial.refuse(named.item, `${named.item} is the newest of the conversation, which every list ends with.`);
    return false;
  };
  const excludedUnits = new Set(input.units.filter(isOut));
  const pinnedUnits = new Set(
    input.units.filter(
      (unit) => unit !== newest && !excludedUnits.has(unit) && unit.members.some((one) => trial.isPinned(one)),
    ),
  );
  if (newest) for (const member of newest.members) trial.isPinned(member);
  const summaries = input.summaries.filter((candidate) => trial.isPinned(candidate));
  const hostSummaries = input.hostSummaries.filter((candidate) => trial.isPinned(candidate));
  for (const candidate of input.standing) trial.isPinned(candidate);
  const outOfHost = input.hostSummaries.filter((candidate) => trial.isExcluded(candidate));
  const pinned = [...pinnedUnits].flatMap((unit) => unit.members).concat(summaries, hostSummaries);
  const frame = summaries.length > 0 ? input.summaryFrameTokens : 0;
  const taken = pinned.reduce((sum, { tokens }) => sum + tokens, frame);
  const moved = new Set([...pinnedUnits, ...excludedUnits]);
  const before = input.units.slice(0, input.earliest).filter((unit) => moved.has(unit)).length;
  return {
    rest: {
      ...input,
      budget: Math.max(0, input.budget - taken),
      units: input.units.filter((unit) => !moved.has(unit)),
      earliest: input.earliest - before,
      summaries: input.summaries.filter((candidate) => !summaries.includes(candidate)),
      summaryFrameTokens: summaries.length > 0 ? 0 : input.summaryFrameTokens,
      hostSummaries: input.hostSummaries.filter(
        (candidate) => !hostSummaries.includes(candidate) && !outOfHost.includes(candidate),
      ),
    },
    pinned: pinned.map(included),
    excluded: [...[...excludedUnits].flatMap((unit) => unit.members), ...outOfHost].map(left),
  };
}

function included(candidate: Candidate): Choice {
  return { candidate, action: 'included', reason: 'strategy_choice', tokensAfter: candidate.tokens };
}

function left(candidate: Candidate): Choice {
  return { candidate, action: 'dropped', reason: 'excluded_from_context', tokensAfter: 0 };
}
