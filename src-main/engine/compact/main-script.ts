/** Scripts that tell languages apart at a glance. One Han character says about as much as three letters. */
const scripts = [
  ['latin', /\p{Script=Latin}/gu, 1],
  ['han', /\p{Script=Han}/gu, 3],
  ['kana', /[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 2],
  ['hangul', /\p{Script=Hangul}/gu, 2],
  ['cyrillic', /\p{Script=Cyrillic}/gu, 1],
  ['arabic', /\p{Script=Arabic}/gu, 1],
  ['hebrew', /\p{Script=Hebrew}/gu, 1],
  ['greek', /\p{Script=Greek}/gu, 1],
  ['devanagari', /\p{Script=Devanagari}/gu, 1],
  ['thai', /\p{Script=Thai}/gu, 1],
] as const;
export type Script = (typeof scripts)[number][0];

/** Share of each script in the prose of a text; code, addresses and names with marks in them belong to no language. */
export function scriptShares(text: string): ReadonlyMap<Script, number> {
  const prose = text.replace(/```[^]*?```|`[^`\n]*`/g, ' ').replace(/\S+/g, (word) => (marked.test(word) ? ' ' : word));
  const weights = scripts.map(([name, pattern, weight]): [Script, number] => [
    name,
    (prose.match(pattern)?.length ?? 0) * weight,
  ]);
  const total = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return new Map(weights.map(([name, weight]) => [name, total < fewest ? 0 : weight / total]));
}

const marked = /[\\/_=(){}<>]/;

/** Fewer letters than these say nothing of the language. */
const fewest = 40;

/** The script of most of a text; undefined where none has the upper hand. */
export function mainScript(text: string): Script | undefined {
  return [...scriptShares(text)].find(([, share]) => share >= 0.6)?.[0];
}
