import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { repositoryRoot } from '../../../repository-root.ts';
import { loadKinds } from '../../../workspace/load-kinds.ts';
import { commit } from '../../assemble/testing/assemble-session.ts';
import { idle } from '../../compact/testing/compaction-session.ts';
import { openEngineFixture } from '../../testing/engine-fixture.ts';
import { assistantMessage, userMessage } from '../../testing/messages.ts';

const recipe = `name: recipe
description: How the user cooks something.
owner: user
folder: recipes
policy: append
abstract: newest_entry
hints:
  en: ['the recipe for']
  zh: ['的做法']
`;

async function folderWith(path: readonly string[], text: string): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'strata-kinds-'));
  onTestFinished(async () => rm(root, { recursive: true, force: true }));
  const folder = join(root, ...path);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'recipe.yaml'), text);
  return root;
}

it.each([
  ['that the product brings', async () => loadKinds(await folderWith(['resources', 'kinds'], recipe), '/nowhere')],
  ['of the data directory', async () => loadKinds(repositoryRoot(), await folderWith(['kinds'], recipe))],
])('a file %s makes a kind', async (_, load) => {
  expect((await load()).require('recipe')).toMatchObject({
    folder: 'recipes',
    policy: 'append',
    visibility: 'private',
  });
});

it('a file of the data directory takes the place of a kind that the product brings', async () => {
  const text = 'name: event\ndescription: Mine.\nowner: user\nfolder: diary\npolicy: append\n';
  const kinds = await loadKinds(repositoryRoot(), await folderWith(['kinds'], text));
  expect(kinds.require('event').folder).toBe('diary');
});

it('a file that describes no kind is named with what is wrong', async () => {
  const root = await folderWith(['kinds'], recipe.replace('append', 'forget'));
  await expect(loadKinds(repositoryRoot(), root)).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.stringContaining('policy'),
    details: { file: join(root, 'kinds', 'recipe.yaml') },
  });
});

it('a kind that was added as a file takes what its hints tell, in its folder and by its policy', async () => {
  const prepare = async (dataDir: string): Promise<void> => {
    await mkdir(join(dataDir, 'kinds'));
    await writeFile(join(dataDir, 'kinds', 'recipe.yaml'), recipe);
  };
  const fixture = await openEngineFixture({ prepare });
  await commit(fixture, [
    userMessage('Remember that the recipe for borscht needs five beets.', 1),
    assistantMessage('Noted.', 2),
  ]);
  await fixture.engine.memory.settled();
  await idle(fixture);
  const { items } = await fixture.send('memoryOperations', {});
  expect(items).toMatchObject([{ action: 'ADD', kind: 'recipe', method: 'rules' }]);
  const [page] = (await fixture.send('pages', { query: { kind: 'recipe' } })).items;
  expect(page?.path).toMatch(/^memories\/users\/default\/recipes\/.+\.md$/);
  await fixture.send('memoryStore', {
    body: {
      text: 'The recipe for borscht needs dill.',
      kind: 'recipe',
      title: page?.title ?? '',
      session_key: 'agent:main:main',
    },
  });
  const whole = await fixture.send('page', { params: { uri: page?.uri ?? '' } });
  expect(whole.timeline.map(({ text }) => text)).toEqual([
    expect.stringContaining('five beets'),
    expect.stringContaining('dill'),
  ]);
  // What is private by the kind is no business of a group.
  expect(whole.visibility).toBe('private');
});
