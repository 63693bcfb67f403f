/** How often a word stands in each column of a row. */
export interface ColumnCounts {
  title: number;
  aliases: number;
  body: number;
}

/** Counts by the number of the word. */
export type WordCounts = Map<number, ColumnCounts>;

/** A row's counts in one number of 16 bits: beyond these limits more of a word adds nothing that BM25 would show. */
const mostInBody = 1_023;
const mostInNames = 7;

/**
 * The words of a row as bytes: numbers of words in order, each as the distance from the one before; a word that stands
 * once in the body, as most do, takes no more. Varints, the lowest seven bits first; an odd number has counts behind it.
 */
export function encodeWords(counts: WordCounts): Buffer {
  const bytes: number[] = [];
  let last = 0;
  for (const id of [...counts.keys()].sort((one, other) => one - other)) {
    const packed = pack(counts.get(id));
    pushVarint(bytes, (id - last) * 2 + (packed === 1 ? 0 : 1));
    if (packed !== 1) pushVarint(bytes, packed);
    last = id;
  }
  return Buffer.from(bytes);
}

/** @param take gets each word with its packed counts, in order */
export function decodeWords(bytes: Uint8Array, take: (id: number, packed: number) => void): void {
  let id = 0;
  let at = 0;
  const varint = (): number => {
    let [value, factor] = [0, 1];
    for (;;) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
  };
  while (at < bytes.length) {
    const step = varint();
    id += Math.floor(step / 2);
    take(id, step % 2 === 0 ? 1 : varint());
  }
}

/** What packed counts come to with a weight for each column. */
export function weighed(packed: number, weights: ColumnCounts): number {
  return (
    (packed & mostInBody) * weights.body +
    ((packed >> 10) & mostInNames) * weights.title +
    (packed >> 13) * weights.aliases
  );
}

function pack(counts: ColumnCounts | undefined): number {
  const { title, aliases, body } = counts ?? { title: 0, aliases: 0, body: 0 };
  return Math.min(body, mostInBody) | (Math.min(title, mostInNames) << 10) | (Math.min(aliases, mostInNames) << 13);
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}
