import { failed, ok, type Check } from './check.ts';

const wanted = 24;

/** better-sqlite3 needs the Node-API of Node 24; older ones crash without a word. */
export function checkNode(version: string): readonly Check[] {
  const major = Number(/^v?(\d+)/.exec(version)?.[1] ?? 0);
  if (major >= wanted) return [ok('node', `Node ${version.replace(/^v/, '')} runs this.`)];
  return [
    failed(
      'node',
      `Node ${version.replace(/^v/, '')} runs this, Strata needs Node ${wanted}.`,
      'Start it with "npm run strata" or bin/strata.mjs: both use the Node that comes with the packages.',
    ),
  ];
}
