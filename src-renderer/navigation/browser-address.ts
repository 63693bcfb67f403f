import type { AddressBar } from '../stores/create-navigation-store.ts';

export function browserAddress(window: Window): AddressBar {
  return {
    read: () => ({ path: window.location.pathname, search: window.location.search }),
    push: (url) => window.history.pushState(null, '', url),
    replace: (url) => window.history.replaceState(null, '', url),
    onBack(listener) {
      window.addEventListener('popstate', listener);
      return () => window.removeEventListener('popstate', listener);
    },
  };
}
