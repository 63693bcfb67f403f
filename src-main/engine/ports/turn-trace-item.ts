import type { TraceItem } from '../../../src-shared/model/trace.ts';
import { turnUri } from '../../../src-shared/model/uri.ts';
import type { SessionIdentity, TurnMeta } from './session-store.ts';

/**
 * How a stored turn is shown as an item of a trace. A call on a long session names a thousand turns: since turns never
 * change, the store keeps their numbers and makes the items again when the trace is read.
 */
export function turnTraceItem(
  turn: Pick<TurnMeta, 'sequence' | 'role' | 'contentHash' | 'tokens' | 'preview'>,
  session: Pick<SessionIdentity, 'userId'> & { readonly uid: string },
  hostIndex: number | undefined,
): TraceItem {
  return {
    item: `turn:${turn.sequence}`,
    kind: turn.role === 'tool' ? 'tool_result' : 'raw_turn',
    source: hostIndex === undefined ? 'store' : 'host',
    role: turn.role,
    uri: turnUri(session.userId, session.uid, turn.sequence),
    ...(hostIndex === undefined ? {} : { host_index: hostIndex }),
    sequence: turn.sequence,
    count: 1,
    content_hash: turn.contentHash,
    tokens: turn.tokens,
    preview: turn.preview,
  };
}
