import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Runs without a space longer than this are cut: byte-pair merging is quadratic in the length of a run. */
const longestRun = 256;

const anySpecial = { disallowedSpecial: new Set<string>() };
const longRuns = new RegExp(`\\S{${longestRun + 1},}`, 'u');

/**
 * Tokens of a text by o200k_base. Special tokens written in a text count as plain text. Unbroken runs (Chinese,
 * base64, minified code) are counted in pieces of 256 characters, which adds at most one token per piece.
 */
export function countO200k(text: string): number {
  if (!longRuns.test(text)) return countTokens(text, anySpecial);
  let tokens = 0;
  for (const piece of pieces(text)) tokens += countTokens(piece, anySpecial);
  return tokens;
}

function* pieces(text: string): Iterable<string> {
  let start = 0;
  let runStart = 0;
  for (let index = 0; index < text.length; index += 1) {
    if (isSpace(text.charCodeAt(index))) {
      runStart = index + 1;
    } else if (index - runStart >= longestRun && !isLowSurrogate(text.charCodeAt(index))) {
      yield text.slice(start, index);
      start = index;
      runStart = index;
    }
  }
  if (start < text.length) yield text.slice(start);
}

function isSpace(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
