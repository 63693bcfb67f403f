/** Names of parts that have a colour of their own, in the order in which they stand in a bar. */
const knownParts = [
  'lexical',
  'vector',
  'title',
  'alias',
  'link',
  'parent',
  'neighbour',
  'related',
  'speaker',
  'time',
  'statement',
  'intent',
  'hotness',
  'pinned',
  'source',
  'anchor',
] as const;

export type PartTone = (typeof knownParts)[number] | 'other';

export interface ScorePart {
  readonly name: string;
  readonly tone: PartTone;
  readonly value: number;
}

const meanings: Readonly<Record<string, string>> = {
  lexical: 'Words of the query that stand in it, weighed by how rare they are (BM25)',
  vector: 'Nearness of meaning, by the embedder',
  title: 'The query names its title',
  alias: 'The query names it, by title or alias',
  link: 'Reached through links from what the query names',
  parent: 'Lent by what it is part of',
  neighbour: 'Lent by turns beside it that match',
  speaker: 'The question names who said it',
  time: 'It falls into the time that the question is about',
  statement: 'Added for what states something, taken away for what asks itself',
  intent: 'Its kind is what such a question is about',
  related: 'Words that go together with those of the query in what was found',
  pinned: 'You pinned it',
  anchor: 'Taken away from the page that the question is about, where others answer it',
  hotness: 'Used often, or lately',
  source: 'Taken away from journals and logs, which repeat whatever was talked about',
};

export function partTone(name: string): PartTone {
  return knownParts.find((one) => one === name) ?? 'other';
}

export function partMeaning(name: string): string {
  return meanings[name] ?? 'A part of the score that this page has no words for';
}

/** The parts of a score in the order of the legend; those of nothing are left out, those that take away stand last. */
export function scoreParts(parts: Readonly<Record<string, number>>): readonly ScorePart[] {
  return Object.entries(parts)
    .filter(([, value]) => value !== 0)
    .map(([name, value]): ScorePart => ({ name, tone: partTone(name), value }))
    .sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1));
}

/** Every part that occurs, each once, for the legend. */
export function legendParts(
  candidates: readonly { readonly parts: Readonly<Record<string, number>> }[],
): readonly string[] {
  const names = new Set(candidates.flatMap(({ parts }) => Object.keys(parts).filter((name) => parts[name] !== 0)));
  return scoreParts(Object.fromEntries(Array.from(names, (name) => [name, 1]))).map(({ name }) => name);
}

function rank({ tone, value }: ScorePart): number {
  const at = knownParts.findIndex((one) => one === tone);
  return (at < 0 ? knownParts.length : at) + (value < 0 ? 100 : 0);
}
