import { findOpenClaw } from '../openclaw/find-openclaw.ts';
import { readOpenClawConfig } from '../openclaw/read-openclaw-config.ts';
import { productVersion } from '../../product-version.ts';
import { repositoryRoot } from '../../repository-root.ts';
import type { CliContext } from '../cli-context.ts';
import { checkDaemon } from './check-daemon.ts';
import { checkDataDir } from './check-data-dir.ts';
import { checkDatabase } from './check-database.ts';
import { checkHostLink } from './check-host-link.ts';
import { checkMemory } from './check-memory.ts';
import { checkNode } from './check-node.ts';
import { checkOpenClawConfig } from './check-openclaw-config.ts';
import { checkOpenClawRuntime } from './check-openclaw-runtime.ts';
import { checkSpool } from './check-spool.ts';
import type { Check } from './check.ts';

/** Looks at everything between the host and the database, in the order in which one depends on the other. */
export async function runDoctor(
  context: CliContext,
  options: { readonly askHost: boolean },
): Promise<readonly Check[]> {
  const { dataDir, client, env } = context;
  const place = findOpenClaw(env);
  const asked = options.askHost ? checkOpenClawRuntime(place) : Promise.resolve([]);
  if (options.askHost && place.program !== undefined) context.note('Asking OpenClaw, which takes some seconds …');
  const daemon = await checkDaemon(client, productVersion);
  const file = await readOpenClawConfig(place.configPath);
  const configuration = checkOpenClawConfig(place, file, dataDir);
  return [
    ...checkNode(process.version),
    ...(await checkDataDir(dataDir)),
    ...daemon.checks,
    ...checkDatabase(dataDir, daemon.health),
    ...(await checkMemory({ dataDir, env, root: repositoryRoot() }, daemon.health)),
    ...(await checkSpool(dataDir, daemon.health !== undefined)),
    ...configuration,
    ...(await asked),
    ...checkHostLink(daemon.health, context.now(), configuration),
  ];
}
