import type { HostMessage } from '../../src-shared/protocol/host-message.ts';

/** What hosts put around each message: role and separators. */
const wrapperTokens = 4;
/** As the daemon counts an image that it cannot measure. */
const imageTokens = 2_000;
/** Behind so many characters without white space nothing is a word any more: base64, hashes, minified code. */
const longestWord = 24;
/** Fields that reach the model; the others are the host's own notes. */
const sentFields = ['content', 'summary', 'command', 'output', 'tool_calls', 'toolName', 'name'] as const;
/** Deeper than tool arguments go; an object that contains itself ends here. */
const deepest = 32;

/**
 * Upper estimate of a message's tokens, for when the daemon does not count them: too high costs some room, too low
 * overflows the model's window. Takes values of any shape and never throws.
 */
export function tokenEstimate(message: unknown): number {
  if (typeof message !== 'object' || message === null) return wrapperTokens;
  const fields = message as HostMessage;
  return wrapperTokens + Math.ceil(sentFields.reduce((sum, name) => sum + estimate(fields[name], 0), 0));
}

function estimate(value: unknown, depth: number): number {
  if (typeof value === 'string') return estimateText(value);
  if (typeof value !== 'object' || value === null) return value === undefined ? 0 : 2;
  if (depth > deepest) return 0;
  if ('type' in value && value.type === 'image') return imageTokens;
  let tokens = 0;
  for (const [name, item] of Object.entries(value)) {
    // Quotes, colon and comma around each member, as in the serialised form that the model gets.
    tokens += 1.5 + (Array.isArray(value) ? 0 : estimateText(name)) + estimate(item, depth + 1);
  }
  return tokens;
}

function estimateText(text: string): number {
  let tokens = 0;
  let word = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    word = code <= 0x20 ? 0 : word + 1;
    tokens += tokensOf(code, word);
  }
  return tokens;
}

/** Tokens per UTF-16 unit, by script. */
function tokensOf(code: number, word: number): number {
  // Chinese, Japanese, Korean; each half of an emoji.
  if (code > 0x2e7f) return 1.2;
  // Greek to Thai and beyond; before them accented Latin.
  if (code >= 0x370) return 0.6;
  if (code >= 0x80) return 0.5;
  if (word > longestWord) return 0.85;
  const letter = code | 0x20;
  return code <= 0x20 || (letter >= 0x61 && letter <= 0x7a) ? 1 / 3 : 0.7;
}
