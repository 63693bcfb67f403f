import type { RecallCandidate, RecallIntent, RecallResult, RecallSource } from '../../src-shared/model/recall.ts';
import { formatCount, formatNoun, formatScore } from './format-number.ts';

export const recallSources: readonly RecallSource[] = ['page', 'turn', 'checkpoint'];

export function sourceWord(source: RecallSource): string {
  switch (source) {
    case 'page':
      return 'Page';
    case 'turn':
      return 'Turn';
    case 'checkpoint':
      return 'Summary';
  }
}

export function sourceWords(source: RecallSource): string {
  return source === 'checkpoint' ? 'Summaries' : `${sourceWord(source)}s`;
}

const levels = ['abstract', 'overview', 'full text'] as const;

/** What of the candidate matched best. */
export function levelWord(level: number): string {
  return levels[level] ?? `level ${level}`;
}

export function intentMeaning(intent: RecallIntent): string {
  switch (intent) {
    case 'general':
      return 'No rule speaks for one kind of memory: everything counts as it matches';
    case 'preference':
      return 'Asks what somebody likes or wants: preferences and profile weigh more';
    case 'procedure':
      return 'Asks how something is done: skills and patterns weigh more';
    case 'document':
      return 'Asks for a text: overviews and whole texts weigh more';
    case 'event':
      return 'Asks what happened, or when: events and turns weigh more';
    case 'entity':
      return 'Asks about one person, project or thing: its own page weighs more';
    case 'relation':
      return 'Asks who is related to what: answered through the links between pages';
  }
}

/** `who works at → Acme`, as the question was understood. */
export function relationWords({ types, anchors, hops }: NonNullable<RecallResult['relation']>): string {
  const type = types.map((name) => name.replaceAll('_', ' ')).join(' or ');
  const anchor = anchors.length === 0 ? 'nothing that is known' : anchors.join(', ');
  return `${type === '' ? 'any relation' : type} → ${anchor}${hops > 1 ? `, over ${formatNoun(hops, 'link')}` : ''}`;
}

/** Why a candidate is in the answer or not; stands behind the word for which of the two it is. */
export function candidateClause(candidate: RecallCandidate): string {
  const { reason, threshold, tokens, score } = candidate;
  const compared = threshold === undefined ? '' : `, ${formatScore(score)} < ${formatScore(threshold)}`;
  switch (reason) {
    case 'packed':
      return `good enough, and it fits, ${formatNoun(tokens, 'token')}`;
    case 'pinned':
      return `it is pinned, ${formatNoun(tokens, 'token')}`;
    case 'below_threshold':
      return `below the threshold${compared}`;
    case 'duplicate':
      return 'another candidate says the same';
    case 'superseded':
      return 'another page holds instead';
    case 'over_budget':
      return threshold === undefined
        ? `over the budget, ${formatNoun(tokens, 'token')} needed`
        : `over the budget, ${formatNoun(tokens, 'token')} needed, ${formatCount(threshold)} allowed`;
    case 'over_limit':
      return `over the limit${threshold === undefined ? ' of results' : ` of ${formatNoun(threshold, 'result')}`}`;
    case 'already_in_context':
      return 'it is in the context already';
    case 'abstained':
      return `nothing was good enough to answer with${compared}`;
  }
}

/** `Left out: below the threshold, 0.31 < 0.35`. */
export function candidateSentence(candidate: RecallCandidate): string {
  return `${candidate.packed ? 'Packed' : 'Left out'}: ${candidateClause(candidate)}`;
}

/** How the search ended, in one sentence. What is pinned is packed whatever was asked. */
export function outcomeSentence(result: RecallResult, budget: number): string {
  const packed = result.candidates.filter((candidate) => candidate.packed);
  const pinned = packed.filter((candidate) => candidate.reason === 'pinned').length;
  const share = `${formatCount(result.tokens)} of ${formatNoun(budget, 'token')}`;
  const others = result.considered - pinned;
  if (packed.length === pinned && (result.abstained || others === 0)) {
    const why =
      others === 0
        ? 'Nothing in memory matches a word of it'
        : `Abstained: of ${formatNoun(others, 'candidate')} none was good enough to answer with`;
    return pinned === 0
      ? `${why}.`
      : `${why}; ${pinned === 1 ? 'the pinned page is' : `${formatCount(pinned)} pinned pages are`} packed all the same, ${share}.`;
  }
  return `${formatCount(packed.length)} of ${formatNoun(result.considered, 'candidate')} packed, ${share}.`;
}
