import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { previewText } from '../messages/preview-text.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewTurn } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { ResolvedMessage } from './resolve-messages.ts';

export interface PrepareOptions {
  readonly format: MessageFormat;
  readonly heartbeat: boolean;
  readonly entryIds?: readonly (string | null)[] | undefined;
  /**
   * Identity of a message that has neither the host's timestamp nor an entry id. Within an advancement that is its
   * position there; otherwise each is taken for new, because equal texts do not make equal messages.
   */
  readonly identityWithoutTime: (index: number, key: string) => string;
}

/** Turns ready to be appended, one per message, in order. */
export async function prepareTurns(
  messages: readonly ResolvedMessage[],
  options: PrepareOptions,
  clock: Clock,
  counter: TokenCounter,
): Promise<readonly NewTurn[]> {
  const tokens = await counter.messages(
    messages.map((message) => message.view),
    options.format,
  );
  const now = clock.now();
  const seen = new Map<string, number>();
  return messages.map((message, index) => {
    const { view } = message;
    const entryId = options.entryIds?.[index] ?? undefined;
    const identity = identityOf(message, entryId, index, options);
    const occurrence = (seen.get(identity) ?? 0) + 1;
    seen.set(identity, occurrence);
    return {
      turnId: clock.newId('turn'),
      // The same message twice in one delivery is two messages: the host said it twice.
      identity: occurrence === 1 ? identity : `${identity}#${occurrence}`,
      messageKey: message.key,
      entryId,
      role: view.role,
      format: options.format,
      timestamp: view.timestamp ?? now,
      body: message.body,
      contentHash: message.contentHash,
      tokens: tokens[index] ?? 0,
      preview: previewText(view),
      toolCallIds: view.toolCalls.map((call) => call.id),
      toolResultFor: view.toolResult?.callId,
      excluded: view.excluded,
      heartbeat: options.heartbeat,
    };
  });
}

/** The key covers role, time and content, so with a time it is an identity; see `messageKeyText`. */
function identityOf(
  message: ResolvedMessage,
  entryId: string | undefined,
  index: number,
  options: PrepareOptions,
): string {
  if (message.view.timestamp !== undefined) return message.key;
  if (entryId !== undefined) return `entry:${entryId}`;
  return options.identityWithoutTime(index, message.key);
}

/** What makes two deliveries under one advancement key the same payload: the messages' keys, in order. */
export function payloadHash(messages: readonly ResolvedMessage[]): string {
  return sha256(messages.map((message) => message.key).join('\n'));
}
