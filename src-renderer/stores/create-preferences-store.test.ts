import { describe, expect, it } from 'vitest';
import { createPreferencesStore } from './create-preferences-store.ts';

function storage(kept: string | null = null) {
  let value = kept;
  return { getItem: () => value, setItem: (_key: string, text: string) => void (value = text), read: () => value };
}

describe('preferences', () => {
  it('are kept', () => {
    const kept = storage();
    const store = createPreferencesStore(kept);
    store.setTheme('dark');
    store.setWidth('sessions', 320.6);
    store.setHostInternal(true);
    expect(createPreferencesStore(kept).getState()).toEqual({
      theme: 'dark',
      widths: { sessions: 321 },
      hostInternal: true,
    });
  });

  it.each([['no json'], ['null'], ['[]'], ['{"theme":"pink","widths":{"a":"wide","b":null}}'], ['{"widths":3}']])(
    'fall back to the defaults when %s is kept',
    (text) => {
      expect(createPreferencesStore(storage(text)).getState()).toEqual({
        theme: 'system',
        widths: {},
        hostInternal: false,
      });
    },
  );

  it('work without storage', () => {
    const refusing = {
      getItem: () => {
        throw new Error('denied');
      },
      setItem: () => {
        throw new Error('denied');
      },
    };
    const store = createPreferencesStore(refusing);
    store.setTheme('light');
    expect(store.getState().theme).toBe('light');
    expect(createPreferencesStore(undefined).getState().theme).toBe('system');
  });
});
