import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { describe, expect, it } from 'vitest';
import { mentionedIdentifiers } from '../src-main/engine/compact/rank-identifiers.ts';
import { loadPrompts } from '../src-main/providers/language-model/load-prompts.ts';
import { corpusIdentifiers, identifierCorpus } from './lib/identifier-corpus.ts';
import { withIdentifierTable } from './lib/identifier-table.ts';

const root = resolve(import.meta.dirname, '..');
const page = join(root, 'docs/compaction.md');

describe('docs/compaction.md', () => {
  it('H38: has the table of identifiers that the summarisers really produce; "npm run docs" makes it anew', async () => {
    const document = readFileSync(page, 'utf8');
    const made = await withIdentifierTable(document, await loadPrompts(root));
    expect(document).toBe(await format(made, { ...(await resolveConfig(page)), filepath: page }));
  });

  it('H38: is made from a conversation of which every identifier is found, as its kind, and nothing else', async () => {
    const found = (await mentionedIdentifiers(identifierCorpus(), 'strict')).map(({ kind, text }) => `${kind} ${text}`);
    const named = Object.entries(corpusIdentifiers).flatMap(([kind, texts]) => texts.map((text) => `${kind} ${text}`));
    expect(found.sort()).toEqual(named.sort());
  });

  it('names every check and every reason that there is', () => {
    const document = readFileSync(page, 'utf8');
    const source = readFileSync(join(root, 'src-main/engine/compact/validate-summary.ts'), 'utf8');
    const faults = [...(/export type SummaryFault =([^;]*);/.exec(source)?.[1]?.matchAll(/'(\w+)'/g) ?? [])].map(
      (match) => match[1],
    );
    expect(faults.length).toBeGreaterThan(5);
    expect(faults.filter((fault) => !document.includes(`\`${fault}\``))).toEqual([]);
  });
});
