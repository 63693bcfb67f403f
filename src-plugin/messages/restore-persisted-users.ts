import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import type { SharedState } from '../shared-state.ts';

const kept = 8;

/**
 * Remembers a message of the user as the host writes it into its transcript. When it tries a turn again after an
 * overflow, a host of 2026.8 offers the message once more in the form that it holds in memory, and does not write it.
 */
export function rememberPersistedUser(shared: SharedState, sessionKey: string, message: HostMessage): void {
  const known = shared.persistedUsers.get(sessionKey) ?? [];
  const text = textOf(message);
  const isOffered = Array.isArray(message['content']) && message['content'].length === 1;
  if (isOffered && known.some(({ content }) => typeof content === 'string' && content === text)) return;
  shared.persistedUsers.set(sessionKey, [...known, message].slice(-kept));
}

/**
 * Hosts before 2026.9.3 show the user's newest message in `afterTurn` as they hold it in memory: another time and
 * another form than in the transcript, where it is found from the next turn on. Stored in both forms it would be two
 * messages, so the form of the transcript takes its place.
 */
export function restorePersistedUsers(
  shared: SharedState,
  sessionKey: string | undefined,
  messages: readonly HostMessage[],
): HostMessage[] {
  const persisted = [...((sessionKey === undefined ? undefined : shared.persistedUsers.get(sessionKey)) ?? [])];
  return messages
    .map((message) => ({ message, text: message['role'] === 'user' ? textOf(message) : undefined }))
    .reverse()
    .map(({ message, text }) => {
      if (text === undefined || persisted.some((known) => known['timestamp'] === message['timestamp'])) return message;
      const found = persisted.findLastIndex((known) => textOf(known) === text);
      // Each written message stands for one shown message, the newest for the newest.
      return persisted.splice(found, found < 0 ? 0 : 1)[0] ?? message;
    })
    .reverse();
}

function textOf(message: HostMessage): string | undefined {
  const content = message['content'];
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = (content as readonly unknown[]).map((part) =>
    typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : '',
  );
  return texts.join('');
}
