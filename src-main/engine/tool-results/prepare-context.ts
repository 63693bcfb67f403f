import { storedCandidate } from '../assemble/host-messages.ts';
import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow, TurnMeta } from '../ports/session-store.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import type { OldResults } from './old-results.ts';
import type { PreparedPart } from './stand-in-preparer.ts';

/** Turns that are looked at first; twice as many while they do not fill the budget. */
const firstLook = 256;

/** Makes and keeps the stand-ins that the next call of the session needs, in the format that its turns are stored in. */
export async function prepareContext(
  session: SessionRow,
  part: PreparedPart,
  { store, config }: Pick<EngineParts, 'store' | 'config'>,
  tails: SessionTails,
  oldResults: OldResults,
): Promise<void> {
  const budget = session.lastBudget ?? config.assemble.default_token_budget;
  if (part !== 'context') {
    const turns = await store.turnsInRange(session.uid, part.start + 1, part.end, part.end - part.start);
    await condensed(turns, session, Infinity, oldResults);
    return;
  }
  const [newest] = await store.standingCheckpoints(session.uid, session.epoch);
  const after = Math.max(session.epochStart, newest?.source_turn_range.end_sequence ?? 0);
  for (let limit = firstLook; ; limit *= 2) {
    const turns = await tails.newest(session, after, limit);
    const tokens = await condensed(turns, session, budget, oldResults);
    if (tokens > budget || turns.length < limit) return;
  }
}

async function condensed(
  turns: readonly TurnMeta[],
  session: SessionRow,
  budget: number,
  oldResults: OldResults,
): Promise<number> {
  const format = turns.at(-1)?.format;
  if (format === undefined) return 0;
  const formats = new Map(turns.map((turn) => [`turn:${turn.sequence}`, turn.format]));
  const candidates = turns.map((turn) => storedCandidate(turn, session));
  const list = await oldResults.condense(candidates, { session, format, budget }, formats);
  return list.reduce((sum, { tokens }) => sum + tokens, 0);
}
