import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf, type ModelMessage, type ModelRequest } from '../scripted-model.ts';
import type { Scenario } from '../suite.ts';

const needle = 'the access code of the vault is 7Q-4471';
/** The host's own tools page to 16,000 characters with this model's window; the suite calls 12,000 of them large. */
const lines = Array.from({ length: 1_100 }, (_, at) => (at === 300 ? needle : `entry ${at}: nothing of note today`));

const results = (request: ModelRequest | undefined): ModelMessage[] =>
  (request?.messages ?? []).filter(({ role }) => role === 'tool');

/** Tool results that are larger than what the host writes down. */
export const largeResults: readonly Scenario[] = [
  {
    name: 'S66: a large result is kept whole, a synopsis is written, and memory_expand finds what only the whole says',
    run: async (suite) => {
      const workspace = join(suite.host.home, '.openclaw', 'workspace');
      mkdirSync(workspace, { recursive: true });
      writeFileSync(join(workspace, 'journal.txt'), lines.join('\n'));
      let asked = 0;
      const turn = await suite.turn('large', 'read the journal', () => {
        asked += 1;
        return asked === 1 ? { tool: 'read', args: { path: 'journal.txt' } } : { text: 'read it' };
      });
      assert.equal(turn.answer, 'read it');
      const shown = textOf(results(turn.requests[1]).at(-1));
      assert.ok(shown.includes(needle), 'in the run of the call the model sees the result as the tool gave it');
      const { session_uid: uid } = await suite.daemon.session(turn.key);
      const [stored] = (await suite.daemon.turns(uid)).filter(({ turn: { role } }) => role === 'tool');
      const stub = JSON.stringify(stored?.turn.parts);
      const uri = /strata:\/\/tool-result\/[0-9a-f]{64}/.exec(stub)?.[0];
      assert.ok(uri, `the log has a synopsis: ${stub.slice(0, 300)}`);
      assert.ok(!stub.includes(needle));
      assert.deepEqual(suite.spooled(), []);
      const written = JSON.stringify((await suite.transcripts([turn.key])).get(turn.key));
      assert.ok(written.includes(uri) && !written.includes(needle), 'the transcript has the synopsis');

      let found = '';
      asked = 0;
      const next = await suite.turn('large', 'what is the access code?', (request) => {
        asked += 1;
        if (asked === 1) return { tool: 'memory_expand', args: { uri, query: 'access code vault' } };
        found = textOf(results(request).at(-1));
        return { text: 'found it' };
      });
      assert.ok(
        results(next.requests[0]).some((message) => textOf(message).includes(uri)),
        'the model sees the synopsis',
      );
      assert.ok(found.includes(needle), `memory_expand answered ${found.slice(0, 300)}`);
    },
  },
];
