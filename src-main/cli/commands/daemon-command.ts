import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { join } from 'node:path';
import { inspectorLinkRoute } from '../../../src-shared/protocol/inspector-session.ts';
import { endWithHost } from '../../end-with-host.ts';
import { startHost } from '../../host.ts';
import { logLevels, type LogFields, type Logger, type LogLevel } from '../../logger.ts';
import { productVersion } from '../../product-version.ts';
import { findOpenClaw } from '../openclaw/find-openclaw.ts';
import { selectedEngine } from '../openclaw/plan-openclaw-config.ts';
import { readOpenClawConfig } from '../openclaw/read-openclaw-config.ts';
import type { CliContext } from '../cli-context.ts';

interface Running {
  readonly alreadyRunning: boolean;
  readonly url: string;
  readonly pid: number;
  readonly inspectorLink: string;
}

/** Runs the engine in this process until it is told to stop. One that runs already is named, and that is no failure. */
export async function daemonCommand(context: CliContext, options: { readonly port?: number }): Promise<void> {
  const { dataDir } = context;
  const logger = terminalLogger(context);
  const ending = endWithHost(logger);
  let host: Awaited<ReturnType<typeof startHost>>;
  try {
    const port = options.port === undefined ? {} : { port: options.port };
    host = await startHost({
      dataDir,
      mode: 'headless',
      version: productVersion,
      inspectorDir: join(context.root, 'out', 'renderer'),
      logger,
      ...port,
    });
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'data_dir_owned') throw error;
    await announce(context, await findOwner(context, error));
    return;
  }
  ending.started(host);
  await announce(context, {
    alreadyRunning: false,
    url: host.url,
    pid: process.pid,
    inspectorLink: await host.inspectorLink(),
  });
  // From here on the process ends by a signal, with everything stored.
  process.once('exit', (code) => {
    if (code === 0 && !context.json) context.note('Stopped; everything is stored.');
  });
  return new Promise(() => undefined);
}

/** @throws the reason for which the directory was refused, when its owner does not answer */
async function findOwner({ client }: CliContext, refusal: EngineError): Promise<Running> {
  try {
    const [endpoint, link] = [await client.endpoint(), await client.call(inspectorLinkRoute)];
    return { alreadyRunning: true, url: endpoint.url, pid: endpoint.pid, inspectorLink: link.url };
  } catch (cause) {
    throw new EngineError(refusal.code, refusal.message, { details: refusal.details ?? {}, cause });
  }
}

async function announce(context: CliContext, running: Running): Promise<void> {
  if (context.json) {
    const { alreadyRunning, url, pid, inspectorLink } = running;
    const fields = { url, pid, data_dir: context.dataDir, inspector_link: inspectorLink };
    context.print(JSON.stringify({ already_running: alreadyRunning, ...fields }));
    return;
  }
  context.print(
    [
      running.alreadyRunning
        ? `Strata runs already (process ${running.pid}) on this data directory; nothing was started.`
        : `Strata ${productVersion} runs as a headless daemon (process ${running.pid}).`,
      `  Inspector   ${running.inspectorLink}`,
      '              (works once; "npm run strata -- open" makes another)',
      `  Endpoint    ${running.url}`,
      `  Data        ${context.dataDir}`,
      `  OpenClaw    ${(await selectsStrata(context)) ? 'selects Strata as its context engine' : 'npm run strata -- openclaw install'}`,
      ...(running.alreadyRunning ? [] : ['Ctrl-C stops it.']),
    ].join('\n'),
  );
}

/** As its configuration says; whether it calls is another question, which "status" answers. */
async function selectsStrata({ env }: CliContext): Promise<boolean> {
  try {
    const file = await readOpenClawConfig(findOpenClaw(env).configPath);
    return file.kind === 'json' && selectedEngine(file.value) === 'strata';
  } catch {
    // It cannot be read, which "doctor" tells of; the daemon runs all the same.
    return false;
  }
}

/** Warnings and errors as lines for a person; STRATA_LOG_LEVEL=info or debug shows more. */
function terminalLogger(context: CliContext): Logger {
  const wanted = context.env['STRATA_LOG_LEVEL']?.toLowerCase();
  const least = logLevels.indexOf(logLevels.find((known) => known === wanted) ?? 'warn');
  const at = (level: LogLevel) => {
    return (event: string, fields: LogFields = {}): void => {
      if (logLevels.indexOf(level) < least) return;
      const values = Object.entries(fields).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${value}`],
      );
      context.note(
        `strata: ${level}: ${event.replaceAll('_', ' ')}${values.length > 0 ? ` (${values.join(', ')})` : ''}`,
      );
    };
  };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
