import type { DecisionReason } from '../../../src-shared/model/trace.ts';
import type { Candidate } from './candidate.ts';
import { pairResults } from './pair-results.ts';

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
  readonly rejected: readonly Rejected[];
}

export interface Rejected {
  readonly candidate: Candidate;
  readonly reason: DecisionReason;
  /** What it was measured by, for memories that are not recalled. */
  readonly scores?: Readonly<Record<string, number>>;
  readonly threshold?: number;
}

/**
 * Pairs each tool call with its results, wherever behind it those stand. A result without its call is never kept, and a
 * call without all its results only where the host's own list ends with it.
 * @param awaitsResults the host's list may end with a call whose results the host adds itself
 */
export function buildUnits(raw: readonly Candidate[], awaitsResults: boolean): Units {
  const rejected: Rejected[] = [];
  const usable: Candidate[] = [];
  for (const candidate of raw) {
    const reason = unusable(candidate);
    if (reason) rejected.push({ candidate, reason });
    else usable.push(candidate);
  }
  const { answers, orphans } = pairResults(usable);
  const units: Unit[] = [];
  usable.forEach((candidate, index) => {
    if (candidate.toolResultFor !== undefined) return;
    const results = answers.get(index);
    if (!results) return void units.push(unitOf([candidate]));
    const members = [candidate, ...results.flatMap((at) => usable[at] ?? [])];
    const complete = results.length === candidate.toolCallIds.length;
    if (complete || (awaitsResults && isOpenEnd(usable, index, results))) units.push(unitOf(members));
    else for (const member of members) rejected.push({ candidate: member, reason: 'orphan_tool_call' });
  });
  for (const index of orphans) {
    const candidate = usable[index];
    if (candidate) rejected.push({ candidate, reason: 'orphan_tool_result' });
  }
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

/** Nothing follows the host's own call but its results so far: the loop is still running. */
function isOpenEnd(usable: readonly Candidate[], index: number, results: readonly number[]): boolean {
  return usable[index]?.hostIndex !== undefined && index + 1 + results.length === usable.length;
}
