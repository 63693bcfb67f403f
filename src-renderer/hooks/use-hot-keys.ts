import { useEffect, useRef } from 'react';

export type HotKeys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/**
 * Single keys for the whole page, by `KeyboardEvent.key`. Not while someone types, holds Ctrl, Alt or Meta, or has a
 * dialog open; not when a part of the page used the key already.
 */
export function useHotKeys(keys: HotKeys, enabled = true): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      const action = current.current[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action(event);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [enabled]);
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select');
}
