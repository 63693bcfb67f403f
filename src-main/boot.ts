import { app, BrowserWindow, ipcMain, session, shell } from 'electron';
import { join } from 'node:path';
import { appOrigin, appScheme } from './desktop/app-origin.ts';
import { connectEngine } from './desktop/connect-engine.ts';
import { denyPermissions } from './desktop/deny-permissions.ts';
import type { EngineLink } from './desktop/engine-link.ts';
import { guardNavigation } from './desktop/guard-navigation.ts';
import { quitGracefully } from './desktop/quit-gracefully.ts';
import { serveInspector } from './desktop/serve-inspector.ts';
import { serveIpc } from './desktop/serve-ipc.ts';
import { startFailurePage } from './desktop/start-failure-page.ts';
import { watchWindow } from './desktop/watch-window.ts';
import { windowOptions } from './desktop/window-options.ts';
import { createLogger, errorFields } from './logger.ts';
import { productVersion } from './product-version.ts';
import { repositoryRoot } from './repository-root.ts';
import { resolveDataDirectory } from './settings/data-directory.ts';

const logger = createLogger({ level: 'info', now: () => Date.now(), write: (line) => void process.stderr.write(line) });

/** The desktop app, from "Electron is ready" to its window. */
export async function boot(): Promise<void> {
  const dataDir = resolveDataDirectory(process.env);
  const renderer = join(repositoryRoot(), 'out', 'renderer');
  denyPermissions(session.defaultSession);
  app.on('web-contents-created', (_event, contents) => guardNavigation(contents, (url) => void openExternal(url)));

  let link: EngineLink;
  try {
    link = await connectEngine({ dataDir, version: productVersion, inspectorDir: renderer, logger });
  } catch (error) {
    logger.error('start_failed', errorFields(error));
    session.defaultSession.protocol.handle(appScheme, () => startFailurePage(error));
    quitGracefully(undefined, logger);
    await openWindow();
    return;
  }
  logger.info('desktop_started', { engine: link.kind, data_dir: dataDir });
  session.defaultSession.protocol.handle(appScheme, serveInspector(renderer));
  serveIpc(ipcMain, link);
  quitGracefully(link, logger);
  app.on('second-instance', () => focusWindow());
  app.on('activate', () => {
    if (BrowserWindow.getAllWindows().length === 0) void openWindow();
  });
  await openWindow();
}

async function openWindow(): Promise<void> {
  const window = new BrowserWindow(windowOptions(join(repositoryRoot(), 'out', 'preload', 'index.cjs')));
  watchWindow(window, logger);
  window.once('ready-to-show', () => window.show());
  await window.loadURL(`${appOrigin}/`);
}

function focusWindow(): void {
  const [window] = BrowserWindow.getAllWindows();
  if (window?.isMinimized()) window.restore();
  window?.focus();
}

async function openExternal(url: string): Promise<void> {
  try {
    await shell.openExternal(url);
  } catch (error) {
    logger.warn('open_external_failed', errorFields(error));
  }
}
