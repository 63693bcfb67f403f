import { describe, expect, it } from 'vitest';
import { readMessage } from '../messages/read-message.ts';
import { sourceTurn } from './source-turn.ts';

describe('sourceTurn', () => {
  it('reads the beginning and the end of a turn that is longer than 200,000 characters', () => {
    const content = `begin <think>${'deep '.repeat(50_000)}</think>${'word '.repeat(2_000_000)}end`;
    const { text } = sourceTurn({ sequence: 1 }, readMessage({ role: 'assistant', content }, 'openclaw', 0));
    expect(text).toMatch(/^begin word/);
    expect(text).toMatch(/word end$/);
    expect(text.length).toBeLessThanOrEqual(200_001);
  });
});
