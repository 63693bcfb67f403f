import assert from 'node:assert/strict';
import { until } from '../child.ts';
import { seenByProvider } from '../provider-view.ts';
import { promptTokens, type ModelRequest } from '../scripted-model.ts';
import type { Scenario } from '../suite.ts';

const nothing: ModelRequest = { messages: [] };

/** Turns, tools, and a daemon that goes and comes. */
export const conversation: readonly Scenario[] = [
  {
    name: 'H02, S01: several turns: each is stored, and the model gets what the trace says',
    run: async (suite) => {
      await suite.turn('turns', 'my favourite drink is tea', () => ({ text: 'noted: tea' }));
      const second = await suite.turn('turns', 'and my favourite food is bread', () => ({ text: 'noted: bread' }));
      await suite.assertModelGotTheTrace(second);
      const third = await suite.turn('turns', 'what do I drink?', () => ({ text: 'tea' }));
      assert.equal(third.answer, 'tea');
      await suite.assertModelGotTheTrace(third);
      assert.deepEqual(await suite.storedTexts(third.key), [
        'user: my favourite drink is tea',
        'assistant: noted: tea',
        'user: and my favourite food is bread',
        'assistant: noted: bread',
        'user: what do I drink?',
        'assistant: tea',
      ]);
    },
  },
  {
    name: 'S45: what the provider counted is kept with the call',
    run: async ({ daemon }) => {
      const session = await daemon.session('agent:main:turns');
      const usage = await until('usage', async () => {
        const calls = await daemon.calls(session.session_uid);
        return calls.find((call) => call.usage !== undefined)?.usage;
      });
      assert.ok(usage.prompt_tokens > 1_000);
    },
  },
  {
    name: 'a tool call: call and result are stored with the turn, and the model gets them back',
    run: async (suite) => {
      let asked = 0;
      const turn = await suite.turn('tools', 'please read a file', () => {
        asked += 1;
        return asked === 1 ? { tool: 'read', args: { path: 'AGENTS.md' } } : { text: 'read it' };
      });
      assert.equal(turn.answer, 'read it');
      assert.equal(turn.requests.length, 2);
      const session = await suite.daemon.session(turn.key);
      const turns = await suite.daemon.turns(session.session_uid);
      const roles = turns.map(({ turn: { role } }) => role);
      assert.deepEqual(roles, ['user', 'assistant', 'tool', 'assistant']);
      const next = await suite.turn('tools', 'and now?');
      await suite.assertModelGotTheTrace(next);
      const seen = seenByProvider(next.requests.at(-1) ?? nothing);
      assert.ok(seen.some(({ calls }) => calls.some((call) => call.startsWith('read '))));
    },
  },
  {
    name: 'S45: each call of a tool loop shows what the provider counted for its own prompt',
    run: async (suite) => {
      let asked = 0;
      const { key, requests } = await suite.turn('counted', 'please read two files', () => {
        asked += 1;
        return asked < 3 ? { tool: 'read', args: { path: 'AGENTS.md' } } : { text: 'read both' };
      });
      const { session_uid: uid } = await suite.daemon.session(key);
      const reported = await until('the three numbers', async () => {
        const usages = (await suite.daemon.calls(uid)).toReversed().map(({ usage }) => usage);
        const known = usages.filter((usage) => usage !== undefined && usage.sum_of_model_calls === undefined);
        return known.length === 3 ? known : undefined;
      });
      assert.deepEqual(
        reported.map((usage) => usage?.prompt_tokens),
        requests.map(promptTokens),
      );
      const newest = (await suite.daemon.calls(uid))[0];
      assert.equal(newest?.usage?.prompt_tokens, promptTokens(requests.at(-1) ?? nothing));
    },
  },
  {
    name: 'S13: a daemon that restarts in mid-conversation goes on where it was',
    run: async (suite) => {
      await suite.turn('restart', 'before the restart');
      await suite.daemon.stop();
      await suite.daemon.start();
      const turn = await suite.turn('restart', 'after the restart');
      await suite.assertModelGotTheTrace(turn);
      const texts = await suite.storedTexts(turn.key);
      const asked = texts.filter((text) => text.startsWith('user'));
      assert.deepEqual(asked, ['user: before the restart', 'user: after the restart']);
      assert.equal(texts.length, 4);
    },
  },
  {
    name: 'a daemon that is down for a turn: the host answers, the turn waits, and is delivered in order',
    run: async (suite) => {
      await suite.turn('down', 'one', () => ({ text: 'first' }));
      await suite.daemon.stop();
      const { answer, requests } = await suite.turn('down', 'two', () => ({ text: 'second' }));
      assert.equal(answer, 'second');
      // The host's own history was used: the model saw the turn before.
      assert.ok(seenByProvider(requests.at(-1) ?? nothing).some(({ text }) => text === 'first'));
      assert.ok(suite.spooled().length > 0, 'the turn waits in the spool');
      await suite.daemon.start();
      const { key } = await suite.turn('down', 'three', () => ({ text: 'third' }));
      assert.deepEqual(suite.spooled(), []);
      assert.deepEqual(await suite.storedTexts(key), [
        'user: one',
        'assistant: first',
        'user: two',
        'assistant: second',
        'user: three',
        'assistant: third',
      ]);
    },
  },
  {
    name: 'a provider that fails and recovers: the turn is stored once',
    run: async (suite) => {
      let asked = 0;
      const turn = await suite.turn('failing', 'are you there?', () => {
        asked += 1;
        return asked < 3 ? { status: 500 } : { text: 'now I am' };
      });
      assert.equal(turn.answer, 'now I am');
      const texts = await suite.storedTexts(turn.key);
      assert.deepEqual(
        texts.filter((text) => text.startsWith('user')),
        ['user: are you there?'],
      );
      assert.equal(texts.at(-1), 'assistant: now I am');
    },
  },
];
