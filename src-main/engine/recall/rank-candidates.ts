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
import { questionWorth, type QuestionWorth } from './term-worth.ts';

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
  const linked = new Map(gathered.answers.map(({ uri, score }) => [uri, score * linkWorth]));
  const scored = [
    ...scorePages(bySource.get('page') ?? [], question, worth, { named: gathered.named, linked }, using),
    ...scoreTurns(turns, question, turnWorth, weights),
    ...scoreCheckpoints(bySource.get('checkpoint') ?? [], worth, weights),
  ];
  const candidates = scored
    .map((candidate) => favour(candidate, question))
    .map((candidate) =>
      candidate.hit.source === 'page'
        ? addHotness(candidate, gathered.uses.get(candidate.hit.uri), now, weights.hotness)
        : candidate,
    )
    .sort((one, other) => other.score - one.score || compare(one.hit.uri, other.hit.uri));
  return { candidates, worth };
}

/** The best that links alone are worth: what they lead to was asked for, but its text says nothing of it. */
const linkWorth = 0.9;

function favour(candidate: Scored, question: Question): Scored {
  const factor = favourOf(question.intent, candidate.hit.source, candidate.hit.kind);
  const intent = Math.min(1 - candidate.score, candidate.score * (factor - 1));
  if (intent <= 0) return candidate;
  return { ...candidate, score: candidate.score + intent, parts: { ...candidate.parts, intent } };
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
