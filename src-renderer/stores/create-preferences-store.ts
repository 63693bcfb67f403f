import { createStore, type StoreApi } from 'zustand/vanilla';

export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly theme: Theme;
  /** Widths of the lists beside a detail, in CSS pixels, by name of the list. */
  readonly widths: Readonly<Record<string, number>>;
  /** Whether sessions that the host keeps for itself are listed. */
  readonly hostInternal: boolean;
}

export interface PreferencesStore extends StoreApi<Preferences> {
  setTheme(theme: Theme): void;
  setWidth(list: string, width: number): void;
  setHostInternal(shown: boolean): void;
}

interface Storage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
}

const storageKey = 'strata.preferences';

/** How this person wants the page; kept in the browser, lost without harm. */
export function createPreferencesStore(storage: Storage | undefined): PreferencesStore {
  const store = createStore<Preferences>(() => read(storage));
  store.subscribe((state) => write(storage, state));
  return {
    ...store,
    setTheme: (theme) => store.setState({ theme }),
    setWidth: (list, width) => store.setState(({ widths }) => ({ widths: { ...widths, [list]: Math.round(width) } })),
    setHostInternal: (hostInternal) => store.setState({ hostInternal }),
  };
}

function read(storage: Storage | undefined): Preferences {
  const fallback: Preferences = { theme: 'system', widths: {}, hostInternal: false };
  try {
    const kept: unknown = JSON.parse(storage?.getItem(storageKey) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return fallback;
    const { theme, widths, hostInternal } = kept as { theme?: unknown; widths?: unknown; hostInternal?: unknown };
    return {
      theme: theme === 'light' || theme === 'dark' ? theme : 'system',
      widths: readWidths(widths),
      hostInternal: hostInternal === true,
    };
  } catch {
    // Storage is switched off or holds something else: the defaults are fine.
    return fallback;
  }
}

function readWidths(widths: unknown): Record<string, number> {
  if (typeof widths !== 'object' || widths === null) return {};
  return Object.fromEntries(
    Object.entries(widths).filter((entry): entry is [string, number] => Number.isFinite(entry[1])),
  );
}

function write(storage: Storage | undefined, state: Preferences): void {
  try {
    storage?.setItem(storageKey, JSON.stringify(state));
  } catch {
    // As above.
  }
}
