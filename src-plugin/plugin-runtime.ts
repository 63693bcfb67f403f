import { DaemonLink } from './daemon/daemon-link.ts';
import { HostEventOutbox } from './hooks/host-event-outbox.ts';
import type { HostLogger } from './host-types.ts';
import { readPluginConfig, type PluginConfig } from './plugin-config.ts';
import { sharedState, type SharedState } from './shared-state.ts';
import { Spool } from './spool/spool.ts';

/** What one registration of the plugin works with. Making it opens nothing: no file, no socket, no timer. */
export interface PluginRuntime {
  readonly config: PluginConfig;
  readonly link: DaemonLink;
  readonly spool: Spool;
  readonly shared: SharedState;
  readonly events: HostEventOutbox;
  readonly hostVersion: string | undefined;
  /** Warns once a minute per kind of trouble, so that a daemon that is away does not fill the host's log. */
  readonly warn: (message: string, kind?: string) => void;
}

const warnEveryMs = 60_000;

export function createPluginRuntime(
  raw: Readonly<Record<string, unknown>> | undefined,
  logger: HostLogger,
  hostVersion: string | undefined,
): PluginRuntime {
  const config = readPluginConfig(raw, process.env);
  const shared = sharedState();
  const warn = (message: string, kind = message): void => {
    const last = shared.warnedAt.get(kind);
    if (last !== undefined && Math.abs(Date.now() - last) < warnEveryMs) return;
    if (shared.warnedAt.size > 200) shared.warnedAt.clear();
    shared.warnedAt.set(kind, Date.now());
    logger.warn(`[strata] ${message}`);
  };
  const link = new DaemonLink(config, shared);
  return {
    config,
    shared,
    link,
    hostVersion,
    warn,
    spool: new Spool({ config, link, shared, warn }),
    events: new HostEventOutbox(link, shared),
  };
}
