import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAssemble } from './assemble.ts';
import { benchCommit } from './commit.ts';
import { benchCompact } from './compact.ts';
import { benchConformance } from './conformance.ts';
import { benchLocomo } from './locomo.ts';
import { benchPlugin } from './plugin.ts';
import { benchPrecision } from './precision.ts';
import { benchRecall } from './recall.ts';
import { benchStart } from './start.ts';
import { benchSwamp } from './swamp.ts';
import { benchWorld } from './world.ts';

const benchmarks: Readonly<Record<string, () => Promise<unknown>>> = {
  assemble: benchAssemble,
  commit: benchCommit,
  start: benchStart,
  plugin: benchPlugin,
  compact: benchCompact,
  recall: benchRecall,
};

/** Those that measure what memory finds, on a file that is no part of this repository. */
const onData: Readonly<Record<string, (data: string) => Promise<unknown>>> = {
  locomo: benchLocomo,
  swamp: benchSwamp,
  precision: benchPrecision,
  world: benchWorld,
  conformance: benchConformance,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false }, data: { type: 'string' } },
});
const [name = ''] = positionals;
const { data } = values;
const withData = onData[name];
const benchmark = withData ? (data === undefined ? undefined : () => withData(data)) : benchmarks[name];
if (!benchmark) {
  console.error(
    `Usage: npm run bench -- NAME [--json], NAME one of ${Object.keys(benchmarks).join(', ')};\n` +
      `       npm run bench -- NAME --data FILE [--json], NAME one of ${Object.keys(onData).join(', ')}`,
  );
  process.exitCode = 2;
} else {
  const result = await benchmark();
  if (!values.json)
    console.log(
      `${name} on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${new Date().toISOString()}`,
    );
  console.log(JSON.stringify(result));
}
