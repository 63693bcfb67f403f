import type { WebContents } from 'electron';
import { isAppUrl } from './app-origin.ts';

/** Keeps a window on our own pages. Links to the web open in the person's browser, everything else nowhere. */
export function guardNavigation(contents: WebContents, openExternal: (url: string) => void): void {
  const stay = (event: { readonly url: string; preventDefault(): void }): void => {
    if (!isAppUrl(event.url)) event.preventDefault();
  };
  contents.on('will-navigate', stay);
  contents.on('will-redirect', stay);
  contents.on('will-frame-navigate', stay);
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebUrl(url)) openExternal(url);
    return { action: 'deny' };
  });
}

/** The only addresses that may leave this program. */
export function isWebUrl(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}
