import type { AssembleTrace } from '../../../src-shared/model/trace.ts';
import type { SessionStore } from '../ports/session-store.ts';

export interface CallMessages {
  messages: { item: string; content_hash: string; message: unknown }[];
  missing: string[];
}

/** The answered list with bodies: the host's own messages as they are known, ours as they were sent. */
export async function readCallMessages(
  trace: AssembleTrace,
  store: Pick<SessionStore, 'readBodies'>,
): Promise<CallMessages> {
  const hashOf = new Map(trace.items.map((item) => [item.item, item.content_hash]));
  const wanted = trace.output.map((entry) => ({
    item: entry.item,
    hash: 'inline' in entry ? entry.inline : hashOf.get(entry.item),
  }));
  const bodies = await store.readBodies(wanted.flatMap(({ hash }) => (hash === undefined ? [] : [hash])));
  const found: CallMessages = { messages: [], missing: [] };
  for (const { item, hash } of wanted) {
    const body = hash === undefined ? undefined : bodies.get(hash);
    if (hash === undefined || body === undefined) found.missing.push(item);
    else found.messages.push({ item, content_hash: hash, message: JSON.parse(body) as unknown });
  }
  return found;
}
