import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { cliAt } from '../testing/cli-at.ts';

let dataDir = '';
let host: Host;

const cli = cliAt(() => dataDir);

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'strata-cli-checkpoints-'));
  const triggers = '{budget_share: 0, tokens_added: 0, turns: 0, interval_minutes: 0}';
  await writeFile(join(dataDir, 'config.yaml'), `compaction:\n  summariser: extractive\n  triggers: ${triggers}\n`);
  host = await startHost({ dataDir, port: 0, mode: 'headless', version: productVersion });
  const messages = Array.from({ length: 40 }, (_, index) => ({
    role: index % 2 === 0 ? 'user' : 'assistant',
    content:
      `We decided that service ${index} listens on port ${4_000 + index} and is described in docs/service-${index}.md. `.repeat(
        4,
      ),
  }));
  await host.api.commitTurn({
    params: {},
    query: {},
    body: {
      session_id: 's1',
      session_key: 'agent:main:main',
      agent_id: 'main',
      advancement_key: 'k',
      format: 'openai',
      messages,
    },
  });
});
afterAll(async () => {
  await host.close();
  await rm(dataDir, { recursive: true, force: true });
});

it('checkpoints lists them, shows one, dissolves it, gives it back and has it written anew', async () => {
  expect((await cli('checkpoints', 's1')).out).toContain('This session was not compacted yet.');
  expect((await cli('compact', 's1')).out).toMatch(/^Compacted: [\d,.]+ → [\d,.]+ tokens/);
  const list = await cli('checkpoints', 's1');
  expect(list.out).toMatch(
    /^CHECKPOINT +STATE +LEVEL +TURNS +TRIGGER +TOKENS +LOST +BY +MADE\nckpt_\S+ +stands +0 +1–\d+/,
  );
  const { items } = JSON.parse((await cli('checkpoints', 's1', '--json')).out);
  const [{ checkpoint_id: id }] = items;
  const shown = await cli('checkpoints', 'show', id);
  expect(shown.out).toContain('## Decisions');
  const { summary_uri: uri, source_turn_range: range } = items[0];
  expect(shown.out).toContain(`\nURI: ${uri}\n`);
  expect(shown.out).toMatch(/\nSession: sess_\S+\n/);
  expect(shown.out).toMatch(/\nTurns that it does not speak of: (none|\d)/);
  const expanded = await cli('expand', id, '--limit', '100');
  expect([expanded.code, expanded.out]).toEqual([0, (await cli('expand', uri, '--limit', '100')).out]);
  expect(expanded.out).toContain(`turn ${range.start_sequence}`);
  expect(shown.out).toMatch(/Identifiers \(strict\): \d+ kept/);

  const preview = await cli('checkpoints', 'dissolve', id, '--preview');
  expect(preview.out).toMatch(/^Dissolving it would do this: The context: .*\nRaw again: \d+ turns\./);
  expect((await cli('checkpoints', 's1')).out).toContain('stands');
  const dissolved = await cli('checkpoints', 'dissolve', id);
  expect(dissolved.out).toMatch(/^Dissolved\. The context: /);
  expect(dissolved.out.split('The context')[1]).toBe(preview.out.split('The context')[1]);
  expect((await cli('checkpoints', 's1')).out).toContain('dissolved');
  const again = await cli('checkpoints', 'dissolve', id);
  expect([again.code, again.err]).toEqual([1, expect.stringContaining('is dissolved')]);

  expect((await cli('checkpoints', 'restore', id)).out).toMatch(/^Restored\./);
  const trial = await cli('checkpoints', 'rerun', id, '--preview');
  expect(trial.out).toContain(`Only a preview; nothing was changed.\n\nInstead of ${id} · level 0`);
  expect(trial.out.replaceAll(id, '')).not.toMatch(/stands|ckpt_/);
  const rerun = await cli('checkpoints', 'rerun', id, '--policy', 'none', '--instructions', 'ports');
  expect(rerun.out).toContain('Summarised anew; the earlier summary is kept');
  expect(rerun.out).toContain('Identifiers (none): 0 kept');
  expect((await cli('checkpoints', 's1')).out).toMatch(/replaced by ckpt_/);
});

it('names a checkpoint that is not there', async () => {
  expect(await cli('expand', 'ckpt_nothing')).toMatchObject({
    code: 1,
    err: expect.stringContaining('There is no checkpoint "ckpt_nothing"'),
  });
  const { code, err } = await cli('checkpoints', 'show', 'nothing');
  expect([code, err]).toEqual([1, expect.stringContaining('There is no checkpoint "nothing"')]);
});
