import type { HostMessage } from '../../src-shared/protocol/host-message.ts';
import { afterTurnRoute } from '../daemon/plugin-routes.ts';
import { isShortenedResult, restoreToolResults } from '../hooks/restore-tool-results.ts';
import type { AfterTurnParams } from '../host-types.ts';
import { isRepairedAnswer } from '../messages/is-repaired-answer.ts';
import { restorePersistedUsers } from '../messages/restore-persisted-users.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';
import { storeTurn } from './store-turn.ts';
import { modelOf, tokensOf } from './turn-facts.ts';

/** Newest messages that are named to the daemon again, so that it finds out what it lacks. */
const largestRecap = 2_000;

/**
 * Captures a turn of hosts before 2026.9.3. Hosts of 2026.8 also commit the turn later: the daemon knows each message
 * by its identity, so that nothing is stored twice.
 * @param recap true: name the older messages too. Once per engine is enough: a tool loop only adds to them.
 */
export async function captureAfterTurn(runtime: PluginRuntime, params: AfterTurnParams, recap: boolean): Promise<void> {
  const { config, shared } = runtime;
  const start = Math.max(0, Math.min(params.messages.length, params.prePromptMessageCount));
  const said = (from: number, to: number): HostMessage[] => params.messages.slice(from, to).filter(isSaid);
  const persisted = restorePersistedUsers(shared, params.sessionKey, said(start, params.messages.length));
  // A retry shows the user's message once more; in the form of the transcript it is the one before.
  const before = new Set(said(0, start).filter(isUser).map(timeOf));
  const own = restoreToolResults(shared, params.sessionKey, persisted).filter(
    (message) => !isUser(message) || !before.has(timeOf(message)),
  );
  const recapped = recap ? said(Math.max(0, start - largestRecap), start) : [];
  const older = recapped.filter((message) => !isRepairedAnswer(message));
  if (own.length === 0 && older.length === 0) return;
  const tokenBudget = tokensOf(params.tokenBudget) ?? tokensOf(params.runtimeContext?.tokenBudget);
  const model = modelOf(params.runtimeContext);
  const request = {
    ...sessionIdentity(params, config.agentId),
    format: 'openclaw' as const,
    ...(tokenBudget === undefined ? {} : { token_budget: tokenBudget }),
    ...(model === undefined ? {} : { model }),
    ...(config.compactThreshold === undefined ? {} : { compact_threshold: config.compactThreshold }),
    ...(params.isHeartbeat === undefined ? {} : { is_heartbeat: params.isHeartbeat }),
  };
  await storeTurn(runtime, { ...afterTurnRoute, path: '/v1/after-turn' }, request, [...older, ...own], {
    own,
    refsUntil: older.length,
  });
}

/** The host's own summaries stand in its list, and so do results that we shortened: neither was said. */
function isSaid(message: HostMessage): boolean {
  return message['role'] !== 'compactionSummary' && !isShortenedResult(message);
}

function isUser(message: HostMessage): boolean {
  return message['role'] === 'user' && timeOf(message) !== undefined;
}

function timeOf(message: HostMessage): unknown {
  return message['timestamp'];
}
