import type { AssembleTrace, CallSummary, SegmentKind } from '../../../src-shared/model/trace.ts';

/** What a list of calls shows of a trace. */
export function summariseCall(trace: AssembleTrace): CallSummary {
  const counts = { included: 0, trimmed: 0, dropped: 0 };
  for (const decision of trace.decisions) counts[decision.action] += 1;
  const used: Partial<Record<SegmentKind, number>> = {};
  for (const slot of trace.slots) used[slot.kind] = (used[slot.kind] ?? 0) + slot.used;
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
    used,
    ...counts,
    ...(trace.degraded === undefined ? {} : { degraded: trace.degraded }),
  };
}
