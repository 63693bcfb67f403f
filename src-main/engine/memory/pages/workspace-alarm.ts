import type { EngineError } from '../../../../src-shared/model/engine-error.ts';
import type { Alarm } from '../../../../src-shared/model/events.ts';

/** @param since milliseconds since the Unix epoch */
export function workspaceAlarm(error: EngineError, since: number): Alarm {
  return {
    code: 'workspace_failing',
    severity: 'danger',
    message: error.message,
    remedy: 'Everything else works meanwhile; the workspace is tried again every half minute.',
    since: new Date(since).toISOString(),
  };
}
