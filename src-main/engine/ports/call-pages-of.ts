import type { AssembleTrace, TraceDecision, TraceItem } from '../../../src-shared/model/trace.ts';
import type { CallPage } from './call-pages.ts';

const pageUri = /^strata:\/\/(?:user|agent|resources)\//;
const standingKinds: ReadonlySet<TraceItem['kind']> = new Set(['system', 'profile', 'memory_index']);

/**
 * The memory pages of a call, each once.
 * @param repeats by item: all pages that a part of the standing memory is made of; a trace names the first of them only
 */
export function callPagesOf(
  trace: Pick<AssembleTrace, 'items' | 'decisions'>,
  repeats: ReadonlyMap<string, readonly string[]> = new Map(),
): CallPage[] {
  const decisions = new Map(trace.decisions.map((decision) => [decision.item, decision]));
  const found = new Map<string, CallPage>();
  for (const item of trace.items) {
    const isRecalled = item.kind === 'recalled_memory';
    if (item.source !== 'engine' || !(isRecalled || standingKinds.has(item.kind))) continue;
    const decision = decisions.get(item.item);
    const uris = (repeats.get(item.item) ?? [item.uri]).filter((uri) => uri !== undefined && pageUri.test(uri));
    if (!decision) continue;
    for (const uri of uris) {
      if (uri === undefined) continue;
      const known = found.get(uri);
      if (!known || (known.action === 'dropped' && decision.action !== 'dropped')) {
        found.set(uri, pageOf(uri, item, decision, isRecalled, uris.length));
      }
    }
  }
  return [...found.values()];
}

function pageOf(
  uri: string,
  { item }: TraceItem,
  { action, reason, scores, threshold, tokens_before: before, tokens_after: after }: TraceDecision,
  isRecalled: boolean,
  sharedBy: number,
): CallPage {
  const score = scores['score'];
  return {
    ...{ uri, item, action, reason, sharedBy },
    how: isRecalled ? 'recalled' : 'standing',
    tokens: action === 'dropped' ? before : after,
    ...(score === undefined ? {} : { score }),
    ...(threshold === undefined ? {} : { threshold }),
  };
}
