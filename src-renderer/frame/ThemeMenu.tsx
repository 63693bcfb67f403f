import { Menu } from '@base-ui/react/menu';
import { useStore } from 'zustand';
import { Icon } from '../components/Icon.tsx';
import { useApp } from '../hooks/app-context.ts';
import type { Theme } from '../stores/create-preferences-store.ts';

const themes: readonly { readonly theme: Theme; readonly name: string }[] = [
  { theme: 'system', name: 'As the system' },
  { theme: 'light', name: 'Light' },
  { theme: 'dark', name: 'Dark' },
];

export function ThemeMenu() {
  const { preferences } = useApp();
  const theme = useStore(preferences, (state) => state.theme);
  return (
    <Menu.Root>
      <Menu.Trigger className="button small plain" aria-label="Theme" title="Theme">
        <Icon name="theme" size={16} />
      </Menu.Trigger>
      <Menu.Portal>
        <Menu.Positioner sideOffset={6} align="end" className="menu-layer">
          <Menu.Popup className="menu">
            <Menu.RadioGroup value={theme} onValueChange={(value: Theme) => preferences.setTheme(value)}>
              {themes.map((choice) => (
                <Menu.RadioItem key={choice.theme} value={choice.theme} className="menu-item" closeOnClick>
                  <Menu.RadioItemIndicator className="menu-mark">●</Menu.RadioItemIndicator>
                  <span>{choice.name}</span>
                </Menu.RadioItem>
              ))}
            </Menu.RadioGroup>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}
