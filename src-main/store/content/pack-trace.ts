import type { AssembleTrace, TraceDecision, TraceItem, TraceOutputEntry } from '../../../src-shared/model/trace.ts';
import { packJson, unpackJson } from './pack-json.ts';
import type { PackedBytes } from './pack-bytes.ts';

/** Items, decisions and output of a trace in columns: a tenth of the size, and written in a fifth of the time. */
interface LeanTrace {
  readonly version: 1;
  readonly rest: Omit<AssembleTrace, 'items' | 'decisions' | 'output'>;
  /** A stored turn as [sequence, host index or -1], everything else as it is. */
  readonly items: readonly (readonly [number, number] | TraceItem)[];
  readonly decisions: readonly LeanDecision[];
  /** [index of the item, host index, or -1 for an inline message that is the item's own], else as it is. */
  readonly output: readonly (readonly [number, number] | TraceOutputEntry)[];
}

/** action, reason, tokens before, tokens after, budget left; the n-th belongs to the n-th item. */
type LeanDecision = readonly [string, string, number, number, number] | TraceDecision;

/** `turnItems`: items that are exactly what `turnTraceItem` makes of a stored turn. */
export function packTrace(trace: AssembleTrace, turnItems: ReadonlySet<string>): PackedBytes {
  const { items, decisions, output, ...rest } = trace;
  const indexOf = new Map(items.map((item, index) => [item.item, index]));
  const lean: LeanTrace = {
    version: 1,
    rest,
    items: items.map((item) =>
      turnItems.has(item.item) && item.sequence !== undefined ? [item.sequence, item.host_index ?? -1] : item,
    ),
    decisions: decisions.map((decision, index) => leanDecision(decision, index, items)),
    output: output.map((entry) => leanOutput(entry, indexOf.get(entry.item), items)),
  };
  return packJson(lean);
}

/** `turnItem` makes the item of a stored turn again. */
export function unpackTrace(
  packed: PackedBytes,
  turnItems: (sequences: readonly number[]) => (sequence: number, hostIndex: number | undefined) => TraceItem,
): AssembleTrace {
  // Only packTrace writes these.
  const lean = unpackJson(packed) as LeanTrace;
  const turnItem = turnItems(lean.items.flatMap((item) => (isPair(item) ? [item[0]] : [])));
  const items = lean.items.map((item) => (isPair(item) ? turnItem(item[0], notNegative(item[1])) : item));
  return {
    ...lean.rest,
    items,
    decisions: lean.decisions.map((decision, seq) => fullDecision(decision, seq, items)),
    output: lean.output.map((entry) => fullOutput(entry, items)),
  };
}

/** What a trace says of the call as a whole. */
export function unpackTraceHead(packed: PackedBytes): LeanTrace['rest'] {
  return (unpackJson(packed) as LeanTrace).rest;
}

function leanDecision(decision: TraceDecision, index: number, items: readonly TraceItem[]): LeanDecision {
  const { seq, item, action, reason, scores, threshold, tokens_before: before, tokens_after: after } = decision;
  const plain =
    seq === index && items[index]?.item === item && threshold === undefined && Object.keys(scores).length === 0;
  return plain ? [action, reason, before, after, decision.budget_left] : decision;
}

function fullDecision(decision: LeanDecision, seq: number, items: readonly TraceItem[]): TraceDecision {
  if (!isLean(decision)) return decision;
  const [action, reason, before, after, left] = decision;
  return {
    seq,
    item: items[seq]?.item ?? '',
    // Written by leanDecision, from values of these types.
    action: action as TraceDecision['action'],
    reason: reason as TraceDecision['reason'],
    scores: {},
    tokens_before: before,
    tokens_after: after,
    budget_left: left,
  };
}

function leanOutput(entry: TraceOutputEntry, index: number | undefined, items: readonly TraceItem[]) {
  if (index === undefined) return entry;
  if ('host' in entry) return [index, entry.host] as const;
  return items[index]?.content_hash === entry.inline ? ([index, -1] as const) : entry;
}

function fullOutput(
  entry: readonly [number, number] | TraceOutputEntry,
  items: readonly TraceItem[],
): TraceOutputEntry {
  if (!isPair(entry)) return entry;
  const [index, host] = entry;
  const item = items[index];
  return host >= 0 ? { host, item: item?.item ?? '' } : { inline: item?.content_hash ?? '', item: item?.item ?? '' };
}

function isPair(value: object): value is readonly [number, number] {
  return Array.isArray(value);
}

function isLean(value: LeanDecision): value is readonly [string, string, number, number, number] {
  return Array.isArray(value);
}

function notNegative(index: number): number | undefined {
  return index < 0 ? undefined : index;
}
