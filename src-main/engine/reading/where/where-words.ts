import { queryTerms, segmentWords } from '../../memory/indexing/segment-words.ts';

/** Longer texts are looked at in their beginning (characters); a stored result may have ten million. */
const longestText = 400_000;

/** What is looked for, and how a text is told to have it. */
export class WhereWords {
  readonly terms: readonly string[];
  readonly #exact: string | undefined;

  constructor(query: string, isExact: boolean) {
    const terms = queryTerms(query);
    this.terms = terms.length > 0 ? terms : segmentWords(query).split(' ').filter(Boolean);
    this.#exact = isExact ? query : undefined;
  }

  /** The words that a text has; with an exact query all or none. */
  in(text: string): readonly string[] {
    const shown = text.slice(0, longestText);
    if (this.#exact !== undefined) return shown.includes(this.#exact) ? this.terms : [];
    const words = new Set(segmentWords(shown).split(' '));
    return this.terms.filter((term) => words.has(term));
  }

  /** Half of what is asked for, at least, is a hit; less is a coincidence. */
  isEnough(found: readonly string[]): boolean {
    return found.length > 0 && found.length * 2 >= this.terms.length;
  }

  /** Some words around the first place that has one of the words. */
  snippet(text: string): string {
    const shown = text.slice(0, longestText);
    const lower = shown.toLowerCase();
    const places = [this.#exact ?? '', ...this.terms]
      .filter((word) => word !== '')
      .map((word) => lower.indexOf(word.toLowerCase()))
      .filter((at) => at >= 0);
    const at = places[0] ?? 0;
    const start = Math.max(0, at - 80);
    const piece = shown
      .slice(start, at + 160)
      .replace(/\s+/gu, ' ')
      .trim()
      .toWellFormed();
    return `${start > 0 ? '…' : ''}${piece}${at + 160 < shown.length ? '…' : ''}`;
  }
}
