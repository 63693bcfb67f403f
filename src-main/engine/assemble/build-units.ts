import type { DecisionReason } from '../../../src-shared/model/trace.ts';
import type { Candidate } from './candidate.ts';

/** Messages that providers accept only together: a tool call and its results; else one message. */
export interface Unit {
  readonly members: readonly Candidate[];
  readonly tokens: number;
  readonly startsWithUser: boolean;
}

export interface Units {
  /** Oldest first. */
  readonly units: readonly Unit[];
  /** Messages that no provider accepts in this conversation, with the reason. */
  readonly rejected: readonly { readonly candidate: Candidate; readonly reason: DecisionReason }[];
}

/**
 * Pairs each tool call with its results, wherever in the list those stand. A call without all its results is kept only
 * at the very end, where the results are still to come; a result without its call is never kept.
 */
export function buildUnits(raw: readonly Candidate[]): Units {
  const rejected: { candidate: Candidate; reason: DecisionReason }[] = [];
  const usable = raw.filter((candidate) => {
    const reason = unusable(candidate);
    if (reason) rejected.push({ candidate, reason });
    return reason === undefined;
  });
  const results = new ResultPool(usable);
  const units: Unit[] = [];
  usable.forEach((candidate, index) => {
    if (candidate.toolResultFor !== undefined) return;
    if (candidate.toolCallIds.length === 0) return void units.push(unitOf([candidate]));
    const answers = results.take(candidate.toolCallIds, index);
    const open = answers.length < candidate.toolCallIds.length;
    if (open && !isTail(usable, index, answers)) {
      for (const member of [candidate, ...answers]) rejected.push({ candidate: member, reason: 'orphan_tool_call' });
    } else {
      units.push(unitOf([candidate, ...answers]));
    }
  });
  for (const candidate of results.left()) rejected.push({ candidate, reason: 'orphan_tool_result' });
  return { units, rejected };
}

function unusable(candidate: Candidate): DecisionReason | undefined {
  if (candidate.excluded) return 'excluded_from_context';
  return candidate.blank ? 'blank_content' : undefined;
}

function unitOf(members: readonly Candidate[]): Unit {
  return {
    members,
    tokens: members.reduce((sum, member) => sum + member.tokens, 0),
    startsWithUser: members[0]?.role === 'user',
  };
}

/** Nothing follows the call but its own results: the loop is still running. */
function isTail(usable: readonly Candidate[], index: number, answers: readonly Candidate[]): boolean {
  return (
    index + 1 + answers.length === usable.length && usable.slice(index + 1).every((next) => answers.includes(next))
  );
}

/** Tool results by the id they answer; each is given out once, to the nearest call before it. */
class ResultPool {
  readonly #byId = new Map<string, { readonly candidate: Candidate; readonly index: number }[]>();
  readonly #taken = new Set<Candidate>();

  constructor(candidates: readonly Candidate[]) {
    candidates.forEach((candidate, index) => {
      if (candidate.toolResultFor === undefined) return;
      const list = this.#byId.get(candidate.toolResultFor) ?? [];
      list.push({ candidate, index });
      this.#byId.set(candidate.toolResultFor, list);
    });
  }

  take(ids: readonly string[], after: number): Candidate[] {
    const answers: Candidate[] = [];
    for (const id of ids) {
      const found = this.#byId.get(id)?.find((entry) => entry.index > after && !this.#taken.has(entry.candidate));
      if (!found) continue;
      this.#taken.add(found.candidate);
      answers.push(found.candidate);
    }
    return answers;
  }

  left(): Candidate[] {
    return [...this.#byId.values()].flat().flatMap(({ candidate }) => (this.#taken.has(candidate) ? [] : [candidate]));
  }
}
