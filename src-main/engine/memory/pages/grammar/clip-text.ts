import { estimateCharacters } from '../../../tokens/estimate-characters.ts';

/** Enough characters for any number of tokens that is asked for here; what lies behind is not looked at. */
const charactersPerToken = 12;

/**
 * The beginning of a text that takes about `tokens` tokens at most: whole sentences where one ends in time, else whole
 * words, with `…` where something is missing. Never half an emoji.
 */
export function clipText(text: string, tokens: number): string {
  const whole = text.trim();
  if (whole.length <= tokens * charactersPerToken && estimateCharacters(whole) <= tokens) return whole;
  const fitting = fittingCharacters(whole, tokens);
  const head = whole.slice(0, fitting);
  const sentence = lastSentenceEnd(head);
  if (sentence > fitting / 3) return head.slice(0, sentence).trim();
  const space = head.lastIndexOf(' ');
  const cut = space > fitting / 2 ? space : fitting;
  // A surrogate at the cut would be half a character.
  return `${head
    .slice(0, cut)
    .trimEnd()
    .toWellFormed()
    .replace(/\ufffd$/, '')}…`;
}

function fittingCharacters(text: string, tokens: number): number {
  let low = 0;
  let high = Math.min(text.length, tokens * charactersPerToken);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (estimateCharacters(text.slice(0, middle)) <= tokens) low = middle;
    else high = middle - 1;
  }
  return low;
}

function lastSentenceEnd(text: string): number {
  for (let at = text.length - 1; at > 0; at -= 1) {
    const character = text.charAt(at);
    if ('。！？'.includes(character)) return at + 1;
    if (/\s/.test(character) && '.!?'.includes(text.charAt(at - 1))) return at;
    if (character === '\n') return at;
  }
  return 0;
}
