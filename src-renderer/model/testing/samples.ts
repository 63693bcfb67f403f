import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import type { AssembleTrace, TraceDecision, TraceItem } from '../../../src-shared/model/trace.ts';

export function sampleItem(over: Partial<TraceItem> = {}): TraceItem {
  return {
    item: 'turn:17',
    kind: 'raw_turn',
    source: 'store',
    role: 'user',
    sequence: 17,
    count: 1,
    tokens: 40,
    preview: 'What did we decide?',
    ...over,
  };
}

export function sampleDecision(over: Partial<TraceDecision> = {}): TraceDecision {
  return {
    seq: 0,
    item: 'turn:17',
    action: 'included',
    reason: 'within_budget',
    scores: {},
    tokens_before: 40,
    tokens_after: 40,
    budget_left: 960,
    ...over,
  };
}

export function sampleTrace(over: Partial<AssembleTrace> = {}): AssembleTrace {
  return {
    call_id: 'call_1',
    session_uid: 'sess_1',
    session_id: 'session-1',
    session_key: 'agent:main:main',
    agent_id: 'main',
    epoch: 0,
    created_at: '2026-11-03T10:15:00.000Z',
    duration_ms: 4.2,
    engine_version: '0.1.0',
    strategy: 'strata',
    config_hash: 'c'.repeat(64),
    input_hash: 'i'.repeat(64),
    output_hash: 'o'.repeat(64),
    format: 'openclaw',
    reply: 'plan',
    history: 'full',
    host_message_count: 1,
    stored_turn_count: 1,
    token_budget: 1_000,
    budget_source: 'request',
    estimated_tokens: 40,
    counter: 'tokenizer',
    calibration: { ratio: 1, samples: 0 },
    slots: [],
    items: [sampleItem()],
    decisions: [sampleDecision()],
    output: [{ host: 0, item: 'turn:17' }],
    ...over,
  };
}

export function sampleCheckpoint(over: Partial<CheckpointRecord> = {}): CheckpointRecord {
  return {
    checkpoint_id: 'ckpt_1',
    session_id: 'session-1',
    committed_at: '2026-11-03T10:15:00.000Z',
    archive_index: 0,
    source_turn_range: { start_sequence: 1, end_sequence: 10 },
    extracted_memory_uris: [],
    epoch: 0,
    trigger: 'manual',
    tokens_before: 1_000,
    tokens_after: 400,
    counter: 'tokenizer',
    source_tokens: 700,
    summary_tokens: 100,
    identifier_policy: 'strict',
    identifiers_kept: [],
    identifiers_repaired: [],
    identifiers_lost: [],
    uncovered_sequences: [],
    summariser: 'extractive',
    attempts: 1,
    duration_ms: 4,
    level: 0,
    parent_checkpoint_ids: [],
    abstract: 'What was decided.',
    overview: '## Decisions\n- One',
    state: 'stands',
    ...over,
  };
}
