import type { AssembleTrace, SegmentKind, TraceDecision, TraceItem } from '../model/trace.ts';
import type { CallDiff, DiffEntry, DiffSide } from '../protocol/diff.ts';
import { diffPrefix, sentEntries } from './diff-prefix.ts';

/** What a comparison looks at of a call. */
export type ComparedCall = Pick<
  AssembleTrace,
  | 'items'
  | 'decisions'
  | 'output'
  | 'output_hash'
  | 'estimated_tokens'
  | 'token_budget'
  | 'strategy'
  | 'model'
  | 'format'
  | 'history'
  | 'epoch'
  | 'config_hash'
  | 'engine_version'
  | 'calibration'
  | 'system_prompt_addition'
  | 'prompt_preview'
  | 'host_message_count'
  | 'stored_turn_count'
>;

/** One candidate of a call with what was decided about it. */
interface Case {
  readonly item: TraceItem;
  readonly decision: TraceDecision;
  readonly position: number | undefined;
  /** Among the candidates that are sent, in their order in the list; undefined: it is not sent. */
  readonly rank: number | undefined;
}

/**
 * How call `b` differs from call `a`. Items are paired by their name, then by their content; a turn that one call has
 * only within a range of older ones is paired with that range. Time is linear in the items of both but for the ordering
 * of what was sent. Pure: equal traces give an equal answer.
 */
export function diffCalls(a: ComparedCall, b: ComparedCall): CallDiff {
  const before = casesOf(a);
  const after = casesOf(b);
  const pairs = pairUp(before, after);
  const moved = movedItems(pairs);
  const entries = pairs.map((pair) => entryOf(pair, moved));
  return {
    entries,
    counts: countsOf(entries),
    kinds: kindsOf(a, b),
    tokens: {
      before: a.estimated_tokens,
      after: b.estimated_tokens,
      delta: b.estimated_tokens - a.estimated_tokens,
    },
    prefix: diffPrefix(a, b),
    inputs: inputsOf(a, b),
  };
}

function casesOf(call: ComparedCall): Case[] {
  const decisions = new Map(call.decisions.map((decision) => [decision.item, decision]));
  const positions = new Map<string, number>();
  call.output.forEach(({ item }, index) => {
    if (!positions.has(item)) positions.set(item, index);
  });
  const ranks = new Map([...positions.keys()].map((item, rank) => [item, rank]));
  return call.items.flatMap((item, index): Case[] => {
    // The n-th decision is mostly about the n-th item.
    const same = call.decisions[index];
    const decision = same?.item === item.item ? same : decisions.get(item.item);
    if (!decision) return [];
    return [{ item, decision, position: positions.get(item.item), rank: ranks.get(item.item) }];
  });
}

interface Pair {
  readonly before: Case | undefined;
  readonly after: Case | undefined;
  /** The side that has it only as a part of a range. */
  readonly within?: 'before' | 'after';
}

function pairUp(before: readonly Case[], after: readonly Case[]): Pair[] {
  const byItem = new Map(before.map((one) => [one.item.item, one]));
  const partners = new Map<Case, Case>();
  for (const one of after) {
    const same = byItem.get(one.item.item);
    if (!same) continue;
    partners.set(one, same);
    byItem.delete(one.item.item);
  }
  const byContent = new Map<string, Case[]>();
  for (const one of before) {
    const hash = one.item.content_hash;
    if (hash === undefined || !byItem.has(one.item.item)) continue;
    byContent.set(hash, [...(byContent.get(hash) ?? []), one]);
  }
  for (const one of after) {
    if (partners.has(one) || one.item.content_hash === undefined) continue;
    const same = byContent.get(one.item.content_hash)?.shift();
    if (!same) continue;
    partners.set(one, same);
    byItem.delete(same.item.item);
  }
  const rangesBefore = rangesOf(before);
  const rangesAfter = rangesOf(after);
  return [
    ...after.map((one): Pair => {
      const partner = partners.get(one);
      if (partner) return { before: partner, after: one };
      const range = rangeOver(one.item, rangesBefore);
      return range ? { before: range, after: one, within: 'before' } : { before: undefined, after: one };
    }),
    ...before
      .filter((one) => byItem.has(one.item.item))
      .map((one): Pair => {
        const range = rangeOver(one.item, rangesAfter);
        return range ? { before: one, after: range, within: 'after' } : { before: one, after: undefined };
      }),
  ];
}

function rangesOf(cases: readonly Case[]): readonly Case[] {
  return cases
    .filter(({ item }) => item.count > 1 && item.sequence !== undefined && item.kind === 'raw_turn')
    .sort((one, other) => (one.item.sequence ?? 0) - (other.item.sequence ?? 0));
}

/** The range that has a single turn in it; ranges of one call do not overlap. */
function rangeOver({ sequence, count, kind }: TraceItem, ranges: readonly Case[]): Case | undefined {
  if (sequence === undefined || count !== 1 || (kind !== 'raw_turn' && kind !== 'tool_result')) return undefined;
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const range = ranges[middle];
    if (!range) return undefined;
    if ((range.item.sequence ?? 0) > sequence) high = middle - 1;
    else if ((range.item.end_sequence ?? 0) < sequence) low = middle + 1;
    else return range;
  }
  return undefined;
}

/** Of what both lists have, what is not in the longest common order. */
function movedItems(pairs: readonly Pair[]): ReadonlySet<Pair> {
  const both = pairs
    .filter((pair) => pair.within === undefined && pair.before?.rank !== undefined && pair.after?.rank !== undefined)
    .sort((one, other) => (one.after?.rank ?? 0) - (other.after?.rank ?? 0));
  const kept = longestRising(both.map((pair) => pair.before?.rank ?? 0));
  return new Set(both.filter((_, index) => !kept.has(index)));
}

/** Indexes of a longest rising subsequence, by patience sorting: n log n. */
function longestRising(values: readonly number[]): ReadonlySet<number> {
  const tails: number[] = [];
  const previous = new Array<number>(values.length).fill(-1);
  values.forEach((value, index) => {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[tails[middle] ?? 0] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[index] = low > 0 ? (tails[low - 1] ?? -1) : -1;
    tails[low] = index;
  });
  const rising = new Set<number>();
  for (let at = tails.at(-1) ?? -1; at !== -1; at = previous[at] ?? -1) rising.add(at);
  return rising;
}

function entryOf(pair: Pair, moved: ReadonlySet<Pair>): DiffEntry {
  const { before, after, within } = pair;
  const shown = within === 'after' ? before : (after ?? before);
  const fields = before && after && within === undefined ? changedFields(before, after) : withinFields(pair);
  const isMoved = moved.has(pair);
  const sentBefore = before !== undefined && before.decision.action !== 'dropped';
  const sentAfter = after !== undefined && after.decision.action !== 'dropped';
  const tokensBefore = within === 'before' ? 0 : (before?.decision.tokens_after ?? 0);
  const tokensAfter = within === 'after' ? 0 : (after?.decision.tokens_after ?? 0);
  return {
    item: shown?.item.item ?? '',
    kind: shown?.item.kind ?? 'raw_turn',
    preview: shown?.item.preview ?? '',
    ...(shown?.item.uri === undefined ? {} : { uri: shown.item.uri }),
    status: !before ? 'added' : !after ? 'removed' : fields.length > 0 ? 'changed' : isMoved ? 'moved' : 'same',
    window: sentAfter ? (sentBefore ? 'stays' : 'entered') : sentBefore ? 'left' : 'out',
    fields: isMoved ? [...fields, 'position'] : fields,
    tokens_delta: tokensAfter - tokensBefore,
    ...(before && { before: sideOf(before, within === 'before') }),
    ...(after && { after: sideOf(after, within === 'after') }),
  };
}

function changedFields({ item: a, decision: x }: Case, { item: b, decision: y }: Case): DiffEntry['fields'] {
  const fields: DiffEntry['fields'] = [];
  if (x.action !== y.action) fields.push('action');
  if (x.reason !== y.reason) fields.push('reason');
  if (x.tokens_after !== y.tokens_after || x.tokens_before !== y.tokens_before) fields.push('tokens');
  if (a.content_hash !== b.content_hash || (a.content_hash === undefined && a.preview !== b.preview)) {
    fields.push('content');
  }
  if (x.threshold !== y.threshold) fields.push('threshold');
  const names = new Set([...Object.keys(x.scores), ...Object.keys(y.scores)]);
  if ([...names].some((name) => x.scores[name] !== y.scores[name])) fields.push('scores');
  return fields;
}

/** The tokens of a range are those of many turns, and say nothing of the one. */
function withinFields({ before, after }: Pair): DiffEntry['fields'] {
  if (!before || !after) return [];
  const fields: DiffEntry['fields'] = [];
  if (before.decision.action !== after.decision.action) fields.push('action');
  if (before.decision.reason !== after.decision.reason) fields.push('reason');
  return fields;
}

function sideOf({ item, decision, position }: Case, isRange: boolean): DiffSide {
  const { action, reason, tokens_before, tokens_after, threshold, scores } = decision;
  return {
    ...{ item: item.item, action, reason, tokens_before, tokens_after, scores },
    ...(threshold === undefined ? {} : { threshold }),
    ...(position === undefined ? {} : { position }),
    ...(item.content_hash === undefined ? {} : { content_hash: item.content_hash }),
    ...(isRange ? { within: item.count } : {}),
  };
}

function countsOf(entries: readonly DiffEntry[]): CallDiff['counts'] {
  const counts = { same: 0, moved: 0, changed: 0, added: 0, removed: 0, entered: 0, left: 0 };
  for (const { status, window } of entries) {
    counts[status] += 1;
    if (window === 'entered' || window === 'left') counts[window] += 1;
  }
  return counts;
}

function kindsOf(a: ComparedCall, b: ComparedCall): CallDiff['kinds'] {
  const before = tokensByKind(a);
  const after = tokensByKind(b);
  return [...new Set([...before.keys(), ...after.keys()])].map((kind) => {
    const [x, y] = [before.get(kind) ?? 0, after.get(kind) ?? 0];
    return { kind, before: x, after: y, delta: y - x };
  });
}

function tokensByKind(call: ComparedCall): ReadonlyMap<SegmentKind, number> {
  const tokens = new Map<SegmentKind, number>();
  for (const { item, decision } of sentEntries(call)) {
    tokens.set(item.kind, (tokens.get(item.kind) ?? 0) + decision.tokens_after);
  }
  return tokens;
}

function inputsOf(a: ComparedCall, b: ComparedCall): CallDiff['inputs'] {
  const pairs: readonly (readonly [field: string, before: unknown, after: unknown])[] = [
    ['token_budget', a.token_budget, b.token_budget],
    ['strategy', a.strategy, b.strategy],
    ['model', a.model, b.model],
    ['calibration.ratio', a.calibration.ratio, b.calibration.ratio],
    ['config_hash', a.config_hash, b.config_hash],
    ['engine_version', a.engine_version, b.engine_version],
    ['format', a.format, b.format],
    ['history', a.history, b.history],
    ['epoch', a.epoch, b.epoch],
    ['prompt', a.prompt_preview, b.prompt_preview],
    ['host_message_count', a.host_message_count, b.host_message_count],
    ['stored_turn_count', a.stored_turn_count, b.stored_turn_count],
  ];
  return pairs.flatMap(([field, before, after]) =>
    before === after ? [] : [{ field, before: before ?? null, after: after ?? null }],
  );
}
