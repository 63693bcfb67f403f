import type { QuestionWorth } from './term-worth.ts';

/** Fewer texts tell nothing of which words go together. */
const fewestTexts = 30;
/** Words of a text that are looked at: long texts have all words together. */
const mostWords = 200;
/** Texts in which two words must meet, and how closely they must go together. */
const fewestMeetings = 3;
const leastCloseness = 0.5;
/** A word that is in more than this share of the texts goes with everything. */
const commonShare = 1 / 8;

/**
 * How much of the question each text has by words that go with those of the question, where it has not the words
 * themselves; 0 to 1. Which words go together is learned from these texts alone: somebody who paints says canvas and easel
 * beside it. By normalised pointwise mutual information (Bouma 2009): ln(p(x,y) / (p(x)·p(y))) / -ln p(x,y).
 * @param texts stems of each
 */
export function relatedShares(texts: readonly (readonly string[])[], worth: QuestionWorth): Float64Array {
  const shares = new Float64Array(texts.length);
  if (texts.length < fewestTexts || worth.total === 0) return shares;
  const sets = texts.map((words) => new Set(words.length > mostWords ? words.slice(0, mostWords) : words));
  const counts = new Map<string, number>();
  for (const words of sets) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  for (const { stem, worth: value } of worth.stems) {
    const related = goingWith(stem, sets, counts);
    if (related.length === 0) continue;
    sets.forEach((words, index) => {
      // The closest come first.
      const closest = words.has(stem) ? undefined : related.find(([word]) => words.has(word));
      if (closest) shares[index] = (shares[index] ?? 0) + (value * closest[1]) / worth.total;
    });
  }
  return shares;
}

/** Words with how closely they go with the given one, the closest first. */
function goingWith(
  stem: string,
  sets: readonly ReadonlySet<string>[],
  counts: ReadonlyMap<string, number>,
): (readonly [word: string, closeness: number])[] {
  const own = counts.get(stem) ?? 0;
  if (own < fewestMeetings) return [];
  const meetings = new Map<string, number>();
  for (const words of sets) {
    if (words.has(stem)) for (const word of words) meetings.set(word, (meetings.get(word) ?? 0) + 1);
  }
  const related: [string, number][] = [];
  for (const [word, met] of meetings) {
    const count = counts.get(word) ?? 0;
    if (word === stem || met < fewestMeetings || count > sets.length * commonShare) continue;
    const closeness = Math.log((met * sets.length) / (own * count)) / -Math.log(met / sets.length);
    if (closeness >= leastCloseness) related.push([word, Math.min(1, closeness)]);
  }
  return related.sort((one, other) => other[1] - one[1]);
}
