import { readSummary } from './read-summary.ts';
import { isFolding } from './summary-source.ts';
import type { SummaryRequest } from './summariser.ts';

const ended: ReadonlySet<string> = new Set(
  'ended done completed finished failed error errored killed cancelled canceled aborted timeout deleted'.split(' '),
);

export function isRunning({ state }: { readonly state: string }): boolean {
  return !ended.has(state.toLowerCase());
}

/**
 * The lines about running sub-agents: each one that the engine knows, in the writer's words where those name its session
 * key. Where the engine knows nothing of them the writer's lines stand, or those of the newest summary that is folded.
 */
export function runningSubagents(request: SummaryRequest, written: readonly string[]): readonly string[] {
  const { subagents, previous = [] } = request;
  const folded = isFolding(request) ? readSummary(previous.at(-1)?.overview ?? '').lines.subagents : [];
  if (subagents === undefined) return written.length > 0 ? written : folded;
  const told = [...written, ...folded];
  return subagents
    .filter(isRunning)
    .map(({ sessionKey, state }) => told.find((line) => line.includes(sessionKey)) ?? `${sessionKey}: ${state}`);
}
