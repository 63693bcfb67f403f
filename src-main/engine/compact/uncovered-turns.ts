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
 * words (two at least), or two that few other turns have. Turns that say next to nothing ("ok, thanks") are not missed. A paraphrase
 * in other words counts as uncovered; the list errs on the side of showing too much.
 */
export async function uncoveredTurns(turns: readonly SourceTurn[], lines: readonly string[]): Promise<number[]> {
  const pacer = new Pacer();
  const index = indexLines(lines);
  const telling: { readonly sequence: number; readonly words: readonly Entry[] }[] = [];
  for (const turn of turns) {
    const words = contentWords(turn.text);
    if (words.size >= rareWords) {
      // Only words of the summary matter; the rest of a turn is not kept.
      const shared: Entry[] = [];
      for (const word of words) {
        const entry = index.entries.get(word);
        if (!entry) continue;
        entry.turns += 1;
        shared.push(entry);
      }
      telling.push({ sequence: turn.sequence, words: shared });
    }
    if (pacer.isDue()) await pacer.pause();
  }
  const rare = Math.max(2, rareShare * turns.length);
  const uncovered: number[] = [];
  for (const { sequence, words } of telling) {
    if (!isCovered(words, index.sizes, rare)) uncovered.push(sequence);
    if (pacer.isDue()) await pacer.pause();
  }
  return uncovered;
}

/** A word of the summary: the lines that have it, and how many turns do. */
interface Entry {
  readonly lines: number[];
  turns: number;
}

function indexLines(lines: readonly string[]): { readonly sizes: number[]; readonly entries: Map<string, Entry> } {
  const entries = new Map<string, Entry>();
  const sizes = lines.map((line, at) => {
    const words = contentWords(line);
    for (const word of words) {
      const known = entries.get(word);
      if (known) known.lines.push(at);
      else entries.set(word, { lines: [at], turns: 0 });
    }
    return words.size;
  });
  return { sizes, entries };
}

function isCovered(words: readonly Entry[], sizes: readonly number[], rare: number): boolean {
  const all = new Uint16Array(sizes.length);
  const rareOnes = new Uint16Array(sizes.length);
  for (const { lines, turns } of words) {
    for (const line of lines) {
      const same = (all[line] ?? 0) + 1;
      all[line] = same;
      if (same >= rareWords && same >= sameWords * (sizes[line] ?? Infinity)) return true;
      if (turns > rare) continue;
      const few = (rareOnes[line] ?? 0) + 1;
      rareOnes[line] = few;
      if (few >= rareWords) return true;
    }
  }
  return false;
}
