import type { AssembleTrace, CallSummary, SegmentKind } from '../../../src-shared/model/trace.ts';

/** What a list of calls shows of a trace. */
export function summariseCall(trace: AssembleTrace): CallSummary {
  const counts = { included: 0, trimmed: 0, dropped: 0 };
  for (const decision of trace.decisions) counts[decision.action] += 1;
  return {
    call_id: trace.call_id,
    session_uid: trace.session_uid,
    session_id: trace.session_id,
    session_key: trace.session_key,
    agent_id: trace.agent_id,
    epoch: trace.epoch,
    created_at: trace.created_at,
    duration_ms: trace.duration_ms,
    strategy: trace.strategy,
    ...(trace.model === undefined ? {} : { model: trace.model }),
    ...(trace.prompt_preview === undefined ? {} : { prompt_preview: trace.prompt_preview }),
    token_budget: trace.token_budget,
    estimated_tokens: trace.estimated_tokens,
    counter: trace.counter,
    used: usedByKind(trace),
    ...counts,
    ...(trace.degraded === undefined ? {} : { degraded: trace.degraded }),
  };
}

/** From the decisions, because a slot may hold several kinds: raw turns and tool results share one. */
function usedByKind(trace: AssembleTrace): Used {
  const used: Used = {};
  let kinds: ReadonlyMap<string, SegmentKind> | undefined;
  trace.decisions.forEach(({ item, tokens_after: tokens }, index) => {
    if (tokens <= 0) return;
    // The n-th decision is mostly about the n-th item.
    const same = trace.items[index];
    if (same?.item !== item) kinds ??= new Map(trace.items.map((one) => [one.item, one.kind]));
    const kind = same?.item === item ? same.kind : kinds?.get(item);
    if (kind !== undefined) used[kind] = (used[kind] ?? 0) + tokens;
  });
  return Object.keys(used).length > 0 ? used : usedBySlot(trace);
}

/** For traces that list no items: the slots are all there is. */
function usedBySlot(trace: AssembleTrace): Used {
  const used: Used = {};
  for (const slot of trace.slots) used[slot.kind] = (used[slot.kind] ?? 0) + slot.used;
  return used;
}

type Used = Partial<Record<SegmentKind, number>>;
