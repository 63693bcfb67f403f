import { createContext, useContext } from 'react';
import type { AppStores } from '../stores/create-app-stores.ts';
import type { NavigationStore } from '../stores/create-navigation-store.ts';
import type { NowStore } from '../stores/create-now-store.ts';
import type { PreferencesStore } from '../stores/create-preferences-store.ts';

export interface AppParts {
  readonly stores: AppStores;
  readonly navigation: NavigationStore;
  readonly preferences: PreferencesStore;
  readonly time: NowStore;
}

export const AppContext = createContext<AppParts | undefined>(undefined);

export function useApp(): AppParts {
  const parts = useContext(AppContext);
  if (parts === undefined) throw new TypeError('useApp is only for components inside of App');
  return parts;
}
