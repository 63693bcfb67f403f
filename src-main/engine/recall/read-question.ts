import type { RecallIntent } from '../../../src-shared/model/recall.ts';
import { queryTerms } from '../memory/indexing/segment-words.ts';
import { findIntent } from './find-intent.ts';
import { timeSpanOf, type TimeSpan } from './time-span.ts';
import { formsOf, stemOf } from './word-forms.ts';

export interface QuestionWord {
  readonly word: string;
  readonly stem: string;
  /** 1 for words of the question itself, less for those of earlier turns. */
  readonly weight: number;
}

/** A query as it is understood before anything is searched. */
export interface Question {
  readonly text: string;
  readonly intent: RecallIntent;
  readonly words: readonly QuestionWord[];
  /** Words for the index, with their irregular forms. */
  readonly terms: readonly { readonly term: string; readonly weight: number }[];
  readonly span: TimeSpan | undefined;
  readonly asksWhen: boolean;
  readonly asksHowMany: boolean;
}

/** A pasted text has more words than a question; those after these are not searched for. */
const mostWords = 64;
const mostEarlierWords = 24;
/** Weight of words from the turn before; each turn further back counts half of the one after it. */
const earlierWeight = 0.25;

export function readQuestion(query: string, earlier: readonly string[], now: number): Question {
  const words = new Map<string, QuestionWord>();
  for (const word of queryTerms(query).slice(0, mostWords)) add(words, word, 1);
  let weight = earlierWeight;
  for (const turn of earlier.toReversed()) {
    for (const word of queryTerms(turn).slice(0, mostEarlierWords)) add(words, word, weight);
    weight /= 2;
  }
  const terms = [...words.values()].flatMap(({ word, weight: worth }) =>
    formsOf(word).map((term) => ({ term, weight: worth })),
  );
  return {
    text: query,
    intent: findIntent(query),
    words: [...words.values()],
    terms,
    span: timeSpanOf(query, now),
    asksWhen:
      /^\s*(?:when|how long|what (?:date|day|month|year|time)|which (?:month|year|day))\b|什么时候|何时|几点|哪天|多久/iu.test(
        query,
      ),
    asksHowMany: /^\s*how (?:many|much|often|old)\b|多少|几(?:个|次|岁)/iu.test(query),
  };
}

function add(words: Map<string, QuestionWord>, word: string, weight: number): void {
  const stem = stemOf(word);
  if (!words.has(stem)) words.set(stem, { word, stem, weight });
}
