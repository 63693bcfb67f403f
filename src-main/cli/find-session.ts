import { EngineError } from '../../src-shared/model/engine-error.ts';
import { sessionRoute, sessionsRoute } from '../../src-shared/protocol/sessions.ts';
import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { CliContext } from './cli-context.ts';

/**
 * The session that a person named: by its uid or id, or by its key as "sessions" shows it, then the last active one.
 * @throws EngineError `unknown_session`
 */
export async function findSession(context: CliContext, name: string): Promise<SessionSummary> {
  try {
    return await context.client.call(sessionRoute, { params: { id: name } });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unknown_session') throw error;
  }
  const { items } = await context.client.call(sessionsRoute, { query: { session_key: name, limit: 1 } });
  const [newest] = items;
  if (newest !== undefined) return newest;
  throw new EngineError(
    'unknown_session',
    `There is no session "${name}". "npm run strata -- sessions" lists them; give what stands in its column SESSION or, where it is not cut short, KEY.`,
  );
}
