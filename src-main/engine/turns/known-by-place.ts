import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import { alignPrefix } from './align-prefix.ts';
import type { ResolvedMessage } from './resolve-messages.ts';

/**
 * Positions of the messages that are stored already, in a list that its client sends whole again and again, with
 * messages that have neither time nor entry id: those can only be recognised by their place. The newest stored turns
 * stand, in order, at the start of such a list. System messages are left out of the comparison, since clients write
 * the time of day into them; each is known by its content.
 */
export async function knownByPlace(
  store: SessionStore,
  session: SessionRow,
  messages: readonly ResolvedMessage[],
): Promise<ReadonlySet<number>> {
  // Twice as many: among the stored turns may be a system message for each exchange.
  const stored = await store.turnsBefore(session.uid, { epoch: session.epoch, limit: 2 * messages.length });
  const said = messages.flatMap((message, index) => (isSystem(message) ? [] : [{ key: message.key, index }]));
  const known = alignPrefix(
    stored.flatMap((turn) => (turn.role === 'system' ? [] : [turn.messageKey])).reverse(),
    said.map(({ key }) => key),
  );
  const firstNew = said[known]?.index ?? messages.length;
  const systems = messages.slice(0, firstNew).filter(isSystem);
  const keys = systems.map(({ key }) => key);
  const found = keys.length === 0 ? [] : await store.turnsByMessageKey(session.uid, session.epoch, keys);
  const foundKeys = new Set(found.map((turn) => turn.messageKey));
  return new Set(
    messages.flatMap((message, index) =>
      index < firstNew && (!isSystem(message) || foundKeys.has(message.key)) ? [index] : [],
    ),
  );
}

function isSystem({ view }: ResolvedMessage): boolean {
  return view.role === 'system';
}
