#!/usr/bin/env node
// The strata command. Starts the built program where the build is fresh, else the sources, under the pinned Node.
const major = Number(process.versions.node.split('.')[0]);
if (major < 20) {
  console.error(
    'strata: Node ' +
      process.versions.node +
      ' is too old. Install Node 20 or newer (https://nodejs.org), then try again.',
  );
  process.exit(1);
}
const { runStrata } = await import('../scripts/lib/run-strata.mjs');
process.exitCode = await runStrata(process.argv.slice(2));
