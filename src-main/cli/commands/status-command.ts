import type { HealthReply } from '../../../src-shared/protocol/health.ts';
import { healthRoute } from '../../../src-shared/protocol/health.ts';
import type { CliContext } from '../cli-context.ts';
import { formatAge, formatAmount, formatBytes } from '../format.ts';

/** Is a daemon running, does the host call it, is anything wrong. */
export async function statusCommand(context: CliContext): Promise<void> {
  const [endpoint, health] = await Promise.all([context.client.endpoint(), context.client.call(healthRoute)]);
  if (context.json) {
    context.print(JSON.stringify({ running: true, url: endpoint.url, data_dir: context.dataDir, ...health }));
    return;
  }
  context.print(describeStatus(health, { url: endpoint.url, dataDir: context.dataDir, now: context.now() }));
}

export function describeStatus(
  health: HealthReply,
  place: { readonly url: string; readonly dataDir: string; readonly now: Date },
): string {
  const { store } = health;
  const up = formatAge(health.started_at, place.now);
  const state = health.ready ? 'ready' : 'starting';
  return [
    `Strata ${health.version} · ${health.mode === 'desktop' ? 'desktop app' : 'headless daemon'} · ${state} · process ${health.pid} · up ${up}`,
    `  address    ${place.url}`,
    `  data       ${place.dataDir} (${formatBytes(store.size_bytes)}, ${formatAmount(store.sessions, 'session')}, ${formatAmount(store.turns, 'turn')})`,
    `  OpenClaw   ${describeHost(health.host, place.now)}`,
    ...(health.alarms.length === 0 ? ['  alarms     none'] : []),
    ...health.alarms.map((alarm) => `  ${alarm.severity === 'danger' ? '✗' : '!'} ${alarm.message} ${alarm.remedy}`),
  ].join('\n');
}

function describeHost(host: HealthReply['host'], now: Date): string {
  const versions = [
    host.host_version ? `OpenClaw ${host.host_version}` : '',
    host.plugin_version ? `plugin ${host.plugin_version}` : '',
  ].filter((text) => text !== '');
  const who = versions.length > 0 ? ` (${versions.join(', ')})` : '';
  const last = host.last_call_at ? `, last call ${host.last_call ?? ''} ${formatAge(host.last_call_at, now)} ago` : '';
  const spooled = host.spooled_turns > 0 ? `, ${formatAmount(host.spooled_turns, 'turn')} in the plugin's spool` : '';
  const link = {
    never: 'has not called yet; "npm run strata -- doctor" says why',
    active: 'uses Strata',
    bypassed: `ran ${formatAmount(host.bypassed_turns, 'turn')} without Strata; "npm run strata -- doctor" says why`,
  }[host.link];
  return `${link}${who}${last}${spooled}`;
}
