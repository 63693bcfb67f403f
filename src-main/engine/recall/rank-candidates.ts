import type { RecallRequest } from '../ports/recall.ts';
import { addHotness } from './add-hotness.ts';
import { favourOf } from './find-intent.ts';
import type { Gathered } from './gather-rows.ts';
import type { Question } from './read-question.ts';
import type { RecallWeights } from './recall-weights.ts';
import type { RowWords } from './row-words.ts';
import { scoreCheckpoints } from './score-checkpoints.ts';
import { scorePages } from './score-pages.ts';
import { scoreTurns, speakerStems } from './score-turns.ts';
import type { Scored } from './scored-row.ts';
import { queryTerms } from '../memory/indexing/segment-words.ts';
import type { RelationAnswer } from './relations/relation-plan.ts';
import { sourceWeight } from './source-weight.ts';
import { questionWorth, type QuestionWorth } from './term-worth.ts';
import { stemOf } from './word-forms.ts';

export interface Ranked {
  /** Best first; equal ones by URI. */
  readonly candidates: readonly Scored[];
  readonly worth: QuestionWorth;
}

/** Scores everything that was gathered, each source by its own rules, on one scale. */
export function rankCandidates(
  gathered: Gathered,
  question: Question,
  request: RecallRequest,
  using: { readonly weights: RecallWeights; readonly words: RowWords; readonly now: number },
): Ranked {
  const { weights, now } = using;
  const bySource = Map.groupBy(gathered.rows, ({ hit }) => hit.source);
  const turns = bySource.get('turn') ?? [];
  const worth = questionWorth(question, gathered.frequencies, new Set());
  const turnWorth = questionWorth(question, gathered.frequencies, speakerStems(turns, question));
  const { names, answers } = gathered;
  const linked = new Map(answers.map((answer) => [answer.uri, linkScore(answer)]));
  const nameStems = new Set(names.names.flatMap((name) => queryTerms(name).map(stemOf)));
  const scored = [
    ...scorePages(
      bySource.get('page') ?? [],
      question,
      worth,
      { named: names.named, namesakes: names.namesakes, nameStems, linked },
      using,
    ),
    ...scoreTurns(turns, question, turnWorth, using),
    ...scoreCheckpoints(bySource.get('checkpoint') ?? [], worth, using),
  ];
  const pinned = new Set(gathered.pinned.map(({ uri }) => uri));
  const candidates = scored
    .map((candidate) => favour(weighSource(candidate), question))
    .map((candidate) =>
      candidate.hit.source === 'page'
        ? addHotness(candidate, gathered.uses.get(candidate.hit.uri), now, weights.hotness)
        : candidate,
    )
    .map((candidate) => (pinned.has(candidate.hit.uri) ? lift(candidate) : candidate))
    .sort(byScore);
  return { candidates: belowAnswers(candidates, gathered).sort(byScore), worth };
}

/** What is pinned matters to its owner: as much as use and recency together. */
const pinnedWorth = 0.02;

function lift(candidate: Scored): Scored {
  const added = candidate.score <= 0 ? 0 : Math.min(1 - candidate.score, pinnedWorth);
  return { ...candidate, score: candidate.score + added, parts: { ...candidate.parts, pinned: added } };
}

/** An answer of the links is sure when they say the very relation that was asked for. */
const sureAnswer = 0.9;

/**
 * Where links say surely what was asked, the page that the question names is not what it asks for: it follows the answers.
 */
function belowAnswers(candidates: readonly Scored[], { relation, answers }: Gathered): Scored[] {
  const sure = new Set(answers.filter(({ score }) => score >= sureAnswer).map(({ uri }) => uri));
  const anchors = new Set(relation?.anchors.map(({ page }) => page.uri));
  if (relation?.shape !== 'follow' || sure.size === 0) return [...candidates];
  const least = candidates.reduce((low, { hit, score }) => (sure.has(hit.uri) ? Math.min(low, score) : low), 1);
  return candidates.map((candidate) => {
    const anchor = least * 0.999 - candidate.score;
    if (!anchors.has(candidate.hit.uri) || anchor >= 0) return candidate;
    return { ...candidate, score: candidate.score + anchor, parts: { ...candidate.parts, anchor } };
  });
}

function byScore(one: Scored, other: Scored): number {
  return other.score - one.score || compare(one.hit.uri, other.hit.uri);
}

/** The best that links alone are worth: what they lead to was asked for, but its text says nothing of it. */
const linkWorth = 0.9;
/** A page that a named one is in a stated relation with, when the question does not say which relation it is about. */
const statedWorth = 0.4;

function linkScore({ score, path }: RelationAnswer): number {
  const isStated = path.length === 1 && path.every(({ type }) => type !== 'mentions');
  return Math.max(score * linkWorth, isStated ? statedWorth : 0);
}

function weighSource(candidate: Scored): Scored {
  const weight = sourceWeight(candidate.hit);
  if (weight === 1) return candidate;
  const source = candidate.score * (weight - 1);
  return { ...candidate, score: candidate.score + source, parts: { ...candidate.parts, source } };
}

function favour(candidate: Scored, question: Question): Scored {
  const factor = favourOf(question.intent, candidate.hit.source, candidate.hit.kind);
  const intent = Math.min(1 - candidate.score, candidate.score * (factor - 1));
  if (intent <= 0) return candidate;
  return { ...candidate, score: candidate.score + intent, parts: { ...candidate.parts, intent } };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
