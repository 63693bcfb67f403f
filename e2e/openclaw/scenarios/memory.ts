import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../child.ts';
import { recalled, sentText } from '../recalled.ts';
import { textOf } from '../scripted-model.ts';
import type { Scenario, Suite } from '../suite.ts';

/** Hosts before 2026.8 compact by themselves. */
const byItself = ({ host }: Suite): string | undefined => (host.isOldest ? 'this host compacts by itself' : undefined);

const filler = 'We went through the list of open points once more, and nothing in it was new to anybody. ';

/** Acceptance scenarios of memory (spec §13): a real host, a scripted model, a real daemon. */
export const memory: readonly Scenario[] = [
  {
    name: 'acceptance 2: what the user asks to remember is a page at once',
    run: async (suite) => {
      await suite.turn('memory', 'Remember that I prefer the dark theme in every editor.', () => ({ text: 'I will.' }));
      const page = await until('the page', () => Promise.resolve(pageAbout(suite, /dark theme/i)));
      assert.match(page, /kind: preference/);
    },
  },
  {
    name: 'acceptance 4: a later session is told of it by the engine, as a tool call with its result',
    run: async (suite) => {
      const turn = await recalled(suite, 'later', 'Which theme do I prefer in editors?', /dark theme/i);
      await suite.assertModelGotTheTrace(turn);
      const stored = await suite.storedTexts(turn.key);
      assert.ok(!stored.join('\n').includes('dark theme'), 'what was recalled is not captured');
    },
  },
  {
    name: 'memory_store by a tool call of the model: on disk when it is answered',
    run: async (suite) => {
      let asked = 0;
      let answer = '';
      await suite.turn('memory', 'Keep in mind where the database runs', (request) => {
        asked += 1;
        if (asked === 1) {
          return { tool: 'memory_store', args: { text: 'The staging database runs on host atlas-7.', kind: 'entity' } };
        }
        answer = textOf(request.messages.findLast(({ role }) => role === 'tool') ?? { role: 'tool' });
        return { text: 'done' };
      });
      assert.ok(pageAbout(suite, /atlas-7/), `There is no page about it; the tool answered: ${answer}`);
      assert.match(answer, /strata:\/\//);
    },
  },
  {
    name: 'H53: a group chat sees no private memory',
    run: async (suite) => {
      const turn = await suite.turn('telegram:group:-100', 'Which theme do I prefer in editors?');
      assert.ok(!sentText(turn.requests).includes('dark theme'));
    },
  },
  {
    name: 'acceptance 2: a decision made in passing becomes a page when it leaves the window, and says where it is from',
    skip: byItself,
    run: async (suite) => {
      await suite.turn('decisions', 'We decided to use PostgreSQL 17 for the billing service.', () => ({
        text: 'Noted.',
      }));
      const tips = `Tips for the database: slow queries are found with pg_stat_statements. ${filler.repeat(30)}`;
      await suite.turn('decisions', tips, () => ({ text: 'Good tip.' }));
      for (let n = 1; n <= 3; n += 1) {
        await suite.turn('decisions', `${filler.repeat(60)} Round ${n}.`, () => ({ text: `Round ${n} is done.` }));
      }
      assert.equal(pageAbout(suite, /PostgreSQL 17/), undefined, 'nobody asked to remember it');
      const compacted = await suite.host.compactSession('agent:main:decisions');
      assert.equal(compacted.code, 0, compacted.output);
      const { session_uid: uid } = await suite.daemon.session('agent:main:decisions');
      await until('a checkpoint', async () => (await suite.daemon.checkpoints(uid))[0]);
      const page = await until('the page', () => Promise.resolve(pageAbout(suite, /PostgreSQL 17/)));
      assert.match(page, new RegExp(`strata://[^\\s]*${uid}/turn/1\\b`), 'the page names the turn it is from');
      assert.equal(pageAbout(suite, /nothing in it was new/), undefined, 'small talk makes no page');
    },
  },
  {
    name: 'acceptance 1: what was decided in a compacted session is known in a later one, also after a restart',
    skip: byItself,
    run: async (suite) => {
      await suite.daemon.restart({});
      await recalled(suite, 'next-week', 'What did we decide about the billing service database?', /PostgreSQL 17/);
      await recalled(suite, 'next-week', 'Which of the database tips was about slow queries?', /pg_stat_statements/);
    },
  },
];

function pageAbout(suite: Suite, subject: RegExp): string | undefined {
  return pages(suite).find((text) => subject.test(text));
}

/** Texts of all memory pages on disk. */
function pages({ daemon }: Suite): string[] {
  const root = join(daemon.dataDir, 'workspace', 'memories');
  if (!existsSync(root)) return [];
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(root, name), 'utf8'));
}
