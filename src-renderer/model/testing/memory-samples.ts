import type { MemoryOperation } from '../../../src-shared/model/memory-operation.ts';
import type { PageHead } from '../../../src-shared/model/memory-page.ts';
import type { RecallCandidate, RecallResult } from '../../../src-shared/model/recall.ts';
import type { PageReply } from '../../../src-shared/protocol/pages.ts';

export function sampleHead(over: Partial<PageHead> = {}): PageHead {
  return {
    uri: 'strata://user/local/memories/preferences/tea',
    path: 'memories/users/local/preferences/tea.md',
    kind: 'preference',
    title: 'Tea',
    aliases: [],
    tags: [],
    scope: [],
    visibility: 'private',
    status: 'active',
    pinned: false,
    version: 1,
    content_hash: 'hash 1',
    created_at: '2026-11-03T10:00:00.000Z',
    updated_at: '2026-11-03T10:00:00.000Z',
    abstract: 'Tea without sugar.',
    sources: [],
    size: 20,
    ...over,
  };
}

export function samplePage(over: Partial<PageReply> = {}): PageReply {
  return {
    ...sampleHead(),
    overview: '',
    truth: 'Tea without sugar.',
    timeline: [],
    links: [],
    content: 'Tea without sugar.\n',
    backlinks: [],
    ...over,
  };
}

export function sampleCandidate(over: Partial<RecallCandidate> = {}): RecallCandidate {
  return {
    uri: 'strata://user/local/memories/preferences/tea',
    source: 'page',
    level: 0,
    kind: 'preference',
    title: 'Tea',
    text: 'Tea without sugar.',
    tokens: 12,
    score: 0.31,
    parts: { lexical: 0.31 },
    packed: false,
    reason: 'below_threshold',
    ...over,
  };
}

export function sampleRecall(over: Partial<RecallResult> = {}): RecallResult {
  return {
    query: 'tea',
    intent: 'general',
    terms: ['tea'],
    candidates: [],
    considered: 0,
    abstained: false,
    tokens: 0,
    from_cache: false,
    degraded: [],
    duration_ms: 1,
    ...over,
  };
}

export function sampleOperation(over: Partial<MemoryOperation> = {}): MemoryOperation {
  return {
    operation_id: 'op_1',
    at: '2026-11-03T10:00:00.000Z',
    action: 'ADD',
    text: 'Tea without sugar.',
    reason: { code: 'new', message: 'Nothing known says it.' },
    gates: { durable: true, new: true, useful: true },
    compared: [],
    author: 'extraction',
    method: 'rules',
    user_id: 'local',
    agent_id: 'main',
    sources: [],
    ...over,
  };
}
