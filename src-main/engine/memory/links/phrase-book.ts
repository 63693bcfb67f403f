import type { RelationType } from './relation-types.ts';
import { relationTypes } from './relation-types.ts';
import type { Word } from './words.ts';

/** On which side of a phrase the subject stands. `asking`: the phrase does not say. */
export type PhraseOrder = 'forward' | 'backward' | 'asking';

export interface PhraseHit {
  readonly relation: RelationType;
  readonly order: PhraseOrder;
  /** A noun for the subject or the object, not a verb. */
  readonly noun: 'subject' | 'object' | undefined;
  /** First word, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

interface Phrase extends Pick<PhraseHit, 'relation' | 'order' | 'noun'> {
  /** Words that may stand at each place; undefined: up to `longestSpread` words of any kind. */
  readonly parts: readonly (ReadonlySet<string> | undefined)[];
  readonly forQuestions: boolean;
}

const longestSpread = 4;
const leads = 'in|of|at|to|for|with|behind';
const lists = 'include|includes|including|included|are|is|were|was|like|named';

const phrasesByWord = bookOf(relationTypes);

/**
 * Phrases of relations among words `from` to `to`, in order of their beginning. Linear: each word is looked up once, and a
 * phrase looks at a bounded number of words.
 */
export function findPhrases(
  words: readonly Word[],
  options: { readonly questions: boolean },
  breaks: (index: number) => boolean = () => false,
): readonly PhraseHit[] {
  const hits: PhraseHit[] = [];
  for (let from = 0; from < words.length; from += 1) {
    for (const phrase of phrasesByWord.get(words[from]?.word ?? '') ?? []) {
      if (phrase.forQuestions && !options.questions) continue;
      const to = endOf(phrase.parts, 0, words, from, breaks);
      const { relation, order, noun } = phrase;
      if (to !== undefined) hits.push({ relation, order, noun, from, to });
    }
  }
  return hits;
}

function endOf(
  parts: Phrase['parts'],
  part: number,
  words: readonly Word[],
  at: number,
  breaks: (index: number) => boolean,
): number | undefined {
  if (part === parts.length) return at;
  const sentence = words[at - (part > 0 ? 1 : 0)]?.sentence;
  const allowed = parts[part];
  if (allowed) {
    const word = words[at];
    const fits = word?.sentence === sentence && allowed.has(word?.word ?? '') && !breaks(at);
    return fits ? endOf(parts, part + 1, words, at + 1, breaks) : undefined;
  }
  for (let skipped = 0; skipped <= longestSpread; skipped += 1) {
    const end = endOf(parts, part + 1, words, at + skipped, breaks);
    if (end !== undefined) return end;
    if (breaks(at + skipped) || words[at + skipped]?.sentence !== sentence) return undefined;
  }
  return undefined;
}

function bookOf(relations: readonly RelationType[]): ReadonlyMap<string, readonly Phrase[]> {
  const book = new Map<string, Phrase[]>();
  for (const phrase of relations.flatMap(phrasesOf)) {
    for (const word of phrase.parts[0] ?? []) book.set(word, [...(book.get(word) ?? []), phrase]);
  }
  return book;
}

function phrasesOf(relation: RelationType): readonly Phrase[] {
  const make = (
    texts: readonly string[],
    order: PhraseOrder,
    noun?: 'subject' | 'object',
    forQuestions = order === 'asking',
  ): Phrase[] => texts.flatMap((text) => spell(text).map((parts) => ({ relation, order, noun, parts, forQuestions })));
  const nouns = (texts: readonly string[], noun: 'subject' | 'object'): Phrase[] => {
    const [together, apart] =
      noun === 'subject' ? (['forward', 'backward'] as const) : (['backward', 'forward'] as const);
    return texts.flatMap((text) =>
      /\p{Script=Han}/u.test(text)
        ? make(
            [text, around(text, '', '是'), around(text, '', '为'), around(text, '', '包括'), around(text, '', '有')],
            apart,
            noun,
          )
        : [
            ...make([`${text} ${leads}`], together, noun),
            ...make([`${text} ${lists}`, `${text} such as`, text], apart, noun),
          ],
    );
  };
  return [
    ...make(relation.forward, 'forward'),
    ...make(relation.backward, 'backward'),
    ...make(relation.asking, 'asking'),
    ...nouns(relation.subjectNouns, 'subject'),
    ...nouns(relation.objectNouns, 'object'),
  ];
}

function around(alternatives: string, before: string, after: string): string {
  return alternatives
    .split('|')
    .map((word) => before + word + after)
    .join('|');
}

/** Chinese alternatives are sequences of characters, each a phrase of its own. */
function spell(text: string): readonly Phrase['parts'][] {
  if (/\p{Script=Han}/u.test(text)) {
    return text
      .split('|')
      .map((word) => [...word].filter((char) => /\p{L}/u.test(char)).map((char) => new Set([char])));
  }
  return [text.split(' ').map((part) => (part === '*' ? undefined : new Set(part.split('|'))))];
}
