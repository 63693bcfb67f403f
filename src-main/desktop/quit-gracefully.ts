import { app } from 'electron';
import { errorFields, type Logger } from '../logger.ts';
import type { EngineLink } from './engine-link.ts';

const closeLimitMs = 15_000;

/** Everything is stored before the program ends, whoever ends it: window, menu, signal or an uncaught error. */
export function quitGracefully(link: EngineLink | undefined, logger: Logger): void {
  let exitCode = 0;
  let closing = false;
  app.on('before-quit', (event) => {
    event.preventDefault();
    if (closing) return;
    closing = true;
    void close(link, logger).then((clean) => app.exit(clean ? exitCode : 1));
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin' || link === undefined) app.quit();
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => app.quit());
  const onFault = (kind: string) => (error: unknown) => {
    logger.error(kind, errorFields(error));
    exitCode = 1;
    app.quit();
  };
  process.on('uncaughtException', onFault('uncaught_exception'));
  process.on('unhandledRejection', onFault('unhandled_rejection'));
}

/** False when the engine did not close in time or not without a failure. */
async function close(link: EngineLink | undefined, logger: Logger): Promise<boolean> {
  if (link === undefined) return true;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`not closed within ${closeLimitMs} ms`)), closeLimitMs);
  });
  try {
    await Promise.race([link.close(), limit]);
    return true;
  } catch (error) {
    logger.error('close_failed', errorFields(error));
    return false;
  } finally {
    clearTimeout(timer);
  }
}
