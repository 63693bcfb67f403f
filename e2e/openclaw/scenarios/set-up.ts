import assert from 'node:assert/strict';
import { join } from 'node:path';
import { checkPluginTypes } from '../check-types.ts';
import type { Scenario } from '../suite.ts';

/** What must be right before the first turn. */
export const setUp: readonly Scenario[] = [
  {
    name: 'the plugin wrote the interface of the host down as it is',
    skip: ({ host }) => (host.isOldest ? 'its types lack commitTurn' : undefined),
    run: async ({ host, work }) => {
      assert.equal(await checkPluginTypes(host.install, join(work, 'types')), '');
    },
  },
  {
    name: 'installing the plugin selects it as the context engine',
    run: ({ host }) => {
      const { plugins } = host.config as { plugins: { slots: Record<string, string> } };
      assert.equal(plugins.slots['contextEngine'], 'strata');
      return Promise.resolve();
    },
  },
];
