import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { previewText } from '../messages/preview-text.ts';
import type { Clock } from '../ports/clock.ts';
import type { NewTurn } from '../ports/session-store.ts';
import type { ResolvedMessage } from './resolve-messages.ts';

export interface PrepareOptions {
  readonly format: MessageFormat;
  readonly heartbeat: boolean;
  readonly entryIds?: readonly (string | null)[] | undefined;
  /**
   * Identity of a message that has neither the host's timestamp nor an entry id. Within an advancement that is its
   * position there; otherwise each is taken for new, because equal texts do not make equal messages.
   */
  readonly identityWithoutTime: (index: number) => string;
}

/** Turns ready to be appended, one per message, in order. `tokens` has one number per message. */
export function prepareTurns(
  messages: readonly ResolvedMessage[],
  tokens: readonly number[],
  options: PrepareOptions,
  clock: Clock,
): readonly NewTurn[] {
  const now = clock.now();
  const identities = identitiesOf(messages, options);
  return messages.map((message, index) => {
    const { view } = message;
    return {
      turnId: clock.newId('turn'),
      identity: identities[index] ?? message.key,
      messageKey: message.key,
      entryId: options.entryIds?.[index] ?? undefined,
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

/**
 * The same message twice in one delivery is two messages: the host said it twice. Only where it names the same entry
 * both times it is one.
 */
function identitiesOf(messages: readonly ResolvedMessage[], options: PrepareOptions): readonly string[] {
  const seen = new Map<string, number>();
  const byEntry = new Map<string, string>();
  return messages.map((message, index) => {
    const entryId = options.entryIds?.[index] ?? undefined;
    const entry = entryId === undefined ? undefined : `${message.key} ${entryId}`;
    const known = entry === undefined ? undefined : byEntry.get(entry);
    if (known !== undefined) return known;
    const base = { message, entryId, index };
    const first = identityOf(base, 1, options);
    const occurrence = (seen.get(first) ?? 0) + 1;
    seen.set(first, occurrence);
    const identity = identityOf(base, occurrence, options);
    if (entry !== undefined) byEntry.set(entry, identity);
    return identity;
  });
}

/**
 * The key covers role, time and content, so with a time it is an identity; see `messageKeyText`. The number of the
 * occurrence stands where no entry id of a host can look like it.
 */
function identityOf(
  { message, entryId, index }: { message: ResolvedMessage; entryId: string | undefined; index: number },
  occurrence: number,
  options: PrepareOptions,
): string {
  const mark = occurrence === 1 ? '' : `#${occurrence}`;
  if (message.view.timestamp !== undefined) return `${message.key}${mark}`;
  if (entryId !== undefined) return `entry${mark}:${entryId}`;
  return options.identityWithoutTime(index);
}

/** What makes two deliveries under one advancement key the same payload: the messages' keys, in order. */
export function payloadHash(messages: readonly ResolvedMessage[]): string {
  return sha256(messages.map((message) => message.key).join('\n'));
}
