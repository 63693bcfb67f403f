import { z } from 'zod';

export const messageFormatSchema = z.enum(['openclaw', 'openai']);
export type MessageFormat = z.infer<typeof messageFormatSchema>;

/** A message in the host's own format. The reference is kept as it came, so that nothing of it is reordered. */
export type HostMessage = { readonly [key: string]: unknown };

/**
 * Stands for a message whose body the daemon has already seen: the hex SHA-256 of `messageKeyText(message)`.
 * Unknown keys are answered with `unknown_messages` and their positions; the caller then sends those bodies.
 */
export type MessageRef = { readonly ref: string };

export type MessageOrRef = HostMessage | MessageRef;

export const messageOrRefSchema = z
  .custom<MessageOrRef>((value) => typeof value === 'object' && value !== null && !Array.isArray(value), {
    error: 'Expected a message object, or {"ref": key}',
  })
  .meta({
    type: 'object',
    additionalProperties: true,
    description: 'A message in the named format, or {"ref": key} for a body that was sent before',
  });

/** At most this many messages in one request. */
export const maxMessages = 20_000;

export const messageListSchema = z.array(messageOrRefSchema).max(maxMessages);

export function isMessageRef(message: MessageOrRef): message is MessageRef {
  return 'ref' in message && typeof message.ref === 'string' && !('role' in message);
}

export { bareId, messageKeyText } from './message-key.ts';
