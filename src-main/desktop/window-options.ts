import type { BrowserWindowConstructorOptions } from 'electron';

/** Spelled out although most are Electron's defaults: a test reads them, and defaults have changed before. */
export function windowOptions(preload: string): BrowserWindowConstructorOptions {
  return {
    title: 'Strata',
    width: 1440,
    height: 900,
    minWidth: 900,
    minHeight: 600,
    show: false,
    backgroundColor: '#101214',
    autoHideMenuBar: true,
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      nodeIntegrationInSubFrames: false,
      nodeIntegrationInWorker: false,
      webviewTag: false,
      webSecurity: true,
      spellcheck: false,
    },
  };
}
