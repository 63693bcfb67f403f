import type { TraceItem } from '../../../src-shared/model/trace.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { turnTraceItem } from '../../engine/ports/turn-trace-item.ts';
import type { ReadTables } from '../tables/store-tables.ts';

/** The items of stored turns of a session, by sequence. */
export function turnItemsOf(
  tables: ReadTables,
  sessionNo: number,
  sequences: readonly number[],
): (sequence: number, hostIndex: number | undefined) => TraceItem {
  const session = tables.sessions.byNo(sessionNo);
  const turns = new Map(tables.turns.bySequences(sessionNo, sequences).map((turn) => [turn.sequence, turn]));
  return (sequence, hostIndex) => {
    const turn = turns.get(sequence);
    if (!turn || !session) {
      throw new EngineError(
        'store_corrupt',
        `A trace names turn ${sequence}, which is not in the store; run "npm run strata -- doctor".`,
      );
    }
    return turnTraceItem(turn, session, hostIndex);
  };
}
