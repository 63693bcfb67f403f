import { expect, it } from 'vitest';
import type { IndexHit } from '../ports/memory-index.ts';
import { findNames } from './find-names.ts';

const scope = {
  accountId: 'local',
  userId: 'u',
  agentId: 'main',
  sessionUid: undefined,
  otherSessions: false,
  access: 'all',
  labels: undefined,
} as const;

/** Only what finding names looks at. */
const petra = { uri: 'strata://user/u/memories/people/petra', title: 'Petra Moonstead', status: 'active' } as IndexHit;

const index = {
  resolveNames: async (names: readonly string[]) =>
    new Map(names.filter((name) => /^petra( moonstead)?$/i.test(name)).map((name) => [name, [petra]])),
  similarNames: async () => new Map(),
  frequencies: async () => ({ total: 1, byTerm: new Map<string, number>() }),
};

it.each([
  ['Did Petra reach out?', 1],
  ['Did Petra Moonstead reach out?', 1],
  ['Tell Petra Friday works.', 1],
  ['Ask Petra. Bob knows.', 1],
  ['Did Petra Moonsteader reach out?', 0],
  ['Petra Lee called, and Petra answered.', 1],
])('a first name before another family name is somebody else: %s', async (query, count) => {
  const { named } = await findNames(query, index, scope);
  expect(new Set(named.map(({ page }) => page.uri)).size).toBe(count);
});
