/** Behind so many characters without white space nothing is a word any more: base64, hashes, minified code. */
const longestWord = 24;

/**
 * Tokens guessed from characters, for when there is no time or no way to count. Errs upwards for running text of any
 * script, by up to 2.5 times.
 */
export function estimateCharacters(text: string): number {
  let tokens = 0;
  let word = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    word = code <= 0x20 ? 0 : word + 1;
    tokens += tokensOf(code, word);
  }
  return Math.ceil(tokens);
}

function tokensOf(code: number, word: number): number {
  // Chinese, Japanese, Korean; each half of an emoji.
  if (code > 0x2e7f) return 1.2;
  // Greek to Thai and beyond; before them accented Latin.
  if (code >= 0x370) return 0.6;
  if (code >= 0x80) return 0.5;
  if (word > longestWord) return 0.85;
  const letter = code | 0x20;
  return code <= 0x20 || (letter >= 0x61 && letter <= 0x7a) ? 0.3 : 0.7;
}
