import { contentWords } from './content-words.ts';
import { Pacer } from './pacer.ts';
import type { SourceTurn } from './summariser.ts';

/** Share of a line's words that a turn must have for the line to speak of it. */
const sameWords = 0.6;
/** Words that few turns have; two of them in one line name a turn as well as most of the line's words do. */
const rareShare = 0.05;
const rareWords = 2;

/**
 * Sequences of turns that no line of a summary speaks of, judged by words: a line speaks of a turn that has most of its
 * words, or two that few other turns have. Turns that say next to nothing ("ok, thanks") are not missed. A paraphrase
 * in other words counts as uncovered; the list errs on the side of showing too much.
 */
export async function uncoveredTurns(turns: readonly SourceTurn[], lines: readonly string[]): Promise<number[]> {
  const pacer = new Pacer();
  const lineSizes: number[] = [];
  const linesOf = new Map<string, number[]>();
  lines.forEach((line, index) => {
    const words = contentWords(line);
    lineSizes.push(words.size);
    for (const word of words) {
      const known = linesOf.get(word);
      if (known) known.push(index);
      else linesOf.set(word, [index]);
    }
  });
  // Only words of the summary matter; the rest of a turn is not kept.
  const shared: { readonly sequence: number; readonly words: readonly string[] }[] = [];
  const turnsWith = new Map<string, number>();
  for (const turn of turns) {
    const words = contentWords(turn.text);
    if (words.size >= rareWords) {
      const common = [...words].filter((word) => linesOf.has(word));
      for (const word of common) turnsWith.set(word, (turnsWith.get(word) ?? 0) + 1);
      shared.push({ sequence: turn.sequence, words: common });
    }
    if (pacer.isDue()) await pacer.pause();
  }
  const isRare = (word: string): boolean => (turnsWith.get(word) ?? 0) <= Math.max(2, rareShare * turns.length);
  const uncovered: number[] = [];
  for (const { sequence, words } of shared) {
    const hits = new Map<number, { all: number; rare: number }>();
    for (const word of words) {
      for (const line of linesOf.get(word) ?? []) {
        const hit = hits.get(line) ?? { all: 0, rare: 0 };
        hit.all += 1;
        if (isRare(word)) hit.rare += 1;
        hits.set(line, hit);
      }
    }
    const isCovered = [...hits].some(
      ([line, { all, rare }]) => rare >= rareWords || all >= Math.max(1, sameWords * (lineSizes[line] ?? Infinity)),
    );
    if (!isCovered) uncovered.push(sequence);
    if (pacer.isDue()) await pacer.pause();
  }
  return uncovered;
}
