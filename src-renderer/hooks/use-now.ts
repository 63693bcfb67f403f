import { useStore } from 'zustand';
import { useApp } from './app-context.ts';

/** The time in ms since the epoch, moving in steps of some seconds. */
export function useNow(): number {
  return useStore(useApp().time, (state) => state.now);
}
