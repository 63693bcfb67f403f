import { expect, it } from 'vitest';
import type { NewToolResult } from '../../engine/ports/tool-result-store.ts';
import { sha256 } from './samples.ts';
import { describeInBothStates, type CreateSubject } from './store-subject.ts';

function sampleResult(over: Partial<NewToolResult> = {}): NewToolResult {
  const body = over.body ?? JSON.stringify([{ type: 'text', text: 'rows '.repeat(5_000) }]);
  return {
    contentHash: sha256(body),
    userId: 'u',
    sessionKey: 'agent:main:main',
    sessionId: 's1',
    toolCallId: 'call_1',
    toolName: 'read',
    storedAt: 1_000,
    body,
    tokens: 5_000,
    ...over,
  };
}

/** Large tool results outside the log. */
export function describeToolResults(createSubject: CreateSubject): void {
  describeInBothStates('tool results', createSubject, (under) => {
    it('are found by their content, for the user whose they are', async () => {
      const result = sampleResult();
      expect(await under.store.putToolResult(result)).toBe('stored');
      await under.settle();
      const { body, tokens: _, ...known } = result;
      expect(await under.store.findToolResult(result.contentHash, 'u')).toEqual(known);
      expect(await under.store.findToolResult(result.contentHash, 'v')).toBeUndefined();
      expect(await under.store.findToolResult(sha256('other'), 'u')).toBeUndefined();
      expect((await under.store.readBodies([result.contentHash])).get(result.contentHash)).toBe(body);
    });

    it('of the same call are stored once; of another call or user beside each other, the newest found first', async () => {
      const result = sampleResult();
      await under.store.putToolResult(result);
      expect(await under.store.putToolResult({ ...result, storedAt: 2_000 })).toBe('duplicate');
      expect(await under.store.putToolResult({ ...result, toolCallId: 'call_2', storedAt: 3_000 })).toBe('stored');
      expect(await under.store.putToolResult({ ...result, userId: 'v', storedAt: 4_000 })).toBe('stored');
      await under.settle();
      expect(await under.store.findToolResult(result.contentHash, 'u')).toMatchObject({ toolCallId: 'call_2' });
      expect(await under.store.findToolResult(result.contentHash, 'v')).toMatchObject({ toolCallId: 'call_1' });
    });

    it('hold their content, also one that only calls named before', async () => {
      const result = sampleResult();
      const { contentHash, tokens, body } = result;
      await under.store.putContents([{ contentHash, messageKey: contentHash, tokens, body }]);
      await under.store.putToolResult(result);
      await under.settle();
      await under.store.pruneCalls(0);
      expect((await under.store.readBodies([contentHash])).size).toBe(1);
    });

    it('take names that are no well-formed Unicode', async () => {
      const result = sampleResult({ toolName: '\ud800', toolCallId: '\udc00', sessionId: '' });
      await under.store.putToolResult(result);
      await under.settle();
      expect(await under.store.findToolResult(result.contentHash, 'u')).toMatchObject({
        toolName: '\ufffd',
        sessionId: '',
      });
    });
  });
}
