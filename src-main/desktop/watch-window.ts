import { app, type BrowserWindow } from 'electron';
import type { Logger } from '../logger.ts';

const maxReloads = 3;

/** Writes down what goes wrong in a window, and brings a page back whose process died. */
export function watchWindow(window: BrowserWindow, logger: Logger): void {
  let reloads = 0;
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    logger.error('render_process_gone', { reason, exit_code: exitCode });
    if (reason === 'clean-exit' || reloads >= maxReloads || window.isDestroyed()) return;
    reloads += 1;
    window.webContents.reload();
  });
  window.webContents.on('did-fail-load', (_event, code, description, url) => {
    logger.error('page_not_loaded', { code, description, url });
  });
  window.webContents.on('preload-error', (_event, path, error) => {
    logger.error('preload_failed', { path, message: error.message });
  });
  window.on('unresponsive', () => logger.warn('window_unresponsive'));
  window.on('responsive', () => logger.info('window_responsive'));
  watchChildren(logger);
}

let watching = false;

/** GPU and utility processes belong to the program, not to a window. */
function watchChildren(logger: Logger): void {
  if (watching) return;
  watching = true;
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    logger.error('child_process_gone', { type, reason, exit_code: exitCode });
  });
}
