import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';

/** Stretches that the tokenizer takes as one word are cut at this length (UTF-16 units): merging them is quadratic. */
const longestRun = 256;

const anySpecial = { disallowedSpecial: new Set<string>() };

/**
 * Tokens of a text by o200k_base. Special tokens written in a text count as plain text. Unbroken runs (Chinese,
 * base64, minified code, blank lines) are counted in pieces of 256 characters: two hundred thousand spaces would take
 * a minute in one piece. Each cut adds a token at most, some 1 % in all.
 */
export function countO200k(text: string): number {
  let tokens = 0;
  for (const piece of pieces(text)) tokens += countTokens(piece, anySpecial);
  return tokens;
}

function* pieces(text: string): Iterable<string> {
  let start = 0;
  let runStart = 0;
  for (let index = 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (startsWord(code, text.charCodeAt(index - 1))) {
      runStart = index;
    } else if (index - runStart >= longestRun && !isLowSurrogate(code)) {
      yield text.slice(start, index);
      start = index;
      runStart = index;
    }
  }
  if (start < text.length) yield text.slice(start);
}

/** The tokenizer never joins these two: white space behind something else. Only line breaks may belong to a slash. */
function startsWord(code: number, before: number): boolean {
  return isSpace(code) && !isSpace(before) && before !== slash;
}

const slash = 0x2f;

/** What a regular expression calls white space, as the tokenizer does. */
function isSpace(code: number): boolean {
  if (code < 0xa0) return code === 0x20 || (code >= 0x09 && code <= 0x0d);
  return code === 0xa0 || code === 0xfeff || code === 0x3000 || code === 0x1680 || isGeneralSpace(code);
}

function isGeneralSpace(code: number): boolean {
  return (code >= 0x2000 && code <= 0x200a) || code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f;
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff;
}
