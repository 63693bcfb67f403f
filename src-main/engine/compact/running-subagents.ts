import { readSummary } from './read-summary.ts';
import { isFolding } from './summary-source.ts';
import type { SummaryRequest } from './summariser.ts';

/** Whatever else a state is called, it says why one ended. */
const running: ReadonlySet<string> = new Set('running started active pending queued waiting'.split(' '));

export function isRunning({ state }: { readonly state: string }): boolean {
  return running.has(state.toLowerCase());
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
