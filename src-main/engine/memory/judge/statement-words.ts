const stop = new Set(
  `a an the of for in on at to with and or but is are was were be been being it its this that these those as by from has
  have had do does did will would can could should must may user user's their them they we our us i my me you your not no
  n't doesn don t s so just also really very much more most always usually generally normally typically mostly only still
  now from then than when while if because about into there here who which what please decided agreed settled go went
  going use using uses used 用户 我们 的 了 是 在 和 与 也 都 就 会 要 对 把 被 有 个`.split(/\s+/),
);

const feeling =
  /\b(?:prefer|like|love|enjoy|adore|favou?r|hate|dislike|detest|loathe|stand|avoid|want|fan|longer|never|stopp?|switch|again|ask|agent|instead|rather|over|anymore|remember|forget|decision|decide)\w*\b|更喜欢|不喜欢|喜欢|偏好|偏爱|讨厌|反感|习惯|希望|不再|再也不|从不|决定|采用|改用|忘记|以后|今后/giu;

const contrast =
  /(?:,? (?:and )?not |\b(?:instead of|rather than|in place of|over) |[，,]?(?:而不是|不是|代替|取代))[^,，;；。.]{1,80}/giu;

export interface StatementReading {
  /** Content words, stems in lower case; Chinese as pairs of characters. Without words of liking and of denial. */
  readonly words: ReadonlySet<string>;
  readonly isNegative: boolean;
  /** Numbers, dates and the like, in order. */
  readonly values: readonly string[];
}

const negative =
  /\b(?:not|never|no longer|hates?|hated|dislikes?|detests?|loathes?|avoids?|avoid|stop|stopped|without|cannot stand)\b|n't\b|n’t\b|不(?!过|仅|但|同|错|断)|讨厌|反感|禁止|切勿|严禁|别(?!的|人)/i;

/** What a statement says, for comparing it with another one. */
export function readStatement(text: string): StatementReading {
  const plain = text.normalize('NFKC').replace(contrast, ' ');
  return { words: wordsOf(plain), isNegative: negative.test(plain), values: valuesOf(plain) };
}

/** Share of the first one's words that the second one has; 0 where it has none. */
export function containment(inner: ReadonlySet<string>, outer: ReadonlySet<string>): number {
  if (inner.size === 0) return 0;
  let shared = 0;
  for (const word of inner) if (outer.has(word)) shared += 1;
  return shared / inner.size;
}

/** Dice's coefficient: 1 for the same words, 0 for none in common. */
export function similarity(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size + other.size === 0) return 0;
  return (2 * containment(one, other) * one.size) / (one.size + other.size);
}

/** Words of any phrase. */
export function wordsOf(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  const plain = text.normalize('NFKC').toLowerCase().replace(feeling, ' ');
  for (const [run] of plain.matchAll(/\p{Script=Han}+|[\p{L}\p{N}_]+(?:[.@:/+#-][\p{L}\p{N}_]+)*[+#]*/gu)) {
    if (/^\p{Script=Han}/u.test(run))
      addPairs(words, run.replace(/用户|我们|[的了是在和与也都就会要对把被有个吧]/gu, ' '));
    else if (!stop.has(run)) words.add(stem(run));
  }
  return words;
}

function addPairs(words: Set<string>, run: string): void {
  for (const part of run.split(' ')) {
    if (part.length === 1) words.add(part);
    for (let at = 0; at + 1 < part.length; at += 1) words.add(part.slice(at, at + 2));
  }
}

function stem(word: string): string {
  if (word.length < 4 || /[\d.@:/#+_-]/.test(word)) return word;
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=[^s])s$/, '')
    .replace(/(?<=\w{4})(?:ing|ed)$/, '')
    .replace(/(?<=\w{3})e$/, '');
}

function valuesOf(text: string): string[] {
  return text.match(/\d[\d.,:/-]*\d|\d/g) ?? [];
}
