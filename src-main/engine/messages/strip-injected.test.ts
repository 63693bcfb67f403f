import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stripInjected } from './strip-injected.ts';

const tags = [
  'strata-context',
  'strata-summary',
  'relevant-memories',
  'relevant_memories',
  'hindsight_memories',
  'active_memory_plugin',
  'supermemory-context',
];

const memory = '<relevant-memories>\nSource: openviking-auto-recall\n- likes tea\n</relevant-memories>\n';

describe('stripInjected', () => {
  it.each(tags)('S60: takes blocks of <%s> out and keeps every other character', (tag) => {
    const block = `<${tag} trust="untrusted">\n- a memory\n</${tag}>\n`;
    expect(stripInjected(`${block}\n  What did we  decide?\t\n`)).toEqual({
      text: '\n  What did we  decide?\t\n',
      removed: [block],
    });
  });

  it('S60: takes out what the host adds about its own state', () => {
    const block = '<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\nnone\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>\n';
    expect(stripInjected(`${block}hello`)).toEqual({ text: 'hello', removed: [block] });
  });

  it('takes out several blocks, each whole', () => {
    const context = '<strata-context>x</strata-context>';
    expect(stripInjected(`${memory}one\n${memory}two ${context} three`)).toEqual({
      text: 'one\ntwo  three',
      removed: [memory, memory, context],
    });
  });

  it('takes out a block that has a code block in it', () => {
    const block = '<strata-context>\n```ts\nconst a = 1;\n```\n</strata-context>\n';
    expect(stripInjected(`${block}What is a?`)).toEqual({ text: 'What is a?', removed: [block] });
  });

  it('leaves the line break after a block that stands beside words', () => {
    expect(stripInjected('before <strata-context>x</strata-context>\nafter').text).toBe('before \nafter');
  });

  it('takes a line break of Windows along', () => {
    expect(stripInjected('<strata-context>x</strata-context>\r\nafter').text).toBe('after');
  });

  it.each([
    ['in a code block', `How do I write this?\n\n\`\`\`xml\n${memory}\`\`\`\n`],
    ['in an indented code block of tildes', `   ~~~\n${memory}   ~~~~\n`],
    ['in a code block that shows a code block', `\`\`\`\`md\n\`\`\`\n${memory}\`\`\`\n\`\`\`\`\n`],
    ['between backticks', 'What is `<relevant-memories>x</relevant-memories>` for?'],
    ['without an end', 'The tag <relevant-memories> opens\nand nothing closes it.'],
    ['of a longer name', '<relevant-memories-v2>x</relevant-memories-v2>'],
    ['in capitals', '<RELEVANT-MEMORIES>x</RELEVANT-MEMORIES>'],
    ['that only closes', 'x</strata-context> y <<<END_OPENCLAW_INTERNAL_CONTEXT>>>'],
  ])('keeps a tag %s', (_, text) => {
    expect(stripInjected(text)).toEqual({ text, removed: [] });
  });

  it('finds a block behind a code fence that is never closed', () => {
    expect(stripInjected(`\`\`\`\nlog output\n${memory}`).removed).toEqual([memory]);
  });

  it('finds a block after a pair of backticks', () => {
    expect(stripInjected('`code` <strata-context>x</strata-context>').removed).toHaveLength(1);
  });

  it.each([
    ['openings without an end', '<strata-context>'.repeat(12_500)],
    ['fences that nothing closes', `${'```x\n'.repeat(40_000)}<`],
    ['attributes without an end', '<strata-context a'.repeat(12_500)],
    ['backticks and openings', `${'`'.repeat(199)}<strata-context>`.repeat(1_000)],
  ])('comes to an end on 200,000 characters of %s', (_, text) => {
    expect(stripInjected(text)).toEqual({ text, removed: [] });
  });

  it('loses no character: what is kept and what is removed make the text again', () => {
    const kinds = ['memory', '```\n', '~~~\n', '`', 'opening', '</strata-context>', ' a\n', '\r\n'] as const;
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...kinds), { maxLength: 30 }), (pieces) => {
        // Numbered, so that each block is found in one place only.
        const text = pieces
          .map((kind, index) => {
            if (kind === 'memory') return memory.replace('tea', `tea ${index}`);
            return kind === 'opening' ? `<strata-context n="${index}">` : kind;
          })
          .join('');
        const { text: kept, removed } = stripInjected(text);
        let rest = text;
        for (const block of removed) {
          expect(rest).toContain(block);
          rest = rest.replace(block, () => '');
        }
        expect(rest).toBe(kept);
      }),
      { numRuns: 500 },
    );
  });
});
