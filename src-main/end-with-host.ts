import type { Host } from './host.ts';
import { errorFields, type Logger } from './logger.ts';

/** One Ctrl-C may arrive twice, from the terminal and from a launcher; a later one means "at once". */
const patienceMs = 2_000;

/** Longer than closing may take; a daemon that hangs is worse than one that is cut off. */
const closeLimitMs = 15_000;

/** Ends the process as signals and uncaught errors ask, with everything stored. */
export function endWithHost(log: Logger): { started(host: Host): void } {
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
