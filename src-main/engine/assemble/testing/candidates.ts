import type { AssembleInput } from '../assemble-input.ts';
import type { Unit } from '../build-units.ts';
import type { Candidate } from '../candidate.ts';

/** A turn of the conversation with what a test says of it. */
export function candidate(item: string, given: Partial<Candidate> = {}): Candidate {
  return {
    item,
    kind: given.toolResultFor === undefined ? 'raw_turn' : 'tool_result',
    source: 'host',
    role: 'user',
    count: 1,
    tokens: 10,
    preview: item,
    key: item,
    toolCallIds: [],
    excluded: false,
    blank: false,
    live: true,
    hostIndex: 0,
    ...given,
  };
}

/** Units of one message each, in a row; `u` is the user's, `a` the assistant's: `u10 a20`. */
export function units(text: string): Unit[] {
  let position = 0;
  return text.split(' ').map((word, index) => {
    const tokens = Number(word.slice(1));
    const role = word.startsWith('u') ? 'user' : 'assistant';
    const member = candidate(`${index}`, { role, tokens, position });
    position += tokens;
    return { members: [member], tokens, startsWithUser: role === 'user' };
  });
}

export function assembleInput(given: Partial<AssembleInput> = {}): AssembleInput {
  return {
    budget: 1_000,
    recentRawTurnCount: 8,
    summaryBudgetShare: 0.15,
    standing: [],
    hostSummaries: [],
    summaries: [],
    summaryFrameTokens: 50,
    recalled: [],
    recalledFrameTokens: 0,
    recallRoom: 0,
    units: units('u10 a10'),
    hasOlder: false,
    earliest: 0,
    unavailable: [],
    ...given,
  };
}
