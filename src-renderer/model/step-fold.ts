import type { AssembleTrace, DecisionAction, SegmentKind } from '../../src-shared/model/trace.ts';
import { segmentKindSchema } from '../../src-shared/model/trace.ts';
import { decisionRows, type DecisionRow } from './decision-rows.ts';

/** How a call stood right after one of its decisions. Tokens are of our own tokenizer. */
export interface StepState {
  readonly index: number;
  readonly row: DecisionRow;
  /** What each kind of segment had taken so far. */
  readonly used: { readonly [K in SegmentKind]?: number };
  readonly taken: number;
  readonly leftBefore: number;
  readonly left: number;
  /** Decisions so far, by what became of them. */
  readonly counts: { readonly [A in DecisionAction]: number };
}

/** The decisions of a call in their order, with every state between them worked out once. */
export interface StepFold {
  readonly rows: readonly DecisionRow[];
  /** Tokens to give out before the first decision. */
  readonly start: number;
  at(index: number): StepState | undefined;
  /** What was in the window after that decision, in the order in which it is sent. */
  windowAt(index: number): readonly DecisionRow[];
  /** The index of the decision with this `seq`; -1 when there is none. */
  indexOf(seq: number): number;
}

const kinds = segmentKindSchema.options;
const actions = ['included', 'trimmed', 'dropped'] as const;

/** Stepping is a lookup: all sums are made here, in one walk over the decisions. */
export function stepFold(trace: Pick<AssembleTrace, 'decisions' | 'items' | 'output'>): StepFold {
  const rows = decisionRows(trace);
  const indexes = new Map(rows.map((row, index) => [row.decision.seq, index]));
  const [used, counts] = [prefixSums(rows, kinds, usedBy), prefixSums(rows, actions, actionOf)];
  const placed = inOutputOrder(rows, trace.output);
  const first = rows[0]?.decision;
  const start = first === undefined ? 0 : first.budget_left + first.tokens_after;
  return {
    rows,
    start,
    at(index) {
      const row = rows[index];
      if (row === undefined) return undefined;
      const usedHere = kinds.map((kind, place) => [kind, used[index * kinds.length + place] ?? 0] as const);
      const countOf = (place: number) => counts[index * actions.length + place] ?? 0;
      return {
        index,
        row,
        used: Object.fromEntries(usedHere.filter(([, tokens]) => tokens > 0)),
        taken: usedHere.reduce((sum, [, tokens]) => sum + tokens, 0),
        leftBefore: index === 0 ? start : (rows[index - 1]?.decision.budget_left ?? start),
        left: row.decision.budget_left,
        counts: { included: countOf(0), trimmed: countOf(1), dropped: countOf(2) },
      };
    },
    windowAt: (index) => placed.filter((entry) => entry.index <= index).map(({ row }) => row),
    indexOf: (seq) => indexes.get(seq) ?? -1,
  };
}

/** The next decision in a direction that fits, going round at the end; undefined when none does. */
export function nextStep(
  rows: readonly DecisionRow[],
  from: number,
  direction: 1 | -1,
  fits: (row: DecisionRow) => boolean,
): number | undefined {
  for (let away = 1; away <= rows.length; away += 1) {
    const index = (((from + direction * away) % rows.length) + rows.length) % rows.length;
    const row = rows[index];
    if (row !== undefined && fits(row)) return index;
  }
  return undefined;
}

function usedBy(row: DecisionRow): readonly [SegmentKind | undefined, number] {
  return [row.item?.kind, row.decision.tokens_after];
}

function actionOf(row: DecisionRow): readonly [DecisionAction, number] {
  return [row.decision.action, 1];
}

/** For each row, the sums over it and all before it: `sums[row * names.length + name]`. */
function prefixSums<T extends string>(
  rows: readonly DecisionRow[],
  names: readonly T[],
  partOf: (row: DecisionRow) => readonly [T | undefined, number],
): Float64Array {
  const width = names.length;
  const places = new Map(names.map((name, place) => [name, place]));
  const sums = new Float64Array(rows.length * width);
  rows.forEach((row, index) => {
    if (index > 0) sums.copyWithin(index * width, (index - 1) * width, index * width);
    const [name, amount] = partOf(row);
    const place = name === undefined ? undefined : places.get(name);
    if (place !== undefined) sums[index * width + place] = (sums[index * width + place] ?? 0) + amount;
  });
  return sums;
}

/** What is sent outside of the list (the addition to the system prompt) stands before it, as the model reads it. */
function inOutputOrder(
  rows: readonly DecisionRow[],
  output: AssembleTrace['output'],
): readonly { readonly row: DecisionRow; readonly index: number }[] {
  const ranks = new Map<string, number>();
  output.forEach(({ item }, rank) => {
    if (!ranks.has(item)) ranks.set(item, rank);
  });
  return rows
    .map((row, index) => ({ row, index, rank: ranks.get(row.decision.item) ?? -1 }))
    .filter(({ row }) => row.decision.action !== 'dropped')
    .sort((one, other) => one.rank - other.rank || one.index - other.index);
}
