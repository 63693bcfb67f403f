import assert from 'node:assert/strict';
import { until } from '../child.ts';
import { textOf, type ModelRequest } from '../scripted-model.ts';
import type { Scenario, Suite } from '../suite.ts';

/** Hosts before 2026.8 compact an overflow inside their session and never ask the engine. */
const byItself = ({ host }: Suite): string | undefined => (host.isOldest ? 'this host compacts by itself' : undefined);

/** Overflow, manual compaction, and the way back to the raw turns. */
export const compaction: readonly Scenario[] = [
  {
    name: 'S49: an overflow of the provider shrinks the context, and the turn completes',
    run: async (suite) => {
      for (let n = 1; n <= 6; n += 1) {
        const fact = `the value of parameter p${n} is ${n * 7}, measured at station ${n}. `.repeat(60);
        await suite.turn('overflow', `Fact ${n}: ${fact}`, () => ({ text: `noted fact ${n}` }));
      }
      let refused: ModelRequest | undefined;
      const turn = await suite.turn('overflow', 'which facts do you know?', (request) => {
        if ((request.tools ?? []).length === 0) return { text: '## Decisions\nnone' };
        if (refused !== undefined) return { text: 'six facts' };
        refused = request;
        return { overflow: 99_999 };
      });
      assert.equal(turn.answer, 'six facts');
      const size = (request: ModelRequest | undefined): number => JSON.stringify(request?.messages.slice(1)).length;
      const [before, after] = [size(refused), size(turn.requests.at(-1))];
      assert.ok(after < before * 0.8, `${after} characters are not clearly less than ${before}`);
      if (suite.host.isOldest) return;
      await suite.assertModelGotTheTrace(turn);
      const session = await suite.daemon.session(turn.key);
      const [checkpoint] = await suite.daemon.checkpoints(session.session_uid);
      assert.equal(checkpoint?.trigger, 'overflow');
      assert.ok(checkpoint.tokens_after < checkpoint.tokens_before);
    },
  },
  {
    name: 'S64: the model gets each summary once, also in the calls of a tool loop',
    skip: byItself,
    run: async (suite) => {
      let asked = 0;
      const turn = await suite.turn('overflow', 'read a file again', () => {
        asked += 1;
        return asked === 1 ? { tool: 'read', args: { path: 'AGENTS.md' } } : { text: 'read it' };
      });
      for (const request of turn.requests) {
        const messages = request.messages.filter(({ role }) => role !== 'system');
        const summaries = messages.filter((message) => textOf(message).includes('<strata-summary'));
        assert.equal(summaries.length, 1);
      }
      await suite.assertModelGotTheTrace(turn);
    },
  },
  {
    name: 'memory_expand: the model gets the turns behind a summary',
    skip: byItself,
    run: async (suite) => {
      const session = await suite.daemon.session('agent:main:overflow');
      const uri = (await suite.daemon.checkpoints(session.session_uid))[0]?.summary_uri;
      assert.ok(uri, 'the checkpoint has a summary');
      let asked = 0;
      let got = '';
      const { requests } = await suite.turn('overflow', 'what was fact 1 exactly?', (request) => {
        asked += 1;
        if (asked === 1) return { tool: 'memory_expand', args: { uri, query: 'parameter p1' } };
        const results = request.messages.filter(({ role }) => role === 'tool');
        got = results.map(textOf).join('\n');
        return { text: 'expanded' };
      });
      const tools = (requests[0]?.tools ?? []).map((tool) => tool.function?.name);
      assert.ok(tools.includes('memory_expand'), 'the tool is in the list of the model');
      assert.match(got, /parameter p1 is 7/);
    },
  },
  {
    name: 'S53: sessions compact works while the model does not',
    skip: byItself,
    run: async (suite) => {
      for (let n = 1; n <= 4; n += 1) {
        const text = `Remember number ${n}: ${'some words about it. '.repeat(80)}`;
        await suite.turn('compact', text, () => ({ text: `yes ${n}` }));
      }
      suite.model.script = () => ({ status: 500 });
      const outcome = await suite.host.compactSession('agent:main:compact');
      suite.model.script = () => undefined;
      assert.equal(outcome.code, 0, outcome.output);
      const session = await suite.daemon.session('agent:main:compact');
      const [checkpoint] = await suite.daemon.checkpoints(session.session_uid);
      assert.equal(checkpoint?.trigger, 'manual');
      const next = await suite.turn('compact', 'which numbers?');
      await suite.assertModelGotTheTrace(next);
      assert.ok(JSON.stringify(next.requests.at(-1)).includes('strata-summary'));
    },
  },
  {
    name: 'S53: /compact keep the ids, typed into a chat, makes a checkpoint that keeps them',
    skip: byItself,
    run: async (suite) => {
      const ids = ['ORD-48213', 'ORD-77120', '3f2b8c1e-9d47-4a60-b1c5-7e8f90a1b2c3'];
      for (const [n, id] of ids.entries()) {
        const text = `Order ${n} has the id ${id}. ${'It was packed, weighed and sent on its way. '.repeat(60)}`;
        await suite.turn('chat-compact', text, () => ({ text: `noted order ${n}` }));
      }
      await suite.turn('chat-compact', 'and the weather?', () => ({ text: 'fine' }));
      const asked = suite.model.requests.length;
      await suite.host.chat('agent:main:chat-compact', '/compact keep the ids of all orders');
      const session = await suite.daemon.session('agent:main:chat-compact');
      const checkpoint = await until('the checkpoint', async () => {
        return (await suite.daemon.checkpoints(session.session_uid))[0];
      });
      // Helpers of the host may ask the model meanwhile; the agent, which has tools, may not.
      const byAgent = suite.model.requests.slice(asked).filter(({ tools }) => (tools ?? []).length > 0);
      assert.equal(byAgent.length, 0, 'the command is no message to the model');
      assert.equal(checkpoint.trigger, 'manual');
      assert.ok(checkpoint.tokens_after < checkpoint.tokens_before);
      for (const id of ids) assert.ok(checkpoint.identifiers_kept.includes(id), `${id} is kept`);
      const next = await suite.turn('chat-compact', 'which orders were there?');
      await suite.assertModelGotTheTrace(next);
      const sent =
        next.requests
          .at(-1)
          ?.messages.filter(({ role }) => role !== 'system')
          .map(textOf) ?? [];
      const summary = sent.find((text) => text.includes('<strata-summary')) ?? '';
      for (const id of ids) assert.ok(summary.includes(id), `the model is told ${id}`);
    },
  },
];
