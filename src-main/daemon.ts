import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { EngineError } from '../src-shared/model/engine-error.ts';
import { startHost, type Host } from './host.ts';
import { createLogger, errorFields, logLevels, type Logger, type LogLevel } from './logger.ts';
import { productVersion } from './product-version.ts';
import { repositoryRoot } from './repository-root.ts';
import { resolveDataDirectory } from './settings/data-directory.ts';

/** One Ctrl-C may arrive twice, from the terminal and from a launcher; a later one means "at once". */
const patienceMs = 2_000;

/** Longer than closing may take; a daemon that hangs is worse than one that is cut off. */
const closeLimitMs = 15_000;

const logger = createLogger({
  level: levelOf(process.env['STRATA_LOG_LEVEL']),
  now: () => Date.now(),
  write: writeLine,
});

await main(logger);

async function main(log: Logger): Promise<void> {
  const ending = endings(log);
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

/** Ends the process as signals and uncaught errors ask, with everything stored. */
function endings(log: Logger): { started(host: Host): void } {
  let host: Host | undefined;
  let exitCode: number | undefined;

  const end = (code: number): void => {
    const isEnding = exitCode !== undefined;
    exitCode = Math.max(exitCode ?? 0, code);
    if (isEnding || !host) return;
    setTimeout(() => {
      log.error('close_timed_out', { limit_ms: closeLimitMs });
      process.exit(1);
    }, closeLimitMs).unref();
    host.close().then(
      () => {
        log.info('stopped');
        process.exit(exitCode);
      },
      (error: unknown) => {
        log.error('close_failed', errorFields(error));
        process.exit(1);
      },
    );
  };

  let firstSignal: number | undefined;
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (firstSignal === undefined) {
        firstSignal = performance.now();
        log.info('stopping', { signal });
        end(0);
      } else if (performance.now() - firstSignal > patienceMs) {
        log.warn('stopped_at_once', { signal });
        process.exit(1);
      }
    });
  }
  process.on('uncaughtException', (error) => {
    log.error('uncaught_exception', errorFields(error));
    end(1);
  });
  process.on('unhandledRejection', (reason) => {
    log.error('unhandled_rejection', errorFields(reason));
    end(1);
  });

  return {
    started(value) {
      host = value;
      // Asked to end while it was starting.
      if (exitCode !== undefined) {
        const code = exitCode;
        exitCode = undefined;
        end(code);
      }
    },
  };
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
