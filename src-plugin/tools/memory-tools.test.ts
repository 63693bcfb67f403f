import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HostTool } from '../host-types.ts';
import { forgetSharedState } from '../testing/forget-shared-state.ts';
import { ScriptedDaemon } from '../testing/scripted-daemon.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';

let daemon: ScriptedDaemon;
let host: ScriptedHost;

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
  host = new ScriptedHost();
  host.toolContext = { sessionKey: 'agent:main:main', sessionId: 's1' };
});

afterEach(async () => {
  expect(daemon.complaints).toEqual([]);
  await daemon.remove();
});

function tool(name: string, config: Record<string, unknown> = {}): HostTool {
  host.register({ dataDir: daemon.dataDir, ...config });
  const found = host.tools.findLast((candidate) => candidate.name === name);
  if (found === undefined) throw new Error(`There is no tool ${name}`);
  return found;
}

/** What the daemon was asked for the tool; it answers with `reply`. */
function asked(name: string, reply: unknown = { text: 'answered' }): Record<string, unknown>[] {
  const bodies: Record<string, unknown>[] = [];
  daemon.script(`/v1/tools/${name}`, (body) => {
    bodies.push(body);
    return { reply };
  });
  return bodies;
}

const who = { session_id: 's1', session_key: 'agent:main:main', agent_id: 'main' };

describe('the tools of memory', () => {
  it('each stands under its own name in the model’s list', () => {
    for (const name of ['memory_recall', 'memory_store', 'memory_forget', 'memory_expand']) {
      expect(tool(name)).toMatchObject({ name, catalogMode: 'direct-only' });
    }
  });

  it('memory_recall: the daemon is told who asks, and the model reads its text', async () => {
    const bodies = asked('memory_recall', { text: 'The theme is dark.', result: { candidates: [] } });
    const result = await tool('memory_recall').execute('c', { query: ' theme? ', kinds: 'preference, event' });
    expect(result.content).toEqual([{ type: 'text', text: 'The theme is dark.' }]);
    expect(bodies).toEqual([{ ...who, query: 'theme?', kinds: ['preference', 'event'] }]);
  });

  it('S66: memory_recall takes recallLimit where the model names no limit, and keeps its own within bounds', async () => {
    const bodies = asked('memory_recall');
    await tool('memory_recall', { recallLimit: 4 }).execute('c', { query: 'theme' });
    await tool('memory_recall', { recallLimit: 4 }).execute('c', { query: 'theme', limit: 900, max_tokens: 1 });
    expect(bodies.map(({ limit }) => limit)).toEqual([4, 50]);
    expect(bodies[1]?.['max_tokens']).toBe(50);
  });

  it('memory_recall still searches where autoRecall is off', async () => {
    const bodies = asked('memory_recall');
    await tool('memory_recall', { autoRecall: false }).execute('c', { query: 'theme' });
    expect(bodies).toHaveLength(1);
  });

  it('memory_store passes on what was said, and leaves out what the model left empty', async () => {
    const bodies = asked('memory_store', { text: 'Stored: …', stored: [], operations: [] });
    const store = tool('memory_store');
    await store.execute('c', { text: 'I prefer tea.', kind: '', title: ' Tea ', tags: ['drink', ''] });
    expect(bodies).toEqual([{ ...who, text: 'I prefer tea.', title: 'Tea', tags: ['drink'] }]);
  });

  it('memory_forget takes a uri or words', async () => {
    const bodies = asked('memory_forget');
    const forget = tool('memory_forget');
    await forget.execute('c', { uri: 'strata://user/default/memories/preferences/tea', reason: 'wrong' });
    await forget.execute('c', { query: 'tea' });
    expect(bodies).toEqual([
      { ...who, uri: 'strata://user/default/memories/preferences/tea', reason: 'wrong' },
      { ...who, query: 'tea' },
    ]);
  });

  it.each([
    ['memory_recall', {}, 'needs query'],
    ['memory_store', { text: '  ' }, 'needs text'],
    ['memory_forget', { reason: 'wrong' }, 'needs uri or query'],
    ['memory_store', null, 'needs text'],
  ])('%s with %j says what it needs and asks nobody', async (name, params, message) => {
    const bodies = asked(name);
    await expect(tool(name).execute('c', params)).rejects.toThrow(message);
    expect(bodies).toEqual([]);
  });

  it('a session that the host names only by its key is known by its start', async () => {
    host.toolContext = { sessionKey: 'agent:ops:main' };
    const bodies = asked('memory_recall');
    const recall = tool('memory_recall');
    await host.fire('session_start', { sessionId: 's9', sessionKey: 'agent:ops:main' });
    await recall.execute('c', { query: 'theme' });
    expect(bodies).toMatchObject([{ session_id: 's9', agent_id: 'ops', session_key: 'agent:ops:main' }]);
  });

  it('S69: a failure is told as one: nothing was changed, or memory was not searched', async () => {
    daemon.script('/v1/tools/memory_store', () => ({ error: 'memory_refused' }));
    daemon.script('/v1/tools/memory_recall', () => ({ error: 'internal' }));
    await expect(tool('memory_store').execute('c', { text: 'I prefer tea.' })).rejects.toThrow('Nothing was changed');
    await expect(tool('memory_recall').execute('c', { query: 'tea' })).rejects.toThrow('was not searched');
  });

  it('S69: a daemon that is away changes nothing, and the model is told so', async () => {
    const store = tool('memory_store');
    await daemon.down();
    await expect(store.execute('c', { text: 'I prefer tea.' })).rejects.toThrow('Nothing was changed');
  });
});
