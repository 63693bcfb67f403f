import { useEffect } from 'react';
import { useApp } from './app-context.ts';

/** Asks before the page is closed while there is text that is not saved; going elsewhere in the page keeps it. */
export function useUnsavedWarning(): void {
  const { stores } = useApp();
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent) => {
      if (stores.memory.unsaved().length > 0) event.preventDefault();
    };
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [stores]);
}
