import type { TokenCounter } from '../tokens/token-counter.ts';
import { listIdentifiers } from './list-identifiers.ts';
import { Pacer } from './pacer.ts';
import { knownRequests, repairRequests } from './pending-requests.ts';
import { withoutControls } from './plain-text.ts';
import type { ReadSummary } from './read-summary.ts';
import { runningSubagents } from './running-subagents.ts';
import type { Summary, SummaryRequest } from './summariser.ts';
import { noLines, renderSections, type SectionLines, type SectionName } from './summary-sections.ts';
import { paragraphOf, tidyLines } from './tidy-lines.ts';
import { uncoveredTurns } from './uncovered-turns.ts';

export type ComposedSummary = Pick<
  Summary,
  'abstract' | 'overview' | 'identifiersKept' | 'identifiersRepaired' | 'identifiersLost' | 'uncovered'
>;

/** How much longer than asked for the sections of a writer may be before lines are left out. */
const tolerance = 1.25;

/**
 * Makes what a writer wrote a summary in our form, whoever wrote it: sections in their order, the newest unresolved
 * request first and finished ones marked, every running sub-agent, lost identifiers put back, and a list of the turns
 * that nothing speaks of.
 */
export async function composeSummary(
  draft: Pick<ReadSummary, 'abstract' | 'lines'>,
  asked: SummaryRequest,
  counter: TokenCounter,
): Promise<ComposedSummary> {
  const pacer = new Pacer();
  const request = plainRequest(asked);
  await pacer.pauseIfDue();
  const { pending, settled } = repairRequests(draft.lines.requests, await knownRequests(request));
  const repaired: SectionLines = {
    ...draft.lines,
    identifiers: [],
    requests: pending,
    subagents: runningSubagents(request, draft.lines.subagents),
    facts: [...draft.lines.facts, ...settled],
  };
  await pacer.pauseIfDue();
  const prose = await fitLines(tidyLines(repaired), request.overviewTokens * tolerance, counter);
  const text = renderSections(prose);
  await pacer.pauseIfDue();
  const identifiers = await listIdentifiers(text, draft.lines.identifiers, request, counter);
  const overview = renderSections({ ...prose, identifiers: identifiers.lines });
  // That identifiers of a turn are listed, or a sub-agent that it named, does not tell what the turn said.
  const speaking = { ...prose, subagents: prose.subagents.filter((line) => draft.lines.subagents.includes(line)) };
  return {
    abstract: await fitAbstract(
      paragraphOf(draft.abstract === '' ? firstLines(prose) : [draft.abstract]),
      request.abstractTokens,
      counter,
    ),
    overview,
    identifiersKept: identifiers.kept,
    identifiersRepaired: identifiers.repaired,
    identifiersLost: identifiers.lost,
    uncovered: await uncoveredTurns(request.turns, Object.values(speaking).flat()),
  };
}

/** Sections in which lines are left out when there are too many, the first of a section first. */
const dispensable: readonly SectionName[] = ['facts', 'decisions', 'tasks'];

/** Leaves out lines until the rest fits; pending requests, rules and sub-agents always stay. */
async function fitLines(lines: SectionLines, limit: number, counter: TokenCounter): Promise<SectionLines> {
  const names = Object.keys(noLines) as SectionName[];
  const flat = names.flatMap((name) => lines[name].map((line) => ({ name, line })));
  const costs = await counter.texts(flat.map(({ line }) => `- ${line}\n`));
  let total = costs.reduce((sum, cost) => sum + cost, 0);
  const dropped = new Set<number>();
  for (const name of dispensable) {
    let left = flat.filter((one) => one.name === name).length;
    flat.forEach((one, index) => {
      // The last line of a section stays, so that a long one does not silence the others.
      if (one.name !== name || total <= limit || left <= 1) return;
      dropped.add(index);
      total -= costs[index] ?? 0;
      left -= 1;
    });
  }
  const kept: Record<SectionName, string[]> = {
    decisions: [],
    tasks: [],
    rules: [],
    requests: [],
    identifiers: [],
    subagents: [],
    facts: [],
  };
  flat.forEach(({ name, line }, index) => {
    if (!dropped.has(index)) kept[name].push(line);
  });
  return kept;
}

function firstLines({ decisions, requests, tasks, rules, facts }: SectionLines): readonly string[] {
  const news = facts.filter((line) => !/^\[(?:done|withdrawn|asked)\]/.test(line));
  const told = news.length > 0 ? news : facts;
  const lines = [decisions[0], requests[0], tasks[0], told.at(-1), told[0]].filter((line) => line !== undefined);
  return lines.length > 0 ? lines : rules.slice(0, 2);
}

/** What is quoted is quoted without characters that nobody sees; texts that have none stay the same. */
function plainRequest(request: SummaryRequest): SummaryRequest {
  const { turns, previous } = request;
  return {
    ...request,
    turns: turns.map((turn) => ({ ...turn, text: withoutControls(turn.text) })),
    ...(previous ? { previous: previous.map((one) => ({ ...one, overview: withoutControls(one.overview) })) } : {}),
  };
}

/** The abstract's sentences while they fit; of a single long one its beginning. */
async function fitAbstract(text: string, tokens: number, counter: TokenCounter): Promise<string> {
  const limit = Math.max(1, tokens) * tolerance;
  if ((await counter.text(text)) <= limit) return text;
  const sentences = text.split(/(?<=[.!?])\s+|(?<=[。！？])/u);
  const costs = await counter.texts(sentences);
  let kept = '';
  let left = limit;
  for (const [index, sentence] of sentences.entries()) {
    left -= costs[index] ?? Infinity;
    if (left < 0) break;
    kept = kept === '' ? sentence : `${kept} ${sentence}`;
  }
  return kept === '' ? `${text.slice(0, Math.ceil(2 * limit)).toWellFormed()}…` : kept;
}
