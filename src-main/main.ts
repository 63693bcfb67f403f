import { app, protocol } from 'electron';
import { join } from 'node:path';
import { appScheme } from './desktop/app-origin.ts';
import { resolveDataDirectory } from './settings/data-directory.ts';

// Everything here must happen before Electron is ready, and nothing here may wait: a top-level await of whenReady()
// in a module never ends. What follows is in boot.ts, which the loser of the lock never loads.
// Root cannot use Chromium's sandbox and says so with --no-sandbox; Electron dies of both together.
if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
protocol.registerSchemesAsPrivileged([{ scheme: appScheme, privileges: { standard: true, secure: true } }]);
// Electron's own files, and with them its lock, belong to the data directory: one window program per directory.
app.setPath('userData', join(resolveDataDirectory(process.env), 'desktop'));

if (app.requestSingleInstanceLock()) {
  app
    .whenReady()
    .then(() => import('./boot.ts'))
    .then(({ boot }) => boot())
    .catch((error: unknown) => {
      console.error('Strata could not start:', error);
      app.exit(1);
    });
} else {
  console.log('The desktop app of this data directory runs already; its window was brought to the front.');
  app.quit();
}
