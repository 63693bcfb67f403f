import type { CallDiff, DiffEntry, DiffSide } from '../../src-shared/protocol/diff.ts';
import { formatCount } from './format-number.ts';
import type { DecisionRow } from './decision-rows.ts';

/** What a difference is to the reader: first of all whether the model saw it. `aside`: it saw it in neither call. */
export type DiffGroup = 'entered' | 'left' | 'changed' | 'moved' | 'aside' | 'same';

export const diffGroups: readonly DiffGroup[] = ['entered', 'left', 'changed', 'moved', 'aside', 'same'];

export interface DiffRow {
  readonly key: string;
  readonly entry: DiffEntry;
  readonly group: DiffGroup;
  readonly before: DecisionRow | undefined;
  readonly after: DecisionRow | undefined;
  /** Lower-case text of everything that can be searched. */
  readonly search: string;
}

/** The entries of a comparison with the decisions that they are about. */
export function diffRows(
  diff: CallDiff,
  before: readonly DecisionRow[],
  after: readonly DecisionRow[],
): readonly DiffRow[] {
  const [ofBefore, ofAfter] = [byItem(before), byItem(after)];
  return diff.entries.map((entry, index) => {
    const [older, newer] = [rowOf(ofBefore, entry.before), rowOf(ofAfter, entry.after)];
    const words = [entry.item, entry.preview, entry.uri, entry.kind, newer?.search, older?.search];
    return {
      key: `${index} ${entry.item}`,
      entry,
      group: diffGroup(entry),
      before: older,
      after: newer,
      search: words.filter(Boolean).join('\n').toLowerCase(),
    };
  });
}

export function diffGroup({ status, window }: DiffEntry): DiffGroup {
  if (window === 'entered' || window === 'left') return window;
  if (status === 'same') return 'same';
  if (window === 'out') return 'aside';
  return status === 'moved' ? 'moved' : 'changed';
}

export function countGroups(rows: readonly DiffRow[]): Readonly<Record<DiffGroup, number>> {
  const counts = { entered: 0, left: 0, changed: 0, moved: 0, aside: 0, same: 0 };
  for (const { group } of rows) counts[group] += 1;
  return counts;
}

const groupWords: Readonly<
  Record<DiffGroup, { readonly sign: string; readonly word: string; readonly meaning: string }>
> = {
  entered: { sign: '+', word: 'Entered', meaning: 'Sent now, and not before' },
  left: { sign: '−', word: 'Left', meaning: 'Sent before, and not now' },
  changed: { sign: '~', word: 'Changed', meaning: 'Sent in both, with other content, tokens or for another reason' },
  moved: { sign: '↕', word: 'Moved', meaning: 'Sent in both, at another place of the list' },
  aside: { sign: '·', word: 'Not sent', meaning: 'Sent in neither of the two, and something about it differs' },
  same: { sign: '=', word: 'Same', meaning: 'Nothing about it differs' },
};

export function diffGroupWords(group: DiffGroup): {
  readonly sign: string;
  readonly word: string;
  readonly meaning: string;
} {
  return groupWords[group];
}

const inputNames: Readonly<Record<string, string>> = {
  token_budget: 'Budget',
  strategy: 'Strategy',
  model: 'Model',
  'calibration.ratio': 'Calibration',
  engine_version: 'Engine',
  config_hash: 'Configuration',
  history: 'History',
  stored_turn_count: 'Stored turns',
  host_message_count: 'Messages of the host',
  format: 'Format',
};

/** `Budget 64,000 → 24,000`. */
export function inputChange({ field, before, after }: CallDiff['inputs'][number]): string {
  const name = inputNames[field] ?? field.replaceAll('_', ' ').replaceAll('.', ' ');
  return `${name} ${inputText(before)} → ${inputText(after)}`;
}

function inputText(value: unknown): string {
  if (value === undefined || value === null) return 'none';
  if (typeof value === 'number') return Number.isInteger(value) ? formatCount(value) : value.toFixed(3);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return /^[0-9a-f]{32,}$/.test(text) ? `${text.slice(0, 8)}…` : text.slice(0, 80);
}

function byItem(rows: readonly DecisionRow[]): ReadonlyMap<string, DecisionRow> {
  return new Map(rows.map((row) => [row.decision.item, row]));
}

function rowOf(rows: ReadonlyMap<string, DecisionRow>, side: DiffSide | undefined): DecisionRow | undefined {
  return side === undefined ? undefined : rows.get(side.item);
}
