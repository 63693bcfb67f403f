import type { AssembleRequest } from '../../../src-shared/protocol/assemble.ts';
import type { AssembleTrace, Degraded, TraceDecision, TraceItem } from '../../../src-shared/model/trace.ts';
import { isMessageRef } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { textOf } from '../messages/read-fields.ts';
import type { SessionRow } from '../ports/session-store.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';

export interface PassThroughFacts {
  readonly request: AssembleRequest;
  readonly session: SessionRow;
  readonly callId: string;
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly version: string;
  readonly configHash: string;
  readonly strategy: string;
  readonly defaultBudget: number;
  readonly degraded: Degraded;
}

/** The record of a call that was answered with the host's own messages: nothing was decided, and it says why. */
export function passThroughTrace(facts: PassThroughFacts): AssembleTrace {
  const { request, session } = facts;
  const budget = request.token_budget ?? session.lastBudget ?? facts.defaultBudget;
  const items = request.messages.map((message, index): TraceItem => {
    const hostIndex = request.indexes?.[index] ?? index;
    const body = isMessageRef(message) ? '' : JSON.stringify(message);
    const role = isMessageRef(message) ? 'unknown' : textOf(message['role']);
    return {
      item: `host:${hostIndex}`,
      kind: 'raw_turn',
      source: 'host',
      role,
      host_index: hostIndex,
      count: 1,
      tokens: estimateCharacters(body),
      preview: '',
    };
  });
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
  return {
    call_id: facts.callId,
    session_uid: session.uid,
    session_id: session.sessionId,
    session_key: session.sessionKey,
    agent_id: session.agentId,
    epoch: session.epoch,
    created_at: new Date(facts.startedAt).toISOString(),
    duration_ms: Math.max(0, facts.finishedAt - facts.startedAt),
    engine_version: facts.version,
    strategy: facts.strategy,
    config_hash: facts.configHash,
    input_hash: sha256(items.map((item) => item.item).join('\n')),
    output_hash: sha256(items.map((item) => item.item).join('\n')),
    format: request.format,
    reply: request.reply,
    history: request.history,
    ...(request.model === undefined ? {} : { model: request.model }),
    ...(request.prompt === undefined ? {} : { prompt_preview: request.prompt.slice(0, 200).toWellFormed() }),
    host_message_count: request.host_count ?? request.messages.length,
    stored_turn_count: session.lastSequence - session.epochStart,
    token_budget: budget,
    budget_source: request.token_budget === undefined ? 'default' : 'request',
    estimated_tokens: used,
    counter: 'characters',
    calibration: { ratio: 1, samples: 0 },
    slots: [{ kind: 'raw_turn', allotted: budget, asked: used, used, cut: 0, rule: 'passed on unchanged' }],
    items,
    decisions,
    output: items.map((item) => ({ host: item.host_index ?? 0, item: item.item })),
    degraded: facts.degraded,
  };
}
