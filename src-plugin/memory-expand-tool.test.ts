import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { forgetSharedState } from './testing/forget-shared-state.ts';
import { ScriptedDaemon } from './testing/scripted-daemon.ts';
import { ScriptedHost } from './testing/scripted-host.ts';
import type { HostTool } from './host-types.ts';

let daemon: ScriptedDaemon;
let host: ScriptedHost;

beforeEach(async () => {
  forgetSharedState();
  daemon = await ScriptedDaemon.start();
  host = new ScriptedHost();
});

afterEach(() => daemon.remove());

function tool(config: Record<string, unknown> = {}): HostTool {
  host.register({ dataDir: daemon.dataDir, ...config });
  const found = host.tools.findLast(({ name }) => name === 'memory_expand');
  if (found === undefined) throw new Error('No tool was registered');
  return found;
}

describe('memory_expand', () => {
  it('stays in the model’s own list of tools', () => {
    expect(tool()).toMatchObject({ name: 'memory_expand', catalogMode: 'direct-only' });
  });

  it('asks the daemon and hands its answer to the model', async () => {
    daemon.script('/v1/tools/memory_expand', (body) => ({ reply: { archive_uri: body['uri'], turns: [], total: 0 } }));
    const result = await tool().execute('call', { uri: 'strata://x', query: 'tea', limit: 3, from_sequence: 7 });
    expect(result.content).toEqual([{ type: 'text', text: '{"archive_uri":"strata://x","turns":[],"total":0}' }]);
  });

  it('S66: passes on range, cursor and size, and takes what a model leaves empty as left out', async () => {
    const bodies: unknown[] = [];
    daemon.script('/v1/tools/memory_expand', (body) => {
      bodies.push(body);
      return { reply: {} };
    });
    const all = { uri: ' strata://x ', range: 'lines 1-20', cursor: 'c', max_tokens: 500 };
    await tool().execute('call', { ...all, query: ' ', from_sequence: 0, limit: 1_000 });
    expect(bodies).toEqual([{ ...all, uri: 'strata://x', limit: 100 }]);
    await expect(tool().execute('call', { uri: 'u', range: '1-20' })).rejects.toThrow('"lines 10-80"');
    expect(daemon.complaints).toEqual([]);
  });

  it('asks only after what waits for the daemon is delivered: the whole may be among it', async () => {
    const order: string[] = [];
    daemon.script('/v1/tools/memory_expand', () => {
      order.push('expand');
      return { reply: {} };
    });
    daemon.script('/v1/tool-result', () => {
      order.push('result');
      return { reply: { externalised: true, uri: 'strata://tool-result/x' } };
    });
    await daemon.down();
    host.register({ dataDir: daemon.dataDir });
    const content = [{ type: 'text', text: 'row\n'.repeat(9_000) }];
    const message = { role: 'toolResult', toolCallId: 'c', toolName: 'read', content };
    await host.fire('tool_result_persist', { message }, { sessionKey: 'agent:main:main' });
    await daemon.up();
    await tool().execute('call', { uri: 'u' });
    expect(order).toEqual(['result', 'expand']);
  });

  it('S66: takes memoryExpandMaxResults where the model names no limit', async () => {
    const limits: unknown[] = [];
    daemon.script('/v1/tools/memory_expand', (body) => {
      limits.push(body['limit']);
      return { reply: {} };
    });
    await tool().execute('call', { uri: 'u' });
    await tool({ memoryExpandMaxResults: 2 }).execute('call', { uri: 'u' });
    await tool().execute('call', { uri: 'u', limit: 4 });
    expect(limits).toEqual([6, 2, 4]);
  });

  it('throws what went wrong, as the host expects of tools', async () => {
    daemon.script('/v1/tools/memory_expand', () => ({ error: 'unknown_uri' }));
    await expect(tool().execute('call', { uri: 'u' })).rejects.toThrow('unknown_uri');
    await expect(tool().execute('call', { query: 'x' })).rejects.toThrow('needs uri');
    await expect(tool().execute('call', undefined)).rejects.toThrow('needs uri');
  });
});

describe('/strata', () => {
  it('says that the daemon is not reachable, and why', async () => {
    await daemon.down();
    host.register({ dataDir: daemon.dataDir });
    const text = (await host.commands.at(-1)?.handler({}))?.text;
    expect(text).toContain('Daemon: not reachable');
    expect(text).toContain('Spool: empty');
  });

  it('shows daemon, link, alarms and the last model call', async () => {
    daemon.script('/health', () => ({
      reply: {
        ready: true,
        version: '1.2.3',
        host: { link: 'bypassed' },
        alarms: [{ message: 'Bypassed.', remedy: 'Select it.' }],
      },
    }));
    host.register({ dataDir: daemon.dataDir });
    await (await host.engine()).assemble({ sessionId: 's', sessionKey: 'k', messages: [], tokenBudget: 100 });
    const text = (await host.commands.at(-1)?.handler({ sessionKey: 'k' }))?.text;
    expect(text).toContain('version 1.2.3, ready, link bypassed');
    expect(text).toContain('Alarm: Bypassed. Select it.');
    expect(text).toContain('Last model call: 10 of 100 tokens (call-1)');
  });
});
