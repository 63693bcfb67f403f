import { bareId } from '../../../src-shared/protocol/host-message.ts';
import { ResultPairing } from '../assemble/pair-results.ts';
import type { TurnMeta } from '../ports/session-store.ts';
import { Pacer } from './pacer.ts';

/** For each turn whether the conversation may be cut before it: at user turns, and at every place that parts no pair. */
export interface Cuts {
  readonly atUser: readonly boolean[];
  readonly anywhere: readonly boolean[];
}

/** Looks at all turns, since a result may stand far behind its call; long lists are looked at in pieces. */
export async function findCuts(turns: readonly TurnMeta[]): Promise<Cuts> {
  const pacer = new Pacer();
  const pairing = new ResultPairing();
  /** For each turn the last one that belongs to it. */
  const last = new Uint32Array(turns.length);
  for (const [index, turn] of turns.entries()) {
    const { toolResultFor } = turn;
    const call = pairing.take(
      {
        toolCallIds: turn.toolCallIds.map((id) => bareId(id) ?? id),
        toolResultFor: toolResultFor === undefined ? undefined : (bareId(toolResultFor) ?? ''),
      },
      index,
    );
    if (call !== undefined) last[call] = index;
    if (pacer.isDue()) await pacer.pause();
  }
  const atUser: boolean[] = [];
  const anywhere: boolean[] = [];
  let through = 0;
  for (const [index, turn] of turns.entries()) {
    const mayCut = index === 0 || index > through;
    anywhere.push(mayCut);
    atUser.push(mayCut && turn.role === 'user' && !turn.excluded);
    through = Math.max(through, last[index] ?? 0);
    if (pacer.isDue()) await pacer.pause();
  }
  return { atUser, anywhere };
}

export function cutsFrom({ atUser, anywhere }: Cuts, start: number): Cuts {
  return { atUser: atUser.slice(start), anywhere: anywhere.slice(start) };
}
