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

/**
 * @throws EngineError `invalid_request` for a message that cannot be read, `unknown_messages` with `details.indexes`
 * when bodies of references were never sent: all of them at once
 */
export async function resolveMessages(
  store: SessionStore,
  messages: readonly MessageOrRef[],
  format: MessageFormat,
): Promise<readonly ResolvedMessage[]> {
  const sent = messages.map((entry, index) => (isMessageRef(entry) ? undefined : resolveBody(entry, format, index)));
  const known = await readReferenced(store, messages);
  refuseUnknown(messages, (ref) => known.has(ref));
  return messages.map((entry, index) => {
    const body = isMessageRef(entry) ? known.get(entry.ref) : undefined;
    if (!isMessageRef(entry) || body === undefined) return sent[index] ?? resolveBody(entry, format, index);
    const message = JSON.parse(body) as HostMessage;
    return { key: entry.ref, message, body, contentHash: sha256(body), view: readMessage(message, format, index) };
  });
}

export function resolveBody(message: HostMessage, format: MessageFormat, index: number): ResolvedMessage {
  const view = readMessage(message, format, index);
  const body = JSON.stringify(message);
  return { key: sha256(messageKeyText(message)), message, body, contentHash: sha256(body), view };
}

/** Bodies by the key that they are referred to with, as far as they are known. */
async function readReferenced(
  store: SessionStore,
  messages: readonly MessageOrRef[],
): Promise<ReadonlyMap<string, string>> {
  const refs = messages.flatMap((entry) => (isMessageRef(entry) && isMessageKey(entry.ref) ? [entry.ref] : []));
  if (refs.length === 0) return new Map();
  const contents = await store.findContents(refs);
  const bodies = await store.readBodies([...contents.values()].map((content) => content.contentHash));
  return new Map(
    [...contents].flatMap(([key, { contentHash }]) => {
      const body = bodies.get(contentHash);
      return body === undefined ? [] : [[key, body] as const];
    }),
  );
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
