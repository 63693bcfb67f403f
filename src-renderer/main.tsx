import './client/forbid-eval.ts';
import './design/tokens.css';
import './design/base.css';
import { createRoot, type Root } from 'react-dom/client';
import { App } from './App.tsx';
import { localStorageOf } from './client/local-storage.ts';
import { openClient } from './client/open-client.ts';
import { takeLinkCode } from './client/take-link-code.ts';
import { applyTheme } from './design/apply-theme.ts';
import { browserAddress } from './navigation/browser-address.ts';
import { SignedOutScreen } from './screens/signed-out/SignedOutScreen.tsx';
import { createAppStores } from './stores/create-app-stores.ts';
import { createNavigationStore } from './stores/create-navigation-store.ts';
import { createNowStore } from './stores/create-now-store.ts';
import { createPreferencesStore } from './stores/create-preferences-store.ts';

const element = document.getElementById('root');
if (element === null) throw new TypeError('The page has no #root');
void start(createRoot(element));

// A link that is pasted into the tab of this page changes only the fragment, which loads nothing by itself.
window.addEventListener('hashchange', () => {
  if (takeLinkCode(window.location.href) !== undefined) window.location.reload();
});

async function start(root: Root): Promise<void> {
  const signedOut = (why: 'none' | 'ended' | 'link_used') => root.render(<SignedOutScreen why={why} />);
  const preferences = createPreferencesStore(localStorageOf(window));
  applyTheme(preferences, window);
  const opened = await openClient(window, () => signedOut('ended'));
  if ('signedOut' in opened) return signedOut(opened.signedOut);
  root.render(
    <App
      stores={createAppStores(opened.client, Date.now)}
      navigation={createNavigationStore(browserAddress(window))}
      preferences={preferences}
      time={createNowStore(Date.now)}
    />,
  );
}
