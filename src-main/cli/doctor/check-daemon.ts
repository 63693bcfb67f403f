import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { healthRoute, type HealthReply } from '../../../src-shared/protocol/health.ts';
import type { DaemonClient } from '../../http/client/daemon-client.ts';
import { failed, ok, warning, type Check } from './check.ts';

export interface DaemonFinding {
  readonly checks: readonly Check[];
  readonly health: HealthReply | undefined;
}

/** Whether one runs on the data directory, of which version, and what it is worried about. */
export async function checkDaemon(client: DaemonClient, version: string): Promise<DaemonFinding> {
  let health: HealthReply;
  try {
    health = await client.call(healthRoute, {}, { timeoutMs: 10_000 });
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
    return { health: undefined, checks: [notRunning(error)] };
  }
  const running = `A daemon runs (process ${health.pid}, version ${health.version}).`;
  const checks: Check[] = [
    health.version === version
      ? ok('daemon', running)
      : warning('daemon', `${running} This command is of version ${version}.`, 'Restart the daemon.'),
  ];
  for (const alarm of health.alarms) {
    // The link to the host and the index of memory have checks of their own.
    if (alarm.code === 'host_silent' || alarm.code === 'engine_bypassed' || alarm.code === 'index_behind') continue;
    const make = alarm.severity === 'danger' ? failed : warning;
    checks.push(make(`alarm_${alarm.code}`, alarm.message, alarm.remedy));
  }
  return { checks, health };
}

/** What to do stands in a line of its own here, so it is taken out of the message. */
function notRunning({ message }: EngineError): Check {
  const [, what = message, advice] = /^(.*?\.) ((?:Start it|Look at its log).*)$/s.exec(message) ?? [];
  return failed('daemon', what, advice ?? 'Run: npm start');
}
