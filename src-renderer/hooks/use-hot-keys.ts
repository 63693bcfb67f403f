import { useEffect, useRef } from 'react';

/** A key's action; `false` leaves the key to others. */
export type HotKeys = Readonly<Record<string, (event: KeyboardEvent) => unknown>>;

/**
 * Single keys for the whole page, by `KeyboardEvent.key`. Not while someone types, holds Ctrl, Alt or Meta, or has a
 * dialog open; not when a part of the page used the key already. `first`: before any part of the page.
 */
export function useHotKeys(keys: HotKeys, { enabled = true, first = false } = {}): void {
  const current = useRef(keys);
  useEffect(() => {
    current.current = keys;
  });
  useEffect(() => {
    if (!enabled) return undefined;
    const onKey = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isBusy(event.target)) return;
      if (event.key === 'Enter' && isPressable(event.target)) return;
      const action = current.current[event.key];
      if (action === undefined) return;
      if (action(event) !== false) event.preventDefault();
    };
    window.addEventListener('keydown', onKey, first);
    return () => window.removeEventListener('keydown', onKey, first);
  }, [enabled, first]);
}

/** What has the focus is pressed with Enter itself. */
function isPressable(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('button, a[href], summary') !== null;
}

function isBusy(target: EventTarget | null): boolean {
  if (document.querySelector('[role="dialog"], [role="menu"]') !== null) return true;
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select');
}
