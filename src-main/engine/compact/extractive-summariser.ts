import type { TokenCounter } from '../tokens/token-counter.ts';
import { chooseSentences } from './choose-sentences.ts';
import { composeSummary } from './compose-summary.ts';
import { knownRequests } from './pending-requests.ts';
import { Pacer } from './pacer.ts';
import { readFocus } from './read-focus.ts';
import { exactWords, scoreSentences, type ScoredSentence } from './score-sentences.ts';
import { settledTasks } from './settled-tasks.ts';
import { sourceSentences } from './source-sentences.ts';
import type { Summariser, Summary, SummaryRequest } from './summariser.ts';
import { isFolding, requireSource, summarySource } from './summary-source.ts';
import { paragraphOf } from './tidy-lines.ts';
import { noLines, type SectionLines } from './summary-sections.ts';
import { throwIfAborted } from './throw-if-aborted.ts';

/** Sentences that are counted and considered at most; the rest scored lower than all of them. */
const considered = 300;

/**
 * Builds a summary out of sentences of the source, without any model: always works, and gives the same text for the
 * same source. Identifiers that no chosen sentence mentions are listed by themselves.
 */
export function createExtractiveSummariser(counter: TokenCounter): Summariser {
  return { name: 'extractive', summarise: (request) => summarise(request, counter) };
}

async function summarise(request: SummaryRequest, counter: TokenCounter): Promise<Summary> {
  requireSource(request);
  throwIfAborted(request.signal);
  const focus = readFocus(request.focus);
  const sentences = await sourceSentences(request);
  const pacer = new Pacer();
  const scored = (await scoreSentences(sentences, focus)).slice(0, considered);
  await pacer.pauseIfDue();
  throwIfAborted(request.signal);
  const costs = await counter.texts(scored.map((sentence) => `- ${sentence.text}\n`));
  await pacer.pauseIfDue();
  const chosen = chooseSentences(scored, costs, request.overviewTokens);
  await pacer.pauseIfDue();
  const lines = await draftLines(chosen, sentences, request);
  await pacer.pauseIfDue();
  const abstract = await abstractOf(chosen, request, counter);
  throwIfAborted(request.signal);
  const composed = await composeSummary({ abstract, lines }, request, counter);
  return { ...composed, summariser: 'extractive', attempts: 1 };
}

async function draftLines(
  chosen: readonly ScoredSentence[],
  sentences: Parameters<typeof settledTasks>[1],
  request: SummaryRequest,
): Promise<SectionLines> {
  const settled = settledTasks(chosen, sentences);
  const of = (section: ScoredSentence['section']): string[] =>
    chosen.filter((sentence) => sentence.section === section && !settled.has(sentence)).map(({ text }) => text);
  const facts = chosen.flatMap((sentence) => {
    if (settled.has(sentence)) return [`[done] ${sentence.text}`];
    return sentence.section === 'facts' ? [sentence.text] : [];
  });
  const lines = { decisions: of('decisions'), tasks: of('tasks'), rules: of('rules'), facts };
  const folded = isFolding(request)
    ? (await knownRequests(request)).flatMap(({ text, state }) => (state === 'pending' ? [text] : []))
    : [];
  const requests = [...new Set([...of('requests').reverse(), ...folded.slice(0, 5)])];
  const isEmpty = requests.length === 0 && Object.values(lines).every((one) => one.length === 0);
  return { ...noLines, ...lines, requests, facts: isEmpty ? [describe(request)] : facts };
}

/** For ranges without a sentence in them (tool results of numbers, blank turns). */
function describe(request: SummaryRequest): string {
  const turns = summarySource(request);
  const tools = [...new Set(turns.flatMap((turn) => (turn.tool ? [turn.tool] : [])))];
  return `${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} without text to quote${tools.length > 0 ? `; tools used: ${tools.join(', ')}` : ''}.`;
}

/** Decisions, and sentences that name something exact, tell more than what is merely said often. */
const tellingWeight = 2;
/** Share of the words that two sentences have in common, figures aside, beyond which the second one tells nothing new. */
const sameShare = 0.75;

async function abstractOf(
  chosen: readonly ScoredSentence[],
  request: SummaryRequest,
  counter: TokenCounter,
): Promise<string> {
  const worth = (one: ScoredSentence): number =>
    one.score * (one.section === 'decisions' || exactWords(one.text) > 0 ? tellingWeight : 1);
  const best = [...chosen].sort((a, b) => worth(b) - worth(a));
  const lines: ScoredSentence[] = [];
  let left = request.abstractTokens;
  const costs = await counter.texts(best.map((sentence) => `${sentence.text} `));
  const taken: ReadonlySet<string>[] = [];
  best.forEach((sentence, index) => {
    const cost = costs[index] ?? Infinity;
    const words = new Set(sentence.words.filter((word) => !/\d/.test(word)));
    if (cost > left || taken.some((other) => isNearlySame(words, other))) return;
    left -= cost;
    taken.push(words);
    lines.push(sentence);
  });
  lines.sort((a, b) => a.sequence - b.sequence || a.position - b.position);
  return lines.length > 0 ? paragraphOf(lines.map((line) => line.text)) : describe(request);
}

function isNearlySame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  let shared = 0;
  for (const word of a) if (b.has(word)) shared += 1;
  return shared > 0 && shared >= sameShare * Math.max(a.size, b.size);
}
