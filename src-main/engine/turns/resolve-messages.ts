import { EngineError } from '../../../src-shared/model/engine-error.ts';
import {
  isMessageRef,
  messageKeyText,
  type HostMessage,
  type MessageFormat,
  type MessageOrRef,
} from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { readMessage } from '../messages/read-message.ts';
import type { MessageView } from '../messages/message-view.ts';
import type { SessionStore } from '../ports/session-store.ts';

/** A message of a request with its body at hand, whether the request carried it or a reference to it. */
export interface ResolvedMessage {
  readonly key: string;
  readonly message: HostMessage;
  /** JSON text of the message, and its hash. */
  readonly body: string;
  readonly contentHash: string;
  readonly view: MessageView;
}

/** @throws EngineError `unknown_messages` with `details.indexes` when a reference's body was never sent. */
export async function resolveMessages(
  store: SessionStore,
  messages: readonly MessageOrRef[],
  format: MessageFormat,
): Promise<readonly ResolvedMessage[]> {
  refuseUnknown(messages, isMessageKey);
  const refs = messages.flatMap((message) => (isMessageRef(message) ? [message.ref] : []));
  const known = refs.length === 0 ? new Map() : await store.findContents(refs);
  refuseUnknown(messages, (ref) => known.has(ref));
  const bodies = await store.readBodies([...known.values()].map((content) => content.contentHash));
  return messages.map((entry, index) => {
    if (!isMessageRef(entry)) return resolveBody(entry, format, index);
    const contentHash: string = known.get(entry.ref)?.contentHash ?? '';
    const body = bodies.get(contentHash);
    if (body === undefined) throw unknownMessages([index]);
    const message = JSON.parse(body) as HostMessage;
    return { key: entry.ref, message, body, contentHash, view: readMessage(message, format, index) };
  });
}

export function resolveBody(message: HostMessage, format: MessageFormat, index: number): ResolvedMessage {
  const view = readMessage(message, format, index);
  const body = JSON.stringify(message);
  return { key: sha256(messageKeyText(message)), message, body, contentHash: sha256(body), view };
}

/** Keys are SHA-256 in hex; anything else cannot be known. */
export function isMessageKey(ref: string): boolean {
  return /^[0-9a-f]{64}$/.test(ref);
}

export function refuseUnknown(messages: readonly MessageOrRef[], isKnown: (ref: string) => boolean): void {
  const indexes = messages.flatMap((message, index) => (isMessageRef(message) && !isKnown(message.ref) ? [index] : []));
  if (indexes.length > 0) throw unknownMessages(indexes);
}

function unknownMessages(indexes: readonly number[]): EngineError {
  return new EngineError(
    'unknown_messages',
    `${indexes.length} of the referenced messages were never sent; repeat the call with their bodies.`,
    { details: { indexes } },
  );
}
