import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import { formatAge, formatAmount } from '../format.ts';
import { failed, ok, warning, type Check } from './check.ts';

const needed = ['plugin_installed', 'plugin_enabled', 'plugin_selected'];

/**
 * Whether the host really calls the engine, which no configuration can prove.
 * @param configuration what openclaw.json says; calls of the past prove nothing when it no longer selects the plugin
 */
export function checkHostLink(
  health: HealthReply | undefined,
  now: Date,
  configuration: readonly Check[] = [],
): readonly Check[] {
  if (health === undefined) return [];
  const { host } = health;
  const alarm = health.alarms.find(({ code }) => code === 'engine_bypassed' || code === 'host_silent');
  if (host.link === 'bypassed') {
    return [
      failed(
        'host_link',
        alarm?.message ??
          `OpenClaw ran ${formatAmount(host.bypassed_turns, 'turn')} without Strata: it is selected, but the host fell back to its own engine.`,
        alarm?.remedy ??
          'Look in the log of OpenClaw for "degraded to legacy"; it names the reason. Then run "npm run strata -- openclaw install" again.',
      ),
    ];
  }
  if (alarm !== undefined) return [warning('host_link', alarm.message, alarm.remedy)];
  if (host.link === 'never') {
    return [
      warning(
        'host_link',
        `No host has called since this daemon started (${formatAge(health.started_at, now)} ago).`,
        'Restart the OpenClaw gateway and send the agent a message, then look again.',
      ),
    ];
  }
  const last = host.last_call_at
    ? `${formatAge(host.last_call_at, now)} ago (${host.last_call ?? 'unknown'})`
    : 'unknown';
  const broken = configuration.find(({ id, state }) => state === 'failed' && needed.includes(id));
  if (broken !== undefined) {
    const lost = { plugin_installed: 'installed', plugin_enabled: 'enabled' }[broken.id] ?? 'selected';
    return [
      warning(
        'host_link',
        `OpenClaw called Strata last ${last}; it is no longer ${lost}.`,
        broken.remedy ?? 'See above.',
      ),
    ];
  }
  return [ok('host_link', `OpenClaw calls Strata; last call ${last}.`)];
}
