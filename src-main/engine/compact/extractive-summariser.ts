import type { TokenCounter } from '../tokens/token-counter.ts';
import { classifySentence, type SummarySection } from './classify-sentence.ts';
import { findIdentifiers } from './find-identifiers.ts';
import { Pacer } from './pacer.ts';
import { mentionedIdentifiers, rankIdentifiers, type MentionedIdentifier } from './rank-identifiers.ts';
import { readFocus, type Focus } from './read-focus.ts';
import { scoreSentences, type ScoredSentence } from './score-sentences.ts';
import type { SourceTurn, Summariser, Summary, SummaryRequest } from './summariser.ts';

const headings: Readonly<Record<SummarySection, string>> = {
  decisions: '## Decisions',
  tasks: '## Open tasks',
  rules: '## Constraints and standing rules',
  requests: '## Requests, newest first',
  facts: '## What happened',
};

/** Share of the overview's tokens that a section may take before others had their turn. */
const shares: Readonly<Record<SummarySection, number>> = {
  decisions: 0.25,
  tasks: 0.15,
  rules: 0.2,
  requests: 0.2,
  facts: 0.2,
};

const sections = Object.keys(headings) as SummarySection[];

/** Sentences that are counted and considered at most; the rest scored lower than all of them. */
const considered = 300;

/**
 * Builds a summary out of sentences of the source, without any model: always works, and gives the same text for the
 * same turns. Identifiers that no chosen sentence mentions are listed by themselves.
 */
export function createExtractiveSummariser(counter: TokenCounter): Summariser {
  return { name: 'extractive', summarise: (request) => summarise(request, counter) };
}

async function summarise(request: SummaryRequest, counter: TokenCounter): Promise<Summary> {
  const focus = readFocus(request.focus);
  const scored = (await scoreSentences(request.turns, focus)).slice(0, considered);
  const costs = await counter.texts(scored.map((sentence) => `- ${sentence.text}\n`));
  const chosen = chooseSentences(scored, costs, request.overviewTokens);
  const prose = renderSections(chosen, request.turns);
  const mentioned = await mentionedIdentifiers(request.turns, request.policy);
  const listed = await listIdentifiers(prose, mentioned, focus, request, counter);
  const overview = listed.length === 0 ? prose : `${prose}\n\n## Exact identifiers\n${listed.join('\n')}`;
  const isKept = await keptIn(overview, mentioned, request);
  return {
    abstract: await abstractOf(chosen, request, counter),
    overview,
    identifiersKept: mentioned.filter((_, index) => isKept[index]).map(({ text }) => text),
    identifiersRepaired: [],
    identifiersLost: mentioned.filter((_, index) => !isKept[index]).map(({ text }) => text),
    uncovered: [],
    summariser: 'extractive',
    attempts: 1,
  };
}

/** Share of a sentence's words beyond which it says what a chosen one says already. */
const repeated = 0.75;

/**
 * First each section its share, best sentences first; then what is left of the budget to the best of all; and last, if
 * there is still room, to those that say something again.
 */
function chooseSentences(
  scored: readonly ScoredSentence[],
  costs: readonly number[],
  budget: number,
): ScoredSentence[] {
  const chosen = new Set<ScoredSentence>();
  const known = new Set<string>();
  let left = budget;
  const takeBest = (limit: number, may: (sentence: ScoredSentence) => boolean): void => {
    let share = limit;
    scored.forEach((sentence, index) => {
      const cost = costs[index] ?? Infinity;
      if (cost > share || cost > left || chosen.has(sentence) || !may(sentence)) return;
      chosen.add(sentence);
      for (const word of sentence.words) known.add(word);
      share -= cost;
      left -= cost;
    });
  };
  const isNew = ({ words }: ScoredSentence): boolean =>
    words.filter((word) => known.has(word)).length <= repeated * words.length;
  for (const section of sections) {
    takeBest(budget * shares[section], (sentence) => sectionOf(sentence) === section && isNew(sentence));
  }
  takeBest(budget, isNew);
  takeBest(budget, () => true);
  return [...chosen].sort((a, b) => a.turn.sequence - b.turn.sequence || a.position - b.position);
}

function sectionOf(sentence: ScoredSentence): SummarySection {
  return classifySentence(sentence.text, sentence.turn.role);
}

function renderSections(chosen: readonly ScoredSentence[], turns: readonly SourceTurn[]): string {
  const blocks = sections.flatMap((section) => {
    const lines = chosen.filter((sentence) => sectionOf(sentence) === section).map((sentence) => `- ${sentence.text}`);
    if (section === 'requests') lines.reverse();
    return lines.length === 0 ? [] : [`${headings[section]}\n${lines.join('\n')}`];
  });
  return blocks.length > 0 ? blocks.join('\n\n') : describe(turns);
}

/** For ranges without a sentence in them (tool results of numbers, blank turns). */
function describe(turns: readonly SourceTurn[]): string {
  const tools = [...new Set(turns.flatMap((turn) => (turn.tool ? [turn.tool] : [])))];
  return `${turns.length} ${turns.length === 1 ? 'turn' : 'turns'} without text to quote${tools.length > 0 ? `; tools used: ${tools.join(', ')}` : ''}.`;
}

/** Share of the overview's tokens that identifiers take besides, and where the user asked to keep some. */
const listShare = 0.6;
const wantedListShare = 1.2;

/** Tokens per character of the source that the list may take in any case, and its share of the overview's at most. */
const sourceShare = 0.03;
const longestShare = 2.4;

/** Those that no chosen sentence mentions, as many as fit. */
async function listIdentifiers(
  prose: string,
  mentioned: readonly MentionedIdentifier[],
  focus: Focus,
  request: SummaryRequest,
  counter: TokenCounter,
): Promise<readonly string[]> {
  const ranked = rankIdentifiers(mentioned, focus.kinds)
    .slice(0, 2 * considered)
    .flatMap(({ text }) => (prose.includes(text) ? [] : [text]));
  const costs = await counter.texts(ranked.map((identifier) => `${identifier}\n`));
  const share = focus.kinds.size > 0 ? wantedListShare : listShare;
  // A range full of paths deserves more room than one of talk, as long as the whole stays a summary.
  const characters = request.turns.reduce((sum, turn) => sum + turn.text.length, 0);
  let left = Math.floor(
    Math.max(request.overviewTokens * share, Math.min(request.overviewTokens * longestShare, characters * sourceShare)),
  );
  return ranked.filter((_, index) => {
    const cost = costs[index] ?? Infinity;
    if (cost > left) return false;
    left -= cost;
    return true;
  });
}

/** Whether each of them stands in the overview, word for word. */
async function keptIn(
  overview: string,
  mentioned: readonly MentionedIdentifier[],
  { policy }: SummaryRequest,
): Promise<readonly boolean[]> {
  const pacer = new Pacer();
  const found = new Set(findIdentifiers(overview, policy).map(({ text }) => text));
  const kept: boolean[] = [];
  for (const { text } of mentioned) {
    kept.push(found.has(text) || overview.includes(text));
    if (pacer.isDue()) await pacer.pause();
  }
  return kept;
}

async function abstractOf(
  chosen: readonly ScoredSentence[],
  request: SummaryRequest,
  counter: TokenCounter,
): Promise<string> {
  const best = [...chosen].sort((a, b) => b.score - a.score);
  const lines: ScoredSentence[] = [];
  let left = request.abstractTokens;
  const costs = await counter.texts(best.map((sentence) => `${sentence.text} `));
  best.forEach((sentence, index) => {
    const cost = costs[index] ?? Infinity;
    if (cost > left) return;
    left -= cost;
    lines.push(sentence);
  });
  lines.sort((a, b) => a.turn.sequence - b.turn.sequence || a.position - b.position);
  return lines.length > 0 ? lines.map((line) => line.text).join(' ') : describe(request.turns);
}
