import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { benchAssemble } from './assemble.ts';
import { benchCommit } from './commit.ts';
import { benchCompact } from './compact.ts';
import { benchPlugin } from './plugin.ts';
import { benchStart } from './start.ts';

const benchmarks: Readonly<Record<string, () => Promise<unknown>>> = {
  assemble: benchAssemble,
  commit: benchCommit,
  start: benchStart,
  plugin: benchPlugin,
  compact: benchCompact,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean', default: false } },
});
const [name = ''] = positionals;
const benchmark = benchmarks[name];
if (!benchmark) {
  console.error(`Usage: npm run bench -- NAME [--json]; names: ${Object.keys(benchmarks).join(', ')}`);
  process.exitCode = 2;
} else {
  const result = await benchmark();
  if (!values.json)
    console.log(
      `${name} on ${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, ${new Date().toISOString()}`,
    );
  console.log(JSON.stringify(result));
}
