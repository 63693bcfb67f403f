import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { toolCallMessage, toolResultMessage, userMessage } from '../testing/messages.ts';
import { previewText } from './preview-text.ts';
import { readOpenClawMessage } from './read-openclaw-message.ts';

const previewOf = (message: HostMessage): string => previewText(readOpenClawMessage(message));

describe('previewText', () => {
  it('folds a text into one line', () => {
    expect(previewOf(userMessage('  one\n\n\ttwo  ', 0))).toBe('one two');
  });

  it('names tool calls with their arguments, and shows results', () => {
    expect(previewOf(toolCallMessage('c', 0))).toBe('read({"path":"README.md"})');
    expect(previewOf(toolResultMessage('c', 'found it', 0))).toBe('found it');
  });

  it('says what cannot be shown on a line', () => {
    const content = [{ type: 'image', data: 'AAAA' }, { type: 'hologram' }];
    expect(previewOf({ role: 'user', content, timestamp: 1 })).toBe('[image] [unknown part]');
    expect(previewOf(userMessage('<strata-context>x</strata-context>', 0))).toBe('[injected context]');
    expect(previewOf(userMessage('\u0000\u0001', 0))).toBe('[no readable text]');
    expect(previewOf(toolResultMessage('c', '', 0))).toBe('[no readable text]');
  });

  it('starts where the text starts, however much white space is before it', () => {
    expect(previewOf(userMessage(`${' '.repeat(5_000)}here`, 0))).toBe('here');
  });

  it('does not turn the direction of what stands beside it', () => {
    expect(previewOf(userMessage('pay \u202e001\u202c or \u2067002', 0))).toBe('pay 001 or 002');
    expect(previewOf(userMessage('שלום \u200fעולם', 0))).toBe('שלום \u200fעולם');
  });

  it('ends with an ellipsis exactly when there is more', () => {
    expect(previewOf(userMessage('x'.repeat(160), 0))).toBe('x'.repeat(160));
    expect(previewOf(userMessage('x'.repeat(161), 0))).toBe(`${'x'.repeat(159)}…`);
    expect(previewOf(userMessage('😀'.repeat(161), 0))).toBe(`${'😀'.repeat(159)}…`);
  });

  it('looks at the start of a long text only', () => {
    expect(previewOf(userMessage('word '.repeat(40_000), 0))).toHaveLength(160);
  });

  it('is a well-formed line of at most 160 characters for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 500 }), (text) => {
        const preview = previewOf(userMessage(text, 0));
        expect(preview.isWellFormed()).toBe(true);
        expect(Array.from(preview).length).toBeLessThanOrEqual(160);
        expect(preview).not.toMatch(/[\u0000-\u001f]/);
      }),
    );
  });
});
