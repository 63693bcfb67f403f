import { expect, it } from 'vitest';
import { openEngineFixture } from '../../testing/engine-fixture.ts';

const at = (slug: string): string => `strata://user/default/memories/preferences/${slug}`;

it('context is opened, read at three depths, linked, and what nobody needs is retired, never deleted', async () => {
  const fixture = await openEngineFixture();
  const { files } = fixture.engine.memory;
  for (const slug of ['tea', 'cup', 'old']) {
    const change = { fields: { title: slug, truth: `About ${slug}.\n\nMore.` } };
    await files.write({ uri: at(slug), change, baseVersion: 0, author: 'agent' });
  }
  expect(await files.open(at('tea'))).toMatchObject({ kind: 'preference', version: 1, isWritable: true });
  expect(await files.read(at('tea'), 0)).toBe('About tea.; More.');
  expect(await files.read(at('tea'), 1)).toBe('About tea.\nMore.');
  expect(await files.read(at('tea'), 2)).toContain('title: tea');
  const linked = await files.link(at('cup'), { to: at('tea'), type: 'used_for' }, 'agent');
  expect((await files.link(at('cup'), { to: at('tea'), type: 'used_for' }, 'agent')).version).toBe(linked.version);
  expect((await files.unlink(at('cup'), { to: at('tea') }, 'agent')).links).toEqual([]);
  await fixture.send('savePage', { params: { uri: at('cup') }, body: { pinned: true, base_version: 3 } });
  fixture.clock.advance(100 * 86_400_000);
  const gc = await files.gc({ unusedDays: 90, apply: true, author: 'dream' });
  expect(gc.retired).toEqual([at('old'), at('tea')]);
  expect(await files.open(at('old'))).toMatchObject({ version: 2 });
});
