import type { IdentifierPolicy } from '../../src-shared/model/checkpoint.ts';
import { createExtractiveSummariser } from '../../src-main/engine/compact/extractive-summariser.ts';
import { identifierKinds, type IdentifierKind } from '../../src-main/engine/compact/identifier-kinds.ts';
import { createModelSummariser } from '../../src-main/engine/compact/model-summariser.ts';
import type { Prompts } from '../../src-main/engine/compact/prompts.ts';
import { mentionedIdentifiers } from '../../src-main/engine/compact/rank-identifiers.ts';
import type { Summariser, Summary } from '../../src-main/engine/compact/summariser.ts';
import { scriptedWriter } from '../../src-main/engine/compact/testing/scripted-writer.ts';
import { TokenCounter } from '../../src-main/engine/tokens/token-counter.ts';
import { createInlineTokenizer } from '../../src-main/providers/tokenizer/create-inline-tokenizer.ts';
import { identifierCorpus } from './identifier-corpus.ts';

const policies: readonly IdentifierPolicy[] = ['strict', 'relaxed', 'none'];
const kindNames: Readonly<Record<IdentifierKind, string>> = {
  path: 'paths, with line numbers',
  line: 'line numbers',
  function: 'functions',
  variable: 'variables',
  hash: 'hashes',
  uuid: 'UUIDs',
  url: 'URLs',
  host: 'hosts',
  host_port: 'addresses and ports',
  version: 'versions',
  issue: 'issue numbers',
  error: 'error messages',
  model: 'model names',
  id: 'other ids',
  session_key: 'session keys',
};

const begin = '<!-- identifiers: made by "npm run docs" -->';
const end = '<!-- identifiers: end -->';

/** The document with its table of identifiers made anew. */
export async function withIdentifierTable(document: string, prompts: Prompts): Promise<string> {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from === -1 || to < from) throw new Error(`docs/compaction.md must have ${begin} and, behind it, ${end}.`);
  return `${document.slice(0, from + begin.length)}\n\n${await identifierTable(prompts)}\n\n${document.slice(to)}`;
}

/** Kinds × policies, for a summary without a model, one whose model loses everything exact, and a small one. */
async function identifierTable(prompts: Prompts): Promise<string> {
  const counter = new TokenCounter(createInlineTokenizer());
  const model = {
    maxInputTokens: 32_000,
    maxOutputTokens: 4_000,
    complete: async ({ prompt }: { readonly prompt: string }) => ({
      text: scriptedWriter(prompt),
      model: 'lossy',
      stopReason: 'stop' as const,
    }),
  };
  const extractive = createExtractiveSummariser(counter);
  const lossy = createModelSummariser({ name: 'lossy', model, counter, prompts });
  return [
    `Extractive summariser, 500 tokens:\n\n${await tableOf(extractive, 500)}`,
    `A model that loses everything exact, 500 tokens:\n\n${await tableOf(lossy, 500)}`,
    `Extractive summariser, 150 tokens, as in a small window:\n\n${await tableOf(extractive, 150)}`,
  ].join('\n\n');
}

async function tableOf(writer: Summariser, overviewTokens: number): Promise<string> {
  const turns = identifierCorpus();
  const kinds = new Map((await mentionedIdentifiers(turns, 'strict')).map(({ text, kind }) => [text, kind]));
  const request = { turns, focus: '', abstractTokens: overviewTokens / 5, overviewTokens };
  const summaries = await Promise.all(policies.map((policy) => writer.summarise({ ...request, policy })));
  const rows = identifierKinds.map((kind) => {
    const cells = summaries.map((summary) => cell(summary, (text) => kinds.get(text) === kind));
    return `| ${kindNames[kind]} | ${cells.join(' | ')} |`;
  });
  const all = summaries.map((summary) => cell(summary, () => true));
  return [
    `| kind | ${policies.join(' | ')} |`,
    `| --- | ${policies.map(() => '---').join(' | ')} |`,
    ...rows,
    `| **all** | ${all.join(' | ')} |`,
  ].join('\n');
}

function cell(summary: Summary, isOfKind: (text: string) => boolean): string {
  const [kept, repaired, lost] = [summary.identifiersKept, summary.identifiersRepaired, summary.identifiersLost].map(
    (texts) => texts.filter(isOfKind).length,
  );
  return kept === 0 && lost === 0 ? '–' : `${kept} / ${repaired} / ${lost}`;
}
