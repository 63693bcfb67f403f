import type { RecallCandidate } from '../../../../src-shared/model/recall.ts';
import type { SessionRow, SessionStore } from '../../ports/session-store.ts';

export interface HiddenHistory {
  readonly sessionUid: string;
  readonly throughSequence: number;
}

/** Newest sessions of the same key that are looked at; older resets are far away. */
const looked = 50;

/** What the user ended with `/new` or `/reset`; what a host ends by itself, overnight or when idle, goes on elsewhere. */
const userEnds: ReadonlySet<string> = new Set(['new', 'reset']);

/**
 * The conversation that a reset ended is not brought back unasked (H20): of this session everything before its present
 * epoch, and the sessions of the same key that the user ended. Pages stay, and the tools find all of it.
 */
export async function hiddenHistory(session: SessionRow, store: SessionStore): Promise<readonly HiddenHistory[]> {
  const own = session.epochStart > 0 ? [{ sessionUid: session.uid, throughSequence: session.epochStart }] : [];
  if (session.sessionKey === '') return own;
  const filter = { agentId: session.agentId, sessionKey: session.sessionKey };
  const { items } = await store.listSessions({ cursor: undefined, limit: looked }, filter);
  const others = items.filter((other) => {
    return other.uid !== session.uid && other.userId === session.userId && userEnds.has(other.ended?.reason ?? '');
  });
  return [...own, ...others.map((other) => ({ sessionUid: other.uid, throughSequence: other.lastSequence }))];
}

/** A turn by its place; a summary of a session that has such a past only where it is of what came later. */
export function isHidden(candidate: RecallCandidate, hidden: readonly HiddenHistory[]): boolean {
  if (candidate.source === 'page') return false;
  const through = hidden.find(({ sessionUid }) => sessionUid === candidate.session_uid)?.throughSequence;
  if (through === undefined) return false;
  const sequence = Number(/\/turn\/(\d{1,16})$/.exec(candidate.uri)?.[1] ?? 0);
  return sequence <= through;
}
