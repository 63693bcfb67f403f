import type { Choice } from '../assemble/assemble-input.ts';
import type { Unit } from '../assemble/build-units.ts';
import type { Candidate } from '../assemble/candidate.ts';
import type { Window } from '../assemble/choose-window.ts';
import { fitMembers } from '../assemble/fit-members.ts';

export interface TurnChoices {
  /** Of the newest `recentCount` messages, and of all others; both from new to old. */
  readonly newest: Choice[];
  readonly others: Choice[];
}

/** The decision about each turn of the conversation that a window makes. */
export function chooseTurns(
  units: readonly Unit[],
  window: Window,
  options: { readonly recentCount: number; readonly budget: number },
): TurnChoices {
  const choices: TurnChoices = { newest: [], others: [] };
  let messages = 0;
  for (let index = units.length - 1; index >= 0; index -= 1) {
    const unit = units[index];
    if (!unit) continue;
    const isNewest = messages < options.recentCount;
    messages += unit.members.length;
    const target = isNewest ? choices.newest : choices.others;
    const decided = chooseUnit(unit, index, index === units.length - 1, isNewest, window, options.budget);
    for (let member = decided.length - 1; member >= 0; member -= 1) {
      const choice = decided[member];
      if (choice) target.push(choice);
    }
  }
  return choices;
}

function chooseUnit(
  unit: Unit,
  index: number,
  isLast: boolean,
  isNewest: boolean,
  window: Window,
  budget: number,
): Choice[] {
  if (index === window.anchor?.index) return cutTo(unit, window.anchor.limit, 'anchor_user_turn', budget);
  if (isLast && window.newestLimit !== undefined) return cutTo(unit, window.newestLimit, 'oversized_newest', budget);
  if (index >= window.start) return unit.members.map((member) => included(member, isNewest));
  const reason = index >= window.fitsFrom ? 'window_starts_at_user' : 'over_budget';
  return unit.members.map((candidate) => ({
    candidate,
    action: 'dropped',
    reason,
    tokensAfter: 0,
    threshold: budget,
  }));
}

function included(candidate: Candidate, isNewest: boolean): Choice {
  const reason = candidate.live ? 'live_not_stored' : isNewest ? 'newest_turns' : 'within_budget';
  return { candidate, action: 'included', reason, tokensAfter: candidate.tokens };
}

function cutTo(unit: Unit, limit: number, reason: Choice['reason'], budget: number): Choice[] {
  const fitted = fitMembers(
    unit.members.map((member) => member.tokens),
    limit,
  );
  return unit.members.map((candidate, index): Choice => {
    const tokensAfter = fitted[index] ?? 0;
    const action = tokensAfter < candidate.tokens ? 'trimmed' : 'included';
    return { candidate, action, reason, tokensAfter, threshold: budget };
  });
}
