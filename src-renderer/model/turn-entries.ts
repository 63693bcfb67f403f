import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';

/** What stands in the list of turns: a turn, or the line between two epochs. */
export type TurnEntry =
  | { readonly type: 'turn'; readonly key: string; readonly record: TurnRecord }
  | { readonly type: 'reset'; readonly key: string; readonly epoch: number };

/** The turns with a line where the session was reset; works in both orders. */
export function turnEntries(records: readonly TurnRecord[]): readonly TurnEntry[] {
  const entries: TurnEntry[] = [];
  let before: TurnRecord | undefined;
  for (const record of records) {
    if (before !== undefined && before.epoch !== record.epoch) {
      const epoch = Math.max(before.epoch, record.epoch);
      entries.push({ type: 'reset', key: `reset ${epoch}`, epoch });
    }
    entries.push({ type: 'turn', key: record.turn.turn_id, record });
    before = record;
  }
  return entries;
}
