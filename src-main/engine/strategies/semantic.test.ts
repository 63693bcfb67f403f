import { describe, expect, it } from 'vitest';
import { assemble, commit, decisions } from '../assemble/testing/assemble-session.ts';
import { openWithRecall, preference, recalledText, remember } from '../assemble/testing/with-memory.ts';
import { conversation } from '../testing/messages.ts';
import { createSemanticStrategy } from './semantic.ts';
import { createStrataStrategy } from './strata.ts';

const theme = 'strata://user/default/memories/preferences/editor-theme';
const dark = preference('Editor theme', 'The user prefers the dark theme in every editor.');
const question = 'Which editor theme do I prefer?';

describe('the strategy semantic', () => {
  it('sets three times as much apart for what is recalled as the default does', async () => {
    const rooms = [];
    for (const strategy of ['strata', 'semantic']) {
      const fixture = await openWithRecall({ config: { strategy: { default: strategy } } });
      const { trace } = await assemble(fixture, { prompt: question, token_budget: 20_000 });
      rooms.push(trace.slots.find(({ kind }) => kind === 'recalled_memory')?.allotted ?? 0);
    }
    expect(rooms[0]).toBeGreaterThan(0);
    const [usual = 0, more = 0] = rooms;
    // Both are whole tokens.
    expect(Math.floor(more / 3)).toBe(usual);
  });

  it('sends what it recalled and the newest turns as the default does', async () => {
    const fixture = await openWithRecall({ config: { strategy: { default: 'semantic' } } });
    await remember(fixture, theme, dark);
    await commit(fixture, conversation(3));
    const call = await assemble(fixture, { prompt: question, messages: [...conversation(3)] });
    expect(recalledText(call.messages)).toContain('dark theme');
    expect(call.messages.slice(0, 6)).toEqual(conversation(3));
    expect(decisions(call)).toMatchObject({ [`recall:${theme}`]: 'included recalled' });
  });

  it('compacts earlier and further than the default, and says what is to be kept', () => {
    const semantic = createSemanticStrategy();
    expect(semantic.rawTurnLimit).toBe(30);
    expect(createStrataStrategy().rawTurnLimit).toBeUndefined();
    expect(semantic.focus).toMatch(/looked up/);
  });
});
