import { describe, expect, it } from 'vitest';
import { assemble, commit, decisions } from '../assemble/testing/assemble-session.ts';
import { openWithRecall, preference, recalledText, remember } from '../assemble/testing/with-memory.ts';
import type { EngineFixture } from '../testing/engine-fixture.ts';
import { openEngineFixture } from '../testing/engine-fixture.ts';
import { conversation, mainSession, userMessage } from '../testing/messages.ts';

const memoryMd = 'strata://resources/MEMORY';
const theme = 'strata://user/default/memories/preferences/theme';
const question = 'Which editor theme do I prefer?';

/** Whatever is there. */
async function write(fixture: EngineFixture, uri: string, content: string): Promise<void> {
  await fixture.engine.memory.pages.save({ uri, change: { content }, baseVersion: undefined, author: 'user' });
}

const addition = async (fixture: EngineFixture, body: object = {}) =>
  (await assemble(fixture, { prompt: 'hello there, what now?', deadline_ms: 20_000, ...body })).reply
    .system_prompt_addition ?? '';

describe('standing memory', () => {
  it('MEMORY.md is sent whole while it is small, and as index lines above', async () => {
    const fixture = await openEngineFixture({ config: { memory: { direct_max_tokens: 100 } } });
    await write(fixture, memoryMd, '# Memory\n\nThe user lives in Lund.\n');
    expect(await addition(fixture)).toContain('The user lives in Lund.');
    const lines = Array.from({ length: 30 }, (_, n) => `- [Page ${n}](notes/${n}.md) — what is known of ${n}`);
    await write(fixture, memoryMd, `# Memory\n\nThe user lives in Lund.\n\n${lines.join('\n')}\n`);
    const large = await addition(fixture, { session_id: 'another' });
    expect(large).toContain('- [Page 29](notes/29.md)');
    expect(large).not.toContain('Lund');
    expect(large).toContain('memory_recall');
  });

  it('lists the profile and the preferences that are pinned or come from several places', async () => {
    const fixture = await openEngineFixture();
    await write(
      fixture,
      'strata://user/default/memories/profile/me',
      '---\ntitle: Me\nkind: profile\n---\n\n# Me\n\nA baker in Lund.\n',
    );
    await write(fixture, theme, preference('Theme', 'Dark, always.', 'pinned: true\n'));
    await write(fixture, `${theme}-once`, preference('Font', 'Said once only.'));
    const text = await addition(fixture);
    expect(text).toContain('A baker in Lund.');
    expect(text).toContain('Theme: Dark, always.');
    expect(text).not.toContain('Said once only.');
  });

  it('what is forgotten for good is sent to a running session no more, nor kept for it', async () => {
    const fixture = await openEngineFixture();
    const uri = 'strata://user/default/memories/profile/me';
    await write(fixture, uri, '---\ntitle: Me\nkind: profile\n---\n\n# Me\n\nA xylophonist in Lund.\n');
    await commit(fixture, [...conversation(2)]);
    expect(await addition(fixture, { messages: [...conversation(2)] })).toContain('xylophonist');
    const snapshot = async () => {
      const [session] = (await fixture.store.listSessions({ cursor: undefined, limit: 1 }, {})).items;
      const kept = await fixture.parts.standing.findSnapshot(session?.uid ?? '', session?.epoch ?? 0);
      return JSON.stringify(kept ?? null);
    };
    expect(await snapshot()).toContain('xylophonist');
    await fixture.engine.memory.pages.erase(uri, {});
    expect(await snapshot()).not.toContain('xylophonist');
    expect(await addition(fixture, { messages: [...conversation(2)] })).not.toContain('xylophonist');
  });

  it('S48: a write changes nothing of a running session; the trace says that it waits; a new epoch has it', async () => {
    const fixture = await openEngineFixture();
    await write(fixture, memoryMd, '# Memory\n\nFirst.\n');
    await commit(fixture, [...conversation(2)]);
    const before = await assemble(fixture, { messages: [...conversation(2)], prompt: 'what now then?' });
    await write(fixture, memoryMd, '# Memory\n\nSecond.\n');
    const after = await assemble(fixture, { messages: [...conversation(2)], prompt: 'what now then?' });
    expect(after.reply.system_prompt_addition).toBe(before.reply.system_prompt_addition);
    const item = after.trace.items.find(({ kind }) => kind === 'memory_index');
    expect(item).toMatchObject({ changes_waiting: true, as_of: '2026-11-02T10:00:00.000Z' });
    await fixture.reopen();
    expect(await addition(fixture, { messages: [...conversation(2)] })).toBe(before.reply.system_prompt_addition);
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    expect(await addition(fixture)).toContain('Second.');
  });

  it('memory.refresh_minutes: a session that was idle for longer takes in what was written', async () => {
    const fixture = await openEngineFixture({ config: { memory: { refresh_minutes: 10 } } });
    await write(fixture, memoryMd, '# Memory\n\nFirst.\n');
    await addition(fixture);
    await write(fixture, memoryMd, '# Memory\n\nSecond.\n');
    fixture.clock.advance(9 * 60_000);
    expect(await addition(fixture)).toContain('First.');
    fixture.clock.advance(11 * 60_000);
    expect(await addition(fixture)).toContain('Second.');
  });

  it.each([
    ['auto', 'workspace', 'openclaw', true],
    ['auto', 'shared-with-openclaw', 'openclaw', false],
    ['auto', 'shared-with-openclaw', 'openai', true],
    ['always', 'shared-with-openclaw', 'openclaw', true],
    ['never', 'workspace', 'openclaw', false],
  ] as const)(
    'memory.memory_md %s with the workspace %s and a host of format %s: %s',
    async (mode, workspace, format, sent) => {
      const fixture = await openEngineFixture({ config: { memory: { memory_md: mode, workspace } } });
      await write(fixture, memoryMd, '# Memory\n\nThe user lives in Lund.\n');
      const messages =
        format === 'openai' ? [{ role: 'user', content: 'hello there' }] : [userMessage('hello there', 1)];
      const call = await assemble(fixture, { format, messages });
      const text = `${call.reply.system_prompt_addition ?? ''}${JSON.stringify(call.messages)}`;
      expect(text.includes('Lund')).toBe(sent);
      if (!sent) expect(decisions(call)['standing:MEMORY.md']).toBe('dropped host_sends_it');
    },
  );

  it('assemble.prompt_layers: hosts without a system prompt get the files of the workspace, each cut at 20,000 characters', async () => {
    const fixture = await openEngineFixture({ config: { assemble: { prompt_layers: true } } });
    await write(fixture, 'strata://resources/AGENTS', '# Agents\n\nAnswer in rhymes.\n');
    await write(fixture, 'strata://resources/SOUL', `# Soul\n\n${'calm '.repeat(6_000)}\n`);
    const messages = [{ role: 'user', content: 'hello there' }];
    const { messages: sent } = await assemble(fixture, { format: 'openai', messages, token_budget: 200_000 });
    const system = String(sent[0]?.['content']);
    expect(system.indexOf('# SOUL.md')).toBeGreaterThanOrEqual(0);
    expect(system.indexOf('# AGENTS.md')).toBeGreaterThan(system.indexOf('# SOUL.md'));
    expect(system).toContain('cut at 20000 characters');
    expect(system.length).toBeLessThan(21_000);
    expect(await addition(fixture)).not.toContain('rhymes');
  });

  it('is left out where it would take too much of a budget, and the trace says so', async () => {
    const fixture = await openEngineFixture();
    await write(fixture, memoryMd, `# Memory\n\n${'The user lives in Lund. '.repeat(100)}\n`);
    const call = await assemble(fixture, { prompt: 'what now?', token_budget: 900 });
    expect(call.reply.system_prompt_addition).toBeUndefined();
    expect(decisions(call)['standing:MEMORY.md']).toBe('dropped standing_over_budget');
  });
});

describe('who listens', () => {
  const shared = 'strata://user/default/memories/preferences/greeting';

  async function open(config = {}) {
    const fixture = await openWithRecall({ config });
    await write(fixture, memoryMd, '# Memory\n\nThe private editor theme note.\n');
    await remember(fixture, theme, preference('Editor theme', 'The private editor theme is dark.', 'pinned: true\n'));
    await remember(
      fixture,
      shared,
      preference('Editor theme of the team', 'The shared editor theme is light.', 'visibility: shared\n'),
    );
    return fixture;
  }

  const seen = async (fixture: EngineFixture, session_key: string) => {
    const call = await assemble(fixture, { session_key, session_id: session_key, prompt: question });
    return `${call.reply.system_prompt_addition ?? ''}\n${recalledText(call.messages)}`;
  };

  it.each(['agent:main:telegram:group:-100', 'agent:main:slack:channel:c1', 'agent:main:cron:daily'])(
    'H53, S77: %s gets what is shared and nothing private',
    async (key) => {
      const text = await seen(await open(), key);
      expect(text).toContain('The shared editor theme');
      expect(text).not.toContain('private');
    },
  );

  it('memory.access: none shuts memory off', async () => {
    const fixture = await open({ memory: { access: { group: 'none' } } });
    expect((await seen(fixture, 'agent:main:telegram:group:-100')).trim()).toBe('');
  });

  it('H22: a sub-agent sees what it was granted, after a restart too, and never more than its parent', async () => {
    const fixture = await open();
    const child = 'agent:main:subagent:1';
    const grandchild = 'agent:main:subagent:2';
    expect(await seen(fixture, child)).not.toContain('private');
    const prepare = (parent: string, key: string) =>
      fixture.send('subagentPrepare', {
        body: { parent_session_key: parent, child_session_key: key, memory_grant: 'all' },
      });
    await prepare('agent:main:main', child);
    await prepare('agent:main:telegram:group:-100', grandchild);
    await fixture.reopen();
    expect(await seen(fixture, `${child}`)).toContain('private');
    expect(await seen(fixture, grandchild)).not.toContain('private');
  });

  it('H20, S75: after a reset nothing of what was said before comes back by itself; pages do', async () => {
    let asked = 0;
    const fixture = await open();
    await commit(fixture, [userMessage('The editor theme of project Kestrel is solarized.', 1)]);
    const fromOther = async () => {
      const key = `other-${(asked += 1)}`;
      const other = { session_id: key, session_key: `agent:main:${key}` };
      return recalledText((await assemble(fixture, { ...other, prompt: 'Which theme has project Kestrel?' })).messages);
    };
    await expect.poll(fromOther, { timeout: 10_000 }).toContain('solarized');
    await fixture.send('sessionEnd', { body: { ...mainSession, reason: 'reset' } });
    const call = await assemble(fixture, { prompt: 'Which editor theme has project Kestrel?' });
    expect(JSON.stringify(call.messages)).not.toContain('solarized');
    expect(call.reply.system_prompt_addition).toContain('theme is dark');
    const pages = await assemble(fixture, { prompt: 'Which editor theme has the team?' });
    expect(recalledText(pages.messages)).toContain('theme is light');
  });
});

describe('memory_expand', () => {
  it('reads a page and names the turns that it comes from; not for who may not see it', async () => {
    const fixture = await openEngineFixture();
    const source = 'strata://session/default/sess_1/turn/1';
    await write(fixture, theme, preference('Theme', 'Dark, always.', `sources:\n  - ${source}\n`));
    const reply = await fixture.send('memoryExpand', { body: { uri: theme } });
    expect(reply.page).toMatchObject({ title: 'Theme', kind: 'preference', version: 1 });
    expect(reply.passages.map(({ text }) => text).join('')).toContain('Dark, always.');
    expect(reply.read_uris).toEqual([source]);
    const found = await fixture.send('memoryExpand', { body: { uri: theme, query: 'always' } });
    expect(found.passages[0]?.text).toContain('always');
    const group = { uri: theme, session_key: 'agent:main:telegram:group:-1' };
    await expect(fixture.send('memoryExpand', { body: group })).rejects.toMatchObject({ code: 'unknown_uri' });
  });
});
