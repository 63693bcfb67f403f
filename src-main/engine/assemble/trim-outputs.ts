import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { readMessage } from '../messages/read-message.ts';
import { trimMessage } from '../messages/trim-message.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { Choice } from './assemble-input.ts';

export interface ToTrim {
  readonly choice: Choice;
  /** As it would be sent whole. */
  readonly message: HostMessage;
}

export interface Trimmed {
  /** Undefined where there was nothing to cut: the message goes as it is. */
  readonly message: HostMessage | undefined;
  readonly tokens: number;
}

const attempts = 10;

/**
 * Cuts each message to its limit, the smallest first: what cannot be cut (tool arguments, images) takes more than its
 * limit, and that much less is left to the larger ones.
 */
export async function trimOutputs(
  wanted: readonly ToTrim[],
  format: MessageFormat,
  counter: TokenCounter,
): Promise<ReadonlyMap<string, Trimmed>> {
  const trimmed = new Map<string, Trimmed>();
  let owed = 0;
  const smallestFirst = [...wanted].sort((a, b) => a.choice.candidate.tokens - b.choice.candidate.tokens);
  for (const { choice, message } of smallestFirst) {
    const limit = Math.max(0, choice.tokensAfter - owed);
    const result = await trimOne(choice, message, limit, format, counter);
    owed = Math.max(0, owed - choice.tokensAfter + result.tokens);
    trimmed.set(choice.candidate.item, result);
  }
  return trimmed;
}

/** Text is not cut by tokens but by characters, so it takes some attempts; the last one leaves as little as possible. */
async function trimOne(
  { candidate }: Choice,
  message: HostMessage,
  limit: number,
  format: MessageFormat,
  counter: TokenCounter,
): Promise<Trimmed> {
  let share = Math.min(1, (0.95 * limit) / Math.max(1, candidate.tokens));
  let best: Trimmed = { message: undefined, tokens: candidate.tokens };
  for (let attempt = 1; attempt <= attempts && best.tokens > limit; attempt += 1) {
    const copy = trimMessage(message, attempt === attempts ? 0 : share, candidate.uri);
    const tokens = (await counter.messages([readMessage(copy, format, 0)], format))[0] ?? 0;
    if (attempt === 1 && tokens >= candidate.tokens) break;
    if (tokens < best.tokens) best = { message: copy, tokens };
    share *= Math.min(0.8, (0.95 * limit) / Math.max(1, tokens));
  }
  return best;
}
