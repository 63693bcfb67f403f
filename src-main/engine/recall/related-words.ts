import type { TextWords } from './row-words.ts';
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
 */
export function relatedShares(
  texts: readonly TextWords[],
  worth: QuestionWorth,
  book: { readonly count: number; idOf(stem: string): number },
): Float64Array {
  const shares = new Float64Array(texts.length);
  if (texts.length < fewestTexts || worth.total === 0) return shares;
  const sets = texts.map(earlyWords);
  const counts = new Int32Array(book.count);
  for (const words of sets) for (const word of words) counts[word] = (counts[word] ?? 0) + 1;
  for (const { stem, worth: value } of worth.stems) {
    const asked = book.idOf(stem);
    const closeness = goingWith(asked, sets, counts);
    if (!closeness) continue;
    sets.forEach((words, index) => {
      let closest = 0;
      for (const word of words) {
        if (word === asked) return;
        closest = Math.max(closest, closeness[word] ?? 0);
      }
      if (closest > 0) shares[index] = (shares[index] ?? 0) + (value * closest) / worth.total;
    });
  }
  return shares;
}

/** Each of the first words once. */
function earlyWords({ stems, distinct }: TextWords): Int32Array {
  if (stems.length <= mostWords) return distinct;
  // By their first places: those of the beginning come first.
  return distinct.subarray(0, new Set(stems.subarray(0, mostWords)).size);
}

/** How closely words go with the given one, by word; 0: not at all. Undefined when none does. */
function goingWith(asked: number, sets: readonly Int32Array[], counts: Int32Array): Float64Array | undefined {
  const own = counts[asked] ?? 0;
  if (own < fewestMeetings) return undefined;
  const meetings = new Int32Array(counts.length);
  const met: number[] = [];
  for (const words of sets) {
    if (!words.includes(asked)) continue;
    for (const word of words) {
      const times = (meetings[word] ?? 0) + 1;
      meetings[word] = times;
      if (times === fewestMeetings) met.push(word);
    }
  }
  let related: Float64Array | undefined;
  for (const word of met) {
    const [times, count] = [meetings[word] ?? 0, counts[word] ?? 0];
    if (word === asked || count > sets.length * commonShare) continue;
    const closeness = Math.log((times * sets.length) / (own * count)) / -Math.log(times / sets.length);
    if (closeness < leastCloseness) continue;
    related ??= new Float64Array(counts.length);
    related[word] = Math.min(1, closeness);
  }
  return related;
}
