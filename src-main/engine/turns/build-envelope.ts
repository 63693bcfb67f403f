import { autoRecallTool } from '../messages/hide-own-recall.ts';
import type { TurnEnvelope } from '../../../src-shared/model/turn-envelope.ts';
import type { MessageView } from '../messages/message-view.ts';
import type { TurnMeta } from '../ports/session-store.ts';

/** The public form of a stored turn, derived from the host's original message. */
export function buildEnvelope(
  meta: TurnMeta,
  view: MessageView,
  sessionId: string,
  checkpointId: string | undefined,
): TurnEnvelope {
  const status = view.toolResult ? (view.toolResult.isError ? 'error' : 'success') : undefined;
  return {
    turn_id: meta.turnId,
    session_id: sessionId,
    sequence: meta.sequence,
    timestamp: new Date(meta.timestamp).toISOString(),
    role: view.role,
    parts: [...view.parts],
    used_context_uris: [],
    used_skills: [],
    // What we put into a list is nothing that the agent did.
    tool_calls: view.toolCalls
      .filter(({ name }) => name !== autoRecallTool)
      .map((call) => ({ tool_name: call.name, arguments: call.arguments })),
    tool_results: view.parts.flatMap((part) =>
      part.type === 'tool_result'
        ? [{ tool_name: part.tool_name, result: part.result, ...(status ? { status } : {}) }]
        : [],
    ),
    compaction_marker: checkpointId
      ? { source: 'post_compact', compact_checkpoint_id: checkpointId }
      : { source: 'raw' },
  };
}
