import { describe, expect, it } from 'vitest';
import { openEngineFixture } from '../../testing/engine-fixture.ts';
import { applyPolicy, type Statement } from './apply-policy.ts';

const scope = {
  ...{ accountId: 'local', userId: 'default', agentId: 'main', sessionUid: undefined },
  ...{ otherSessions: false, access: 'all' as const, labels: undefined },
};

/** Takes statements in, one after the other, and answers the page. */
async function remember(kindName: string, title: string, statements: readonly Statement[]) {
  const { engine, parts } = await openEngineFixture();
  const { pages } = engine.memory;
  const kind = parts.kinds.require(kindName);
  const uri = await pages.addressFor({ kind: kindName, title, scope });
  for (const statement of statements) {
    const page = await pages.find(uri);
    const { change, addToTimeline } = applyPolicy(kind, page, { title, ...statement });
    await pages.save({ uri, change, addToTimeline, baseVersion: page?.version ?? 0, author: 'extraction' });
  }
  return pages.read(uri);
}

const turn = (sequence: number): string => `strata://session/default/s1/turn/${sequence}`;

describe('applyPolicy', () => {
  it('merge: what is said about a topic takes the place of what was said before, with both as evidence', async () => {
    const page = await remember('preference', 'Theme', [
      { text: 'Prefers the dark theme.', date: '2026-10-01', source: turn(1) },
      { text: 'Prefers the light theme.', date: '2026-10-05', source: turn(9) },
    ]);
    expect(page.truth).toBe('Prefers the light theme.');
    expect(page.timeline).toEqual([
      { date: '2026-10-01', text: 'Prefers the dark theme.', source: turn(1) },
      { date: '2026-10-05', text: 'Prefers the light theme.', source: turn(9) },
    ]);
    expect(page.sources).toEqual([turn(1), turn(9)]);
  });

  it('merge: a page of several topics changes only the line of one', async () => {
    const page = await remember('profile', 'Profile', [
      { text: 'Lin Yao', topic: 'Name', date: '2026-10-01' },
      { text: 'warehouse lead', topic: 'Job', date: '2026-10-01' },
      { text: 'operations director', topic: 'job', date: '2026-10-09' },
    ]);
    expect(page.truth).toBe('- Name: Lin Yao\n- job: operations director');
  });

  it('merge: text of several lines, that may be a person’s, only gets one more', async () => {
    const { engine, parts } = await openEngineFixture();
    const uri = 'strata://user/default/memories/preferences/tea';
    await engine.memory.pages.save({
      ...{ uri, baseVersion: 0, author: 'user' as const },
      change: { content: '# Tea\n\nGreen in the morning.\nBlack after lunch.\n' },
    });
    const page = await engine.memory.pages.read(uri);
    const { change } = applyPolicy(parts.kinds.require('preference'), page, {
      text: 'No tea after six.',
      date: '2026-10-01',
    });
    expect(change.fields.truth).toBe('# Tea\n\nGreen in the morning.\nBlack after lunch.\n\n- No tea after six.');
  });

  it('aggregate: statements add up, each once', async () => {
    const page = await remember('entity', 'Harbour Mills', [
      { text: 'Harbour Mills is a client.', date: '2026-10-01' },
      { text: 'Their warehouse is in Rotterdam.', date: '2026-10-02' },
      { text: 'their warehouse is in Rotterdam', date: '2026-10-02' },
    ]);
    expect(page.truth).toBe('Harbour Mills is a client.\n\n- Their warehouse is in Rotterdam.');
  });

  it('aggregate: a section takes what belongs to it', async () => {
    const page = await remember('entity', 'Harbour Mills', [
      { text: 'A client.', date: '2026-10-01' },
      { text: 'Lin Yao runs it.', section: 'People', date: '2026-10-02' },
      { text: 'Wants weekly mails.', section: 'Wishes', date: '2026-10-03' },
      { text: 'Bo Chen buys.', section: 'people', date: '2026-10-04' },
    ]);
    expect(page.truth).toBe(
      'A client.\n\n## People\n\n- Lin Yao runs it.\n- Bo Chen buys.\n\n## Wishes\n\n- Wants weekly mails.',
    );
  });

  it('H48: append only adds to the timeline, and nothing that was there is written over', async () => {
    const page = await remember('event', 'Release 2', [
      { text: 'We decided to ship in May.', date: '2026-04-01', source: turn(3) },
      { text: 'Shipped.', date: '2026-05-02', source: turn(8) },
    ]);
    expect(page.truth).toBe('');
    expect(page.timeline.map(({ date, text }) => [date, text])).toEqual([
      ['2026-04-01', 'We decided to ship in May.'],
      ['2026-05-02', 'Shipped.'],
    ]);
    expect(page.abstract).toBe('2026-05-02: Shipped.');
  });

  it('H49: the same taken in twice on a day changes nothing, neither file nor history', async () => {
    const statement = { text: 'We decided to ship in May.', date: '2026-04-01', source: turn(3) };
    const page = await remember('event', 'Release 2', [statement, statement, statement]);
    expect([page.version, page.timeline.length]).toEqual([1, 1]);
  });

  it('G08: evidence carries the date of what it tells, whatever day it is', async () => {
    const page = await remember('case', 'Slow query', [{ text: 'An index was missing.', date: '2024-02-29' }]);
    expect(page.timeline[0]?.date).toBe('2024-02-29');
  });

  it('front matter that the kind does not declare is left out', async () => {
    const page = await remember('entity', 'Lin Yao', [
      { text: 'Runs a warehouse.', date: '2026-10-01', fields: { type: 'person', mood: 'fine' } },
    ]);
    expect(page.content).toContain('type: person');
    expect(page.content).not.toContain('mood');
  });
});
