import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AssembleTrace, Degraded, TraceDecision, TraceItem } from '../../../src-shared/model/trace.ts';
import { isMessageRef } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { textOf } from '../messages/read-fields.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';
import type { TraceHead } from './answer-builder.ts';

/** The record of a call that was answered with the host's own messages: nothing was decided, and it says why. */
export function passThroughTrace(head: TraceHead, request: AssembleRequest, degraded: Degraded): AssembleTrace {
  const items = request.messages.map((message, index): TraceItem => {
    const hostIndex = request.indexes?.[index] ?? index;
    const body = isMessageRef(message) ? '' : JSON.stringify(message);
    return {
      item: `host:${hostIndex}`,
      kind: 'raw_turn',
      source: 'host',
      role: isMessageRef(message) ? 'unknown' : textOf(message['role']),
      host_index: hostIndex,
      count: 1,
      tokens: estimateCharacters(body),
      preview: '',
    };
  });
  const budget = head.token_budget;
  let left = budget;
  const decisions = items.map((item, seq): TraceDecision => {
    left -= item.tokens;
    return {
      seq,
      item: item.item,
      action: 'included',
      reason: 'passed_through',
      scores: {},
      tokens_before: item.tokens,
      tokens_after: item.tokens,
      budget_left: left,
    };
  });
  const used = budget - left;
  const hash = sha256(items.map((item) => item.item).join('\n'));
  return {
    ...head,
    input_hash: hash,
    output_hash: hash,
    estimated_tokens: used,
    counter: 'characters',
    calibration: { ratio: 1, samples: 0 },
    slots: [{ kind: 'raw_turn', allotted: budget, asked: used, used, cut: 0, rule: 'passed on unchanged' }],
    items,
    decisions,
    output: items.map((item) => ({ host: item.host_index ?? 0, item: item.item })),
    degraded,
  };
}
