// Checks what the documents claim: commands exist, links lead somewhere, the configuration page is what the schema says.
// With --write the configuration page and the table of identifiers in the compaction page are written anew.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { createProgram } from '../src-main/cli/create-program.ts';
import { configSchema } from '../src-shared/model/config.ts';
import { loadPrompts } from '../src-main/providers/language-model/load-prompts.ts';
import { configurationPage } from './lib/configuration-page.ts';
import { withIdentifierTable } from './lib/identifier-table.ts';

const root = resolve(import.meta.dirname, '..');
const problems: string[] = [];

const page = join(root, 'docs/configuration.md');
const options = await resolveConfig(page);
const wanted = await format(configurationPage(root), { ...options, filepath: page });
if (process.argv.includes('--write')) writeFileSync(page, wanted);
if (!existsSync(page) || readFileSync(page, 'utf8') !== wanted) {
  problems.push('docs/configuration.md is not what the schemas say. Run: npm run docs');
}
const compaction = join(root, 'docs/compaction.md');
const withTable = await withIdentifierTable(readFileSync(compaction, 'utf8'), await loadPrompts(root));
const wantedTable = await format(withTable, { ...(await resolveConfig(compaction)), filepath: compaction });
if (process.argv.includes('--write')) writeFileSync(compaction, wantedTable);
if (readFileSync(compaction, 'utf8') !== wantedTable) {
  problems.push('docs/compaction.md has another table of identifiers than the summarisers make. Run: npm run docs');
}
for (const key of keysOf(configSchema.parse({}))) {
  if (!wanted.includes(`\`${key}\``)) problems.push(`docs/configuration.md does not name the key ${key}`);
}

const documents = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...markdownIn('docs')].filter((path) =>
  existsSync(join(root, path)),
);
const scripts = readScripts();
const commands = commandNames();
for (const document of documents) {
  const text = readFileSync(join(root, document), 'utf8');
  for (const [, name = ''] of text.matchAll(/\bnpm run (?:-s )?([\w:-]+)/g)) {
    if (!scripts.has(name)) problems.push(`${document}: there is no script "npm run ${name}"`);
  }
  for (const [, line = ''] of text.matchAll(/\b(?:npm run strata -- |strata )((?:[a-z]+ ?)+)/g))
    checkCommand(document, line);
  for (const [, target = ''] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g)) {
    if (!existsSync(resolve(root, dirname(document), target)))
      problems.push(`${document}: the link ${target} leads nowhere`);
  }
}

for (const problem of problems) console.error(`✗ ${problem}`);
if (problems.length === 0) console.log(`${documents.length} documents, ${commands.size} commands`);
process.exitCode = problems.length > 0 ? 1 : 0;

/** Only where it is clearly a command: in code, that is with the launcher before it or a known first word. */
function checkCommand(document: string, line: string): void {
  const [first = '', second = ''] = line.trim().split(' ');
  const isCode = readFileSync(join(root, document), 'utf8').includes(`npm run strata -- ${line.trim()}`);
  if (!commands.has(first)) {
    if (isCode) problems.push(`${document}: there is no command "strata ${first}"`);
  } else if (first === 'openclaw' && isCode && second !== '' && !commands.has(`openclaw ${second}`)) {
    problems.push(`${document}: there is no command "strata openclaw ${second}"`);
  }
}

function commandNames(): ReadonlySet<string> {
  const program = createProgram(
    () => {
      throw new Error('documents run nothing');
    },
    () => undefined,
  );
  return new Set(
    program.commands.flatMap((command) => [
      command.name(),
      ...command.commands.map((child) => `${command.name()} ${child.name()}`),
    ]),
  );
}

function readScripts(): ReadonlySet<string> {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };
  return new Set(Object.keys(manifest.scripts));
}

function markdownIn(folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.md'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function keysOf(value: object, prefix = ''): readonly string[] {
  return Object.entries(value).flatMap(([name, child]: [string, unknown]) => {
    const isSection =
      typeof child === 'object' && child !== null && !Array.isArray(child) && Object.keys(child).length > 0;
    return isSection ? keysOf(child, `${prefix}${name}.`) : [`${prefix}${name}`];
  });
}
