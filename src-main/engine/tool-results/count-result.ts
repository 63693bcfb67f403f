import type { ToolResultReply } from '../../../src-shared/protocol/tool-result.ts';
import { estimateCharacters } from '../tokens/estimate-characters.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** Longer texts are estimated: to count ten million characters takes seconds, and nothing is decided by them. */
const longestCounted = 200_000;

/**
 * Tokens of the text of a tool result.
 * @param estimate of a long text
 */
export async function countResult(
  text: string,
  counter: TokenCounter,
  estimate: (text: string) => number = estimateCharacters,
): Promise<Pick<ToolResultReply, 'tokens' | 'counter'>> {
  return text.length > longestCounted
    ? { tokens: estimate(text), counter: 'characters' }
    : { tokens: await counter.text(text), counter: 'tokenizer' };
}
