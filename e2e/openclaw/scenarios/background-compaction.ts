import assert from 'node:assert/strict';
import type { CheckpointRecord } from '../../../src-shared/model/checkpoint.ts';
import { until } from '../child.ts';
import { textOf, type ModelRequest, type ModelStep } from '../scripted-model.ts';
import type { Scenario, Suite } from '../suite.ts';

/** Hosts before 2026.8 give the engine no model and no time for upkeep after a turn. */
const withoutUpkeep = ({ host }: Suite): string | undefined =>
  host.isCurrent ? undefined : 'this host does not offer its model after a turn';

const never = { budget_share: 0, tokens_added: 0, turns: 0, interval_minutes: 0 };

/** A summary as a model writes it; the rest of the prompt is not looked at. */
function summaryOf(facts: readonly string[]): string {
  const lines = facts.map((fact) => `- ${fact}`).join('\n');
  return [
    '## Abstract',
    'Stations were measured and a database was tuned.',
    '## Decisions',
    lines,
    '## Open tasks',
    '- none',
    '## Constraints and standing rules',
    '- none',
    '## Pending requests',
    '- none',
    '## Exact identifiers',
    '## What happened',
    '- The user told facts about stations, parameters and the database, and the assistant noted them.',
  ].join('\n');
}

/** Whoever asks without tools wants a summary; the agent's own questions have tools. */
const isSummaryRequest = (request: ModelRequest): boolean => (request.tools ?? []).length === 0;

const written =
  (facts: readonly string[]) =>
  (request: ModelRequest): ModelStep | undefined =>
    isSummaryRequest(request) ? { text: summaryOf(facts) } : { text: 'noted' };

async function checkpointOf(suite: Suite, name: string): Promise<CheckpointRecord> {
  return until(
    'a checkpoint',
    async () => {
      const session = await suite.daemon.session(`agent:main:${name}`);
      return (await suite.daemon.checkpoints(session.session_uid))[0];
    },
    60_000,
  );
}

/** Six turns of some size, the same for each trigger. */
async function talk(suite: Suite, name: string, turns: number): Promise<void> {
  for (let n = 1; n <= turns; n += 1) {
    const text = `Station ${n} measured ${n * 7} at probe PRB-${1_000 + n}. ${'It was a calm day. '.repeat(40)}`;
    await suite.turn(name, text, () => ({ text: `noted station ${n}` }));
  }
}

/** Each trigger, the session's own model as the writer, and what a model can still answer after it. */
export const backgroundCompaction: readonly Scenario[] = [
  ...(
    [
      ['turns', { turns: 5 }],
      ['tokens_added', { tokens_added: 800 }],
      ['budget', { budget_share: 0.025 }],
      ['interval', { interval_minutes: 0.01 }],
    ] as const
  ).map(([trigger, settings]): Scenario => ({
    name: `background compaction by the trigger ${trigger}: no turn waits for it, and the next call has the summary`,
    skip: withoutUpkeep,
    run: async (suite) => {
      const name = `trigger-${trigger}`;
      await suite.daemon.restart({ compaction: { summariser: 'extractive', triggers: { ...never, ...settings } } });
      await talk(suite, name, 8);
      const checkpoint = await checkpointOf(suite, name);
      assert.equal(checkpoint.trigger, trigger);
      assert.equal(checkpoint.summariser, 'extractive');
      assert.ok(checkpoint.tokens_after < checkpoint.tokens_before);
      await suite.daemon.restart({ compaction: { triggers: never } });
      const next = await suite.turn(name, 'which stations were measured?', () => ({ text: 'eight' }));
      await suite.assertModelGotTheTrace(next);
      assert.ok(JSON.stringify(next.requests.at(-1)).includes('strata-summary'));
    },
  })),
  {
    name: 'S88: the session’s own model writes the summary of a compaction in the background',
    skip: withoutUpkeep,
    run: async (suite) => {
      await suite.daemon.restart({ compaction: { triggers: { ...never, turns: 6 }, host_wait_seconds: 300 } });
      const facts = ['The measured value of station 1 is 7 at PRB-1001', 'Stations are measured on calm days'];
      for (let n = 1; n <= 8; n += 1) {
        const text = `Station ${n} measured ${n * 7} at probe PRB-${1_000 + n}. ${'It was a calm day. '.repeat(40)}`;
        await suite.turn('host-summary', text, written(facts));
        suite.model.script = written(facts);
      }
      const checkpoint = await checkpointOf(suite, 'host-summary');
      suite.model.script = () => undefined;
      assert.equal(checkpoint.summariser, 'host', JSON.stringify(checkpoint.fallback));
      assert.equal(checkpoint.fallback, undefined);
      assert.ok(checkpoint.model);
      assert.match(checkpoint.prompt_version ?? '', /^compaction@/);
      assert.ok(checkpoint.overview.includes('Stations are measured on calm days'));
      assert.ok(checkpoint.identifiers_kept.includes('PRB-1002'), 'identifiers that the model left out are put back');
      await suite.daemon.restart({ compaction: { triggers: never } });
      const next = await suite.turn('host-summary', 'what do you know of station 1?');
      await suite.assertModelGotTheTrace(next);
    },
  },
  {
    name: 'H34: a model that writes nonsense is asked once more, then the summary is written without it',
    skip: withoutUpkeep,
    run: async (suite) => {
      await suite.daemon.restart({ compaction: { triggers: never } });
      await talk(suite, 'nonsense', 6);
      let asked = 0;
      suite.model.script = (request) => {
        if (!isSummaryRequest(request)) return undefined;
        asked += 1;
        return { text: asked === 1 ? '' : 'I cannot do that.' };
      };
      const outcome = await suite.host.compactSession('agent:main:nonsense');
      suite.model.script = () => undefined;
      assert.equal(outcome.code, 0, outcome.output);
      const checkpoint = await checkpointOf(suite, 'nonsense');
      assert.equal(checkpoint.summariser, 'extractive');
      assert.equal(checkpoint.fallback?.from, 'host');
      assert.ok(asked >= 2, `asked ${asked} times`);
    },
  },
  {
    name: 'Acceptance 1: after a compaction and a restart of both, the model can still say what was decided, and which tip it was',
    skip: withoutUpkeep,
    run: async (suite) => {
      const tips = [
        'Database tip A: add an index on orders(created_at) for slow queries.',
        'Database tip B: run VACUUM at night to keep the file small.',
        'Database tip C: use WAL so that readers do not wait.',
      ];
      const decision = 'We decided to use port 7717 for the billing service.';
      for (const text of [decision, ...tips]) {
        await suite.turn('continuity', `${text} ${'Please keep that in mind. '.repeat(30)}`, () => ({ text: 'noted' }));
      }
      for (let n = 1; n <= 6; n += 1) {
        await suite.turn('continuity', `Small talk ${n}: ${'how is the weather over there. '.repeat(40)}`);
      }
      const compacted = await suite.host.compactSession('agent:main:continuity');
      assert.equal(compacted.code, 0, compacted.output);
      await suite.host.stopGateway();
      await suite.daemon.restart({ compaction: { triggers: never } });
      await suite.host.startGateway();
      const answers: string[] = [];
      for (const [question, wanted] of [
        ['What did we decide about the billing service last week?', /port 7717/],
        ['Which of the database tips was about slow queries?', /tip A/],
      ] as const) {
        const turn = await suite.turn('continuity', question, (request) => {
          const known = request.messages
            .filter(({ role }) => role !== 'system')
            .map(textOf)
            .join('\n');
          return { text: known.split('\n').find((line) => wanted.test(line)) ?? 'I do not know.' };
        });
        answers.push(turn.answer);
      }
      assert.match(answers[0] ?? '', /port 7717/);
      assert.match(answers[1] ?? '', /index on orders\(created_at\)/);
    },
  },
  {
    name: 'Acceptance 3: the model answers from a summary, then reads the exact turns behind it with memory_expand',
    skip: withoutUpkeep,
    run: async (suite) => {
      await suite.daemon.restart({ compaction: { triggers: never } });
      const exact = 'Deploy command: npm run deploy -- --target eu-west-3 --build 4f2a91c --canary 15%';
      await suite.turn('drill', `${exact}. ${'Remember it well. '.repeat(60)}`, () => ({ text: 'noted' }));
      await talk(suite, 'drill', 8);
      const compacted = await suite.host.compactSession('agent:main:drill');
      assert.equal(compacted.code, 0, compacted.output);
      const checkpoint = await checkpointOf(suite, 'drill');
      let step = 0;
      let read = '';
      const turn = await suite.turn('drill', 'what exactly was the deploy command?', (request) => {
        step += 1;
        const texts = request.messages.filter(({ role }) => role !== 'system').map(textOf);
        const summary = texts.find((text) => text.includes('<strata-summary')) ?? '';
        const uri = /uri="([^"]+)"/.exec(summary)?.[1];
        if (step === 1) return { tool: 'memory_expand', args: { uri, query: 'deploy command' } };
        read = request.messages
          .filter(({ role }) => role === 'tool')
          .map(textOf)
          .join('\n');
        return { text: /npm run deploy[^\n"]*15%/.exec(read)?.[0] ?? 'not found' };
      });
      assert.equal(turn.answer, 'npm run deploy -- --target eu-west-3 --build 4f2a91c --canary 15%');
      assert.ok(read.includes(`/turn/`), 'the answer names turns that can be read whole');
      assert.equal(checkpoint.state, 'stands');
    },
  },
];
