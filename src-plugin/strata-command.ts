import type { DaemonResult } from './daemon/daemon-failure.ts';
import { healthRoute, readingRoute } from './daemon/plugin-routes.ts';
import type { HostCommand, HostCommandContext } from './host-types.ts';
import type { PluginRuntime } from './plugin-runtime.ts';

const timeoutMs = 2_000;

type Fields = Readonly<Record<string, unknown>>;

/** `/strata`: whether the engine is at work here, and what it did last. */
export function strataCommand(runtime: PluginRuntime): HostCommand {
  return {
    name: 'strata',
    description: 'Status of the Strata context engine',
    acceptsArgs: true,
    handler: async (context) => ({ text: (await statusLines(runtime, context)).join('\n') }),
  };
}

async function statusLines(runtime: PluginRuntime, context: HostCommandContext): Promise<string[]> {
  const lines: string[] = [];
  const health = await runtime.link.call(healthRoute, undefined, { timeoutMs });
  if (!health.ok) lines.push(`Daemon: not reachable (${health.failure.message})`);
  else lines.push(...daemonLines(health.reply.fields));
  if (health.ok) lines.push(...(await sessionLines(runtime, context)));
  const last = runtime.shared.lastCalls.get(context.sessionKey ?? context.sessionId ?? '');
  if (last?.fallback !== undefined) lines.push(`Last model call: host's own messages, because ${last.fallback}`);
  else if (last !== undefined)
    lines.push(`Last model call: ${last.tokens} of ${last.budget ?? '?'} tokens (${last.callId})`);
  const spool = await runtime.spool.state().catch(() => undefined);
  if (spool === undefined) lines.push('Spool: cannot be read');
  else lines.push(spool.pending === 0 ? 'Spool: empty' : `Spool: ${spool.pending} waiting since ${spool.oldestAt}`);
  return lines;
}

function daemonLines(health: Fields): string[] {
  const host = isFields(health['host']) ? health['host'] : {};
  const alarms = Array.isArray(health['alarms']) ? (health['alarms'] as readonly unknown[]).filter(isFields) : [];
  return [
    `Daemon: version ${shown(health['version'])}, ${health['ready'] === true ? 'ready' : 'not ready'}, link ${shown(host['link'])}`,
    ...alarms.map((alarm) => `Alarm: ${shown(alarm['message'])} ${shown(alarm['remedy'])}`),
    ...(alarms.length === 0 ? ['Alarms: none'] : []),
  ];
}

async function sessionLines(runtime: PluginRuntime, context: HostCommandContext): Promise<string[]> {
  if (context.sessionKey === undefined) return [];
  const query = new URLSearchParams({ session_key: context.sessionKey, limit: '1' });
  if (context.agentId !== undefined) query.set('agent_id', context.agentId);
  const session = firstItem(
    await runtime.link.call(readingRoute(`/v1/sessions?${query.toString()}`), undefined, { timeoutMs }),
  );
  if (session === undefined) return ['Session: nothing stored yet'];
  const uid = encodeURIComponent(shown(session['session_uid']));
  const call = firstItem(
    await runtime.link.call(readingRoute(`/v1/sessions/${uid}/calls?limit=1`), undefined, { timeoutMs }),
  );
  const callLine =
    call &&
    `Last call: ${shown(call['estimated_tokens'])} of ${shown(call['token_budget'])} tokens, ${shown(call['included'])} included, ${shown(call['dropped'])} dropped`;
  return [
    `Session: ${shown(session['epoch_turn_count'])} turns (${shown(session['turn_count'])} with earlier ones), ${shown(session['checkpoint_count'])} checkpoints, strategy ${shown(session['strategy'])}`,
    ...(callLine === undefined ? [] : [callLine]),
  ];
}

function firstItem(result: DaemonResult<Fields>): Fields | undefined {
  const items: unknown = result.ok ? result.reply['items'] : undefined;
  const first: unknown = Array.isArray(items) ? items[0] : undefined;
  return isFields(first) ? first : undefined;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shown(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '?';
}
