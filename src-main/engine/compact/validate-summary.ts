import type { TokenCounter } from '../tokens/token-counter.ts';
import { mainScript, scriptShares } from './main-script.ts';
import type { Prompts } from './prompts.ts';
import type { ReadSummary } from './read-summary.ts';
import { lineKey } from './tidy-lines.ts';
import type { SummaryRequest } from './summariser.ts';
import { summarySource } from './summary-source.ts';
import { uncoveredTurns } from './uncovered-turns.ts';

/** Why an answer is no summary. */
export type SummaryFault =
  | 'empty'
  | 'reasoning_only'
  | 'cut_off'
  | 'prompt_echo'
  | 'no_sections'
  | 'repetitive'
  | 'too_long'
  | 'other_language'
  | 'unrelated'
  | 'not_smaller';

export interface SummaryRejection {
  readonly rejected: SummaryFault;
  /** For people, and for the model that is asked once more. */
  readonly message: string;
  readonly values: Readonly<Record<string, string | number>>;
}

export interface AnswerFacts {
  /** As it came. */
  readonly raw: string;
  /** Without reasoning. */
  readonly text: string;
  readonly stopReason: string | undefined;
  readonly draft: ReadSummary;
}

/** An answer may be this many times as long as asked for; up to there lines are left out, beyond it is no summary. */
const longestAnswer = 4;
/** Below this the factor says nothing, since headings alone take some (tokens). */
const smallestLimit = 400;

/** What is wrong with an answer as it came, or nothing. The first that applies. */
export async function checkAnswer(
  { raw, text, stopReason, draft }: AnswerFacts,
  request: SummaryRequest,
  { counter, prompts }: { readonly counter: TokenCounter; readonly prompts: Prompts },
): Promise<SummaryRejection | undefined> {
  if (raw.trim() === '') return fault('empty', 'It was empty.');
  if (text.trim() === '') return fault('reasoning_only', 'It held nothing but reasoning; write the record itself.');
  if (stopReason === 'length')
    return fault('cut_off', 'It was cut off before its end; write less.', { characters: raw.length });
  const echoed = echoes(text, request, prompts);
  if (echoed > 0) return fault('prompt_echo', 'It repeated the instructions; write the record.', { sentences: echoed });
  if (draft.sections === 0)
    return fault('no_sections', 'It had none of the headings that were asked for; use exactly those.');
  if (Object.values(draft.lines).every((lines) => lines.length === 0))
    return fault('empty', 'Its sections held nothing; say at least what happened.');
  const tokens = await counter.text(text);
  const limit = Math.max(smallestLimit, longestAnswer * (request.overviewTokens + request.abstractTokens));
  if (tokens > limit)
    return fault('too_long', `It took ${tokens} tokens; ${request.overviewTokens} were asked for.`, { tokens, limit });
  return checkRepeats(draft) ?? checkLanguage(text, request) ?? (await checkSubject(draft, request));
}

/** A model that is caught in a loop writes one line again and again; a few that occur twice are left out later on. */
const fewestRepeated = 8;
const smallestVariety = 0.25;

function checkRepeats({ lines }: ReadSummary): SummaryRejection | undefined {
  const all = Object.values(lines).flat();
  const different = new Set(all.map(lineKey)).size;
  if (all.length < fewestRepeated || different > smallestVariety * all.length) return undefined;
  return fault('repetitive', `Of its ${all.length} lines only ${different} were different; say each thing once.`, {
    lines: all.length,
    different,
  });
}

/** A summary that is no smaller than what it stands for has summarised nothing. */
export async function checkSize(
  overview: string,
  request: SummaryRequest,
  counter: TokenCounter,
): Promise<SummaryRejection | undefined> {
  const tokens = await counter.text(overview);
  const costs = await counter.texts(summarySource(request).map((turn) => turn.text));
  const source = costs.reduce((sum, cost) => sum + cost, 0);
  if (tokens < source) return undefined;
  return fault('not_smaller', `It took ${tokens} tokens, its source ${source}; write less.`, { tokens, source });
}

function fault(
  rejected: SummaryFault,
  message: string,
  values: Readonly<Record<string, string | number>> = {},
): SummaryRejection {
  return { rejected, message, values };
}

/** What only our prompts have; history that talks about prompts of ours may have it too. */
const marks = /<\/?(?:history|record|wish)-[0-9a-f]{12}|\[[0-9a-f]{12} turn \d+ /;

/** Instructions in an answer are the prompt's own words, unless the history says the same. */
function echoes(text: string, request: SummaryRequest, { parts }: Prompts): number {
  if (marks.test(text) && !summarySource(request).some((turn) => marks.test(turn.text))) return 1;
  const said = plain(text);
  const sentences = Object.values(parts)
    .flatMap((part) => plain(part).split(/(?<=[.:])\s/))
    .filter((sentence) => sentence.length >= 40 && !sentence.includes('{{'));
  return sentences.filter((sentence) => said.includes(sentence)).length;
}

function plain(text: string): string {
  return text.replace(/\s+/gu, ' ');
}

/** Share of the source's script below which an answer is in another one. */
const smallestShare = 0.3;
/** Characters of the source that are looked at. */
const looked = 200_000;

/** By script only: an answer in French to talk in English passes. */
function checkLanguage(text: string, request: SummaryRequest): SummaryRejection | undefined {
  const said = summarySource(request).filter(({ role }) => role === 'user' || role === 'assistant');
  const source = said.map((turn) => withoutHeadings(turn.text)).join('\n');
  const script = mainScript(source.slice(-looked));
  if (script === undefined) return undefined;
  const shares = scriptShares(withoutHeadings(text));
  const share = shares.get(script) ?? 0;
  const hasProse = [...shares.values()].some((one) => one > 0);
  if (!hasProse || share >= smallestShare) return undefined;
  return fault('other_language', 'It was not in the language of the conversation; write its lines in that one.', {
    expected: script,
    share: Math.round(share * 100) / 100,
  });
}

function withoutHeadings(text: string): string {
  return text.replace(/^#+ .*$|\[(?:done|withdrawn|asked)\]/gm, '');
}

/** Fewer turns than these may be told in words of which none is theirs. */
const tellingTurns = 4;

async function checkSubject({ lines }: ReadSummary, request: SummaryRequest): Promise<SummaryRejection | undefined> {
  const telling = await uncoveredTurns(request.turns, []);
  if (telling.length < tellingTurns) return undefined;
  const prose = Object.values({ ...lines, identifiers: [] }).flat();
  const uncovered = await uncoveredTurns(request.turns, prose);
  if (uncovered.length < telling.length) return undefined;
  return fault('unrelated', 'It spoke of nothing that the conversation is about.', { turns: telling.length });
}
