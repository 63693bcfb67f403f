import assert from 'node:assert/strict';
import { until } from '../child.ts';
import { seenByProvider } from '../provider-view.ts';
import { recalled, sentText } from '../recalled.ts';
import type { ModelRequest, ModelStep } from '../scripted-model.ts';
import type { Scenario } from '../suite.ts';

/** Resets, sub-agents, restarts of the host. */
export const lifeCycle: readonly Scenario[] = [
  {
    name: 'H20: nothing from before a reset reaches the model',
    run: async (suite) => {
      const key = 'agent:main:reset';
      await suite.turn('reset', 'the password is PINEAPPLE-77', () => ({ text: 'I will remember PINEAPPLE-77' }));
      await suite.turn('reset', 'repeat it', () => ({ text: 'PINEAPPLE-77' }));
      if (!suite.host.isOldest) await suite.host.compactSession(key);
      await suite.host.rpc('sessions.reset', { key });
      const turn = await suite.turn('reset', 'what is the password?', () => ({ text: 'I do not know' }));
      for (const request of turn.requests) assert.ok(!JSON.stringify(request.messages).includes('PINEAPPLE'));
      await suite.turn('reset', 'and now?', () => ({ text: 'still not' }));
      const newest = (await suite.daemon.sessions()).find(({ session_key: other }) => other === key);
      assert.ok(newest);
      const turns = await suite.daemon.turns(newest.session_uid, newest.epoch);
      assert.ok(turns.length >= 4 && !JSON.stringify(turns).includes('PINEAPPLE'), 'the log has the reset as well');
    },
  },
  {
    name: 'H03: a sub-agent has a session of its own, and its announcement, which is never committed, is taken in later',
    skip: ({ host }) => (host.install.version < '2026.9' ? 'sub-agents announce themselves in other ways' : undefined),
    run: async (suite) => {
      const { daemon, model } = suite;
      let spawned = false;
      suite.keys.add('agent:main:parent');
      const start = model.requests.length;
      model.script = (request) => {
        const text = JSON.stringify(request.messages);
        if (text.includes('[Subagent')) return { text: 'child says hi' };
        if (spawned || !text.includes('start a helper')) return { text: 'done' };
        spawned = true;
        return spawnStep(request);
      };
      await suite.host.turn('agent:main:parent', 'please start a helper');
      const child = await until('the end of the sub-agent', async () => {
        const session = (await daemon.sessions()).find(({ session_key: key }) => key.includes(':subagent:'));
        return session !== undefined && session.turn_count >= 2 && session.ended !== undefined ? session : undefined;
      });
      assert.equal(child.parent_session_key, 'agent:main:parent');
      await until('the announcement', () => {
        const seen = model.requests
          .slice(start)
          .some(({ messages }) => JSON.stringify(messages).includes('Inter-session'));
        return Promise.resolve(seen || undefined);
      });
      // The announcement is a turn without a commit: the next turn's bootstrap takes it in.
      await until('the rest of the announcement', async () => {
        const transcript = (await suite.transcripts(['agent:main:parent'])).get('agent:main:parent');
        return (transcript?.length ?? 0) >= 5 ? true : undefined;
      });
      await suite.turn('parent', 'thanks');
    },
  },
  {
    name: 'H19, acceptance 4: a host that bypasses the engine is noticed, and gets a recall before the prompt',
    run: async (suite) => {
      const { host, daemon } = suite;
      await host.stopGateway();
      const before = host.config;
      const { plugins } = before as { plugins: { slots: Record<string, string> } };
      host.config = { ...before, plugins: { ...plugins, slots: { ...plugins.slots, contextEngine: 'legacy' } } };
      await host.startGateway();
      const turn = await suite.turn('bypassed', 'Which theme do I prefer in editors?').finally(() => {
        // Nobody captured it.
        suite.keys.delete('agent:main:bypassed');
        // Not before: a running host takes its configuration in anew when the file changes.
        host.config = before;
      });
      const health = await until('the alarm', async () => {
        const now = await daemon.health();
        return now.host.link === 'bypassed' ? now : undefined;
      });
      assert.ok(health.alarms.some(({ code }) => code === 'engine_bypassed'));
      assert.match(sentText(turn.requests), /dark theme/i);
      assert.ok(!sentText(turn.requests).includes('memory_recall_auto'));
    },
  },
  {
    name: 'acceptance 4: a gateway that restarts, with the engine again: the conversation goes on, and there is one recall',
    run: async (suite) => {
      await suite.host.stopGateway();
      await suite.host.startGateway();
      await recalled(suite, 'with-engine', 'Which theme do I prefer in editors?', /dark theme/i);
      const turn = await suite.turn('turns', 'and what do I eat?', () => ({ text: 'bread' }));
      await suite.assertModelGotTheTrace(turn);
      assert.equal((await suite.storedTexts(turn.key)).length, 8);
      const seen = seenByProvider(turn.requests.at(-1) ?? { messages: [] });
      assert.ok(seen.some(({ text }) => text === 'noted: tea'));
    },
  },
];

function spawnStep({ tools }: ModelRequest): ModelStep {
  const args = { task: 'say hi' };
  const direct = (tools ?? []).some((tool) => tool.function?.name === 'sessions_spawn');
  return direct ? { tool: 'sessions_spawn', args } : { tool: 'tool_call', args: { id: 'sessions_spawn', args } };
}
