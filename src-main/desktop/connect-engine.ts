import { EngineError } from '../../src-shared/model/engine-error.ts';
import { healthRoute } from '../../src-shared/protocol/health.ts';
import type * as hostModule from '../host.ts';
import { createDaemonClient } from '../http/client/daemon-client.ts';
import type { Logger } from '../logger.ts';
import { createAttachedLink } from './create-attached-link.ts';
import { createHostedLink } from './create-hosted-link.ts';
import type { EngineLink } from './engine-link.ts';

export interface ConnectOptions {
  readonly dataDir: string;
  readonly version: string;
  readonly inspectorDir: string;
  readonly logger: Logger;
  /** How long a daemon that is just starting may take to answer, in ms. */
  readonly patienceMs?: number;
}

/**
 * One data directory has one owner: attaches to a daemon that has it, else becomes the owner.
 * @throws EngineError when neither is possible
 */
export async function connectEngine(options: ConnectOptions): Promise<EngineLink> {
  const attached = await attach(options);
  if (attached !== undefined) return attached;
  try {
    return await host(options);
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'data_dir_owned') throw error;
    const late = await attachPatiently(options);
    if (late === undefined) throw error;
    return late;
  }
}

/** Undefined when no daemon runs there. */
async function attach({ dataDir, logger }: ConnectOptions): Promise<EngineLink | undefined> {
  const client = createDaemonClient({ dataDir });
  try {
    await client.call(healthRoute, {}, { timeoutMs: 5_000 });
    return createAttachedLink(client, logger);
  } catch (error) {
    if (error instanceof EngineError && error.code === 'daemon_unreachable') return undefined;
    throw error;
  }
}

/** For the moment between a daemon's lock and its endpoint. */
async function attachPatiently(options: ConnectOptions): Promise<EngineLink | undefined> {
  const end = performance.now() + (options.patienceMs ?? 10_000);
  for (;;) {
    const link = await attach(options);
    if (link !== undefined || performance.now() > end) return link;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function host({ dataDir, version, inspectorDir, logger }: ConnectOptions): Promise<EngineLink> {
  const { startHost } = await loadHost();
  const started = await startHost({ dataDir, version, inspectorDir, logger, mode: 'desktop' });
  logger.info('host_started', { url: started.url });
  return createHostedLink({
    api: started.api,
    subscribe: (listener) => started.events.subscribe((entry) => listener(entry.event)),
    close: () => started.close(),
  });
}

/** Loaded only when needed: an attached window needs no engine, and an old Electron cannot load it. */
async function loadHost(): Promise<typeof hostModule> {
  try {
    return await import('../host.ts');
  } catch (cause) {
    throw new EngineError(
      'internal',
      `The engine cannot be loaded into this Electron, which has Node ${process.versions.node}; it needs Node 24 (Electron 45). Start a daemon with "npm run strata -- daemon": the window then attaches to it.`,
      { cause },
    );
  }
}
