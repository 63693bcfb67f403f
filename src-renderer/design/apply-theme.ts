import type { PreferencesStore } from '../stores/create-preferences-store.ts';

/** Keeps the chosen theme, or the system's, on the page. */
export function applyTheme(preferences: PreferencesStore, window: Window): void {
  const system = window.matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const { theme } = preferences.getState();
    const shown = theme === 'system' ? (system.matches ? 'dark' : 'light') : theme;
    window.document.documentElement.dataset['theme'] = shown;
  };
  apply();
  system.addEventListener('change', apply);
  preferences.subscribe(apply);
}
