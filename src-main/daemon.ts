import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../src-shared/model/engine-error.ts';
import { endWithHost } from './end-with-host.ts';
import { startHost } from './host.ts';
import { createLogger, errorFields, logLevels, type Logger, type LogLevel } from './logger.ts';
import { productVersion } from './product-version.ts';
import { repositoryRoot } from './repository-root.ts';
import { resolveDataDirectory } from './settings/data-directory.ts';

const logger = createLogger({
  level: levelOf(process.env['STRATA_LOG_LEVEL']),
  now: () => Date.now(),
  write: writeLine,
});

await main(logger);

async function main(log: Logger): Promise<void> {
  const ending = endWithHost(log);
  try {
    const dataDir = resolveDataDirectory(process.env);
    const host = await startHost({
      dataDir,
      mode: 'headless',
      version: productVersion,
      inspectorDir: join(repositoryRoot(), 'out', 'renderer'),
      logger: log,
    });
    log.info('started', { url: host.url, pid: process.pid, data_dir: dataDir });
    ending.started(host);
  } catch (error) {
    const fields = error instanceof EngineError ? { code: error.code, message: error.message } : errorFields(error);
    log.error('start_failed', fields);
    process.exit(1);
  }
}

/** At once, so that nothing that was said is lost when the process ends. */
function writeLine(line: string): void {
  try {
    writeSync(2, line);
  } catch {
    // Nobody reads the log any more, or its reader is slow. That must not end the daemon.
  }
}

function levelOf(text: string | undefined): LogLevel {
  return logLevels.find((level) => level === text?.toLowerCase()) ?? 'info';
}
