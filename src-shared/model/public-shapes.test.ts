import { describe, expect, it } from 'vitest';
import { assembledContextPacketSchema } from './context-packet.ts';
import { turnEnvelopeSchema } from './turn-envelope.ts';

const envelope = {
  turn_id: 'turn_1',
  session_id: 'session-1',
  sequence: 1,
  timestamp: '2026-11-02T09:00:00.000Z',
  role: 'assistant',
  parts: [
    { type: 'text', text: 'I look.' },
    { type: 'tool_call', tool_name: 'read', arguments: { path: 'a.ts' } },
    { type: 'tool_result', tool_name: 'read', result: 'found' },
    { type: 'context_ref', uri: 'strata://session/u/s' },
    { type: 'meta', key: 'image', value: {} },
  ],
  used_context_uris: [],
  used_skills: [{ uri: 'strata://agent/main/skills/x', success: true }],
  tool_calls: [{ tool_name: 'read', arguments: { path: 'a.ts' } }],
  tool_results: [{ tool_name: 'read', result: 'found', status: 'success' }],
  compaction_marker: { source: 'post_compact', compact_checkpoint_id: 'ckpt_1' },
};

describe('the public shapes', () => {
  it('of a turn keep the names that others rely on', () => {
    expect(turnEnvelopeSchema.parse(envelope)).toEqual(envelope);
  });

  it('of an assembled context keep the names that others rely on', () => {
    const packet = {
      profile_blocks: ['Prefers tea.'],
      recalled_memories: [{ query: 'tea', uri: 'strata://user/u/memories/preference/tea', score: 0.9 }],
      compact_summaries: [{ session_uri: 'strata://session/u/s', abstract: 'a', overview: 'o' }],
      recent_raw_turns: [envelope],
      injected_messages: [{ role: 'user', content: 'x' }],
      estimated_tokens: 12,
    };
    expect(assembledContextPacketSchema.parse(packet)).toEqual(packet);
  });

  it.each([
    ['sequence 0', { sequence: 0 }],
    ['an unknown role', { role: 'toolResult' }],
    ['an unknown part', { parts: [{ type: 'video' }] }],
    ['an unknown origin', { compaction_marker: { source: 'summary' } }],
  ])('refuse a turn with %s', (_, fields) => {
    expect(turnEnvelopeSchema.safeParse({ ...envelope, ...fields }).success).toBe(false);
  });
});
