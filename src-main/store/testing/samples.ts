import { hash } from 'node:crypto';
import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import type { AssembleTrace, TraceItem } from '../../../src-shared/model/trace.ts';
import type { AppendCommand, NewContent, NewTurn, SessionIdentity } from '../../engine/ports/session-store.ts';

export function sha256(text: string): string {
  return hash('sha256', text, 'hex');
}

export function sampleIdentity(over: Partial<SessionIdentity> = {}): SessionIdentity {
  return { userId: 'user', agentId: 'main', sessionKey: 'agent:main:main', sessionId: 'session-1', ...over };
}

export function sampleContent(body: string, over: Partial<NewContent> = {}): NewContent {
  return { body, contentHash: sha256(body), messageKey: sha256(`key of ${body}`), tokens: 7, ...over };
}

/** A turn whose every field follows from its number, so that equal numbers are equal turns. */
export function sampleTurn(number: number, over: Partial<NewTurn> = {}): NewTurn {
  const body = over.body ?? JSON.stringify({ role: 'user', content: `Message ${number}` });
  return {
    turnId: `turn_${number}`,
    identity: `identity-${number}`,
    entryId: `entry-${number}`,
    role: 'user',
    format: 'openclaw',
    timestamp: 1_700_000_000_000 + number,
    preview: `Message ${number}`,
    toolCallIds: [],
    toolResultFor: undefined,
    excluded: false,
    heartbeat: false,
    ...sampleContent(body),
    ...over,
  };
}

export function sampleTurns(first: number, last: number): readonly NewTurn[] {
  return Array.from({ length: last - first + 1 }, (_, index) => sampleTurn(first + index));
}

/** The `number`-th advancement of session `sess_1`: three turns, of which the last is large. */
export function advancementCommand(number: number): AppendCommand {
  const first = number * 3 - 2;
  const large = JSON.stringify({ role: 'tool', content: `Result ${number} `.repeat(2_000) });
  return {
    sessionUid: 'sess_1',
    at: 1_000 + number,
    turns: [sampleTurn(first), sampleTurn(first + 1), sampleTurn(first + 2, { body: large })],
    advancement: { key: `key-${number}`, payloadHash: `payload-${number}` },
    patch: { cursor: `cursor-${number}` },
  };
}

export function sampleCheckpoint(number: number, over: Partial<CompactCheckpoint> = {}): CompactCheckpoint {
  return {
    checkpoint_id: `ckpt_${number}`,
    session_id: 'session-1',
    committed_at: '2026-11-03T10:15:00.000Z',
    archive_index: number - 1,
    source_turn_range: { start_sequence: 2 * number - 1, end_sequence: 2 * number },
    extracted_memory_uris: [],
    epoch: 0,
    trigger: 'manual',
    tokens_before: 14,
    tokens_after: 9,
    counter: 'tokenizer',
    source_tokens: 14,
    summary_tokens: 9,
    identifier_policy: 'strict',
    identifiers_kept: ['src/a.ts'],
    identifiers_repaired: [],
    identifiers_lost: [],
    uncovered_sequences: [],
    summariser: 'extractive',
    attempts: 1,
    level: 0,
    duration_ms: 1.5,
    parent_checkpoint_ids: [],
    abstract: 'Two messages.',
    overview: `Two messages about ${'src/a.ts '.repeat(600)}\u0000\ud800`,
    ...over,
  };
}

export function sampleItem(item: string, over: Partial<TraceItem> = {}): TraceItem {
  return { item, kind: 'raw_turn', source: 'store', role: 'user', count: 1, tokens: 7, preview: item, ...over };
}

export function sampleTrace(callId: string, over: Partial<AssembleTrace> = {}): AssembleTrace {
  return {
    call_id: callId,
    session_uid: 'sess_1',
    session_id: 'session-1',
    session_key: 'agent:main:main',
    agent_id: 'main',
    epoch: 0,
    created_at: '2026-11-03T10:15:00.000Z',
    duration_ms: 3.25,
    engine_version: '0.1.0',
    strategy: 'strata',
    config_hash: 'config',
    input_hash: 'input',
    output_hash: 'output',
    format: 'openclaw',
    reply: 'plan',
    history: 'full',
    model: 'model-a',
    host_message_count: 1,
    stored_turn_count: 1,
    token_budget: 1_000,
    budget_source: 'request',
    estimated_tokens: 100,
    counter: 'tokenizer',
    calibration: { ratio: 1, samples: 0 },
    slots: [],
    items: [],
    decisions: [],
    output: [],
    ...over,
  };
}
