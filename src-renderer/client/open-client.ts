import { ClientError } from './client-error.ts';
import { createHttpClient } from './create-http-client.ts';
import { createIpcClient } from './create-ipc-client.ts';
import type { EngineClient } from './engine-client.ts';
import { localStorageOf } from './local-storage.ts';
import { createSessionToken } from './session-token.ts';
import { findBridge } from './strata-bridge.ts';
import { takeLinkCode } from './take-link-code.ts';

export type OpenedClient = { readonly client: EngineClient } | { readonly signedOut: 'none' | 'link_used' };

/**
 * The client of this page: IPC inside the desktop app, else HTTP with the session of a one-time link. The link's code
 * is taken out of the address at once, so that it is in no bookmark and no history.
 */
export async function openClient(window: Window, onSignedOut: () => void): Promise<OpenedClient> {
  const bridge = findBridge(window);
  if (bridge !== undefined) return { client: createIpcClient(bridge) };
  const token = createSessionToken(localStorageOf(window));
  const client = createHttpClient({
    origin: window.location.origin,
    token,
    fetch: (url, init) => window.fetch(url, init),
    onSignedOut() {
      token.clear();
      onSignedOut();
    },
  });
  const link = takeLinkCode(window.location.href);
  if (link !== undefined) {
    window.history.replaceState(null, '', link.rest);
    const refused = await signIn(() => client.signIn(link.code));
    // A link that was used up is no harm when this browser has a session already.
    if (refused && token.get() === undefined) return { signedOut: 'link_used' };
  }
  return token.get() === undefined ? { signedOut: 'none' } : { client };
}

async function signIn(attempt: () => Promise<void>): Promise<boolean> {
  try {
    await attempt();
    return false;
  } catch (error) {
    if (error instanceof ClientError) return true;
    throw error;
  }
}
