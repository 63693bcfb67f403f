/** Han, Kana and Hangul: about one token each; of other letters about four make one. */
const wideLetters = /[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]/g;

/**
 * Tokens of a text, estimated from its characters: this page has no tokenizer. Within about 20 % of o200k_base for
 * prose; always shown with `≈`.
 */
export function estimateTokens(text: string): number {
  const wide = text.match(wideLetters)?.length ?? 0;
  return Math.ceil(wide + (text.length - wide) / 4);
}

export const estimateMeaning = 'Estimated from the number of characters; what is packed is counted by the engine.';
