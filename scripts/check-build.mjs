// Looks at what the build made: the plugin is one self-contained file, the preload can be loaded in a sandbox.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { root } from './lib/root.mjs';

const problems = [];
const read = (path) => readFileSync(join(root, 'out', path), 'utf8');
const expectThat = (condition, problem) => {
  if (!condition) problems.push(problem);
};

const plugin = readdirSync(join(root, 'out/openclaw-plugin')).sort();
expectThat(
  plugin.join() === 'index.js,openclaw.plugin.json,package.json',
  `out/openclaw-plugin should hold index.js, openclaw.plugin.json and package.json, it holds ${plugin.join(', ')}`,
);
for (const name of importsOf(read('openclaw-plugin/index.js'))) {
  const fine = name.startsWith('node:') || builtinModules.includes(name) || name.startsWith('openclaw/');
  expectThat(fine, `the plugin imports "${name}", which is not there inside the host`);
}
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = JSON.parse(read('openclaw-plugin/openclaw.plugin.json'));
expectThat(manifest.id === 'strata', `the id of the plugin is "${manifest.id}", not "strata"`);
expectThat(
  manifest.version === version,
  `openclaw.plugin.json is of version ${manifest.version}, the product of ${version}`,
);
const pluginPackage = JSON.parse(read('openclaw-plugin/package.json'));
expectThat(pluginPackage.version === version, `the plugin's package.json is of version ${pluginPackage.version}`);
expectThat(
  pluginPackage.openclaw?.extensions?.join() === './index.js',
  "the plugin's package.json must name ./index.js under openclaw.extensions",
);

const preloads = readdirSync(join(root, 'out/preload')).filter((name) => name.endsWith('.cjs'));
expectThat(preloads.length > 0, 'out/preload holds no .cjs file');
for (const name of preloads) {
  const required = [...read(join('preload', name)).matchAll(/\brequire\(\s*["'`]([^"'`]+)["'`]\s*\)/g)].map(
    (match) => match[1],
  );
  expectThat(
    required.join() === 'electron',
    `out/preload/${name} requires ${required.join(', ') || 'nothing'}, expected electron only`,
  );
}

for (const name of ['main/main.js', 'main/cli.js', 'renderer/index.html']) {
  expectThat(existsSync(join(root, 'out', name)), `out/${name} is missing`);
}

expectThat(
  /<script[^>]+src="\/assets\//.test(read('renderer/index.html')),
  'the page of the inspector must name its files from the root: deep links lead to the same page',
);

for (const problem of problems) console.error(`✗ ${problem}`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Names in static and dynamic imports of a bundle. */
function importsOf(source) {
  const patterns = [
    /^\s*(?:import|export)\b[^;"']*?["']([^"']+)["']/gm,
    /\bimport\(\s*(?:\/\*.*?\*\/\s*)?["']([^"']+)["']\s*\)/g,
  ];
  return new Set(patterns.flatMap((pattern) => [...source.matchAll(pattern)].map((match) => match[1])));
}
