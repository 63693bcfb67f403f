import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { SourceTurn, SummaryRequest } from './summariser.ts';

/** Whether earlier summaries are part of what the new one stands for. */
export function isFolding({ fold, turns, previous = [] }: SummaryRequest): boolean {
  return previous.length > 0 && (fold ?? turns.length === 0);
}

/** Everything that a summary stands for as texts, oldest first; summaries that are folded count as turns before 0. */
export function summarySource(request: SummaryRequest): readonly SourceTurn[] {
  const { previous = [], turns } = request;
  if (!isFolding(request)) return turns;
  const folded = previous.map(({ overview }, index): SourceTurn => {
    return { sequence: index - previous.length, role: 'assistant', text: overview, tool: undefined };
  });
  return [...folded, ...turns];
}

/** @throws EngineError `nothing_to_summarise` */
export function requireSource(request: SummaryRequest): void {
  if (summarySource(request).length > 0) return;
  throw new EngineError(
    'nothing_to_summarise',
    'A summary needs at least one turn, or summaries to fold together; there are none.',
  );
}
