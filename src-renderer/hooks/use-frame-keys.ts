import { useRef } from 'react';
import { useStore } from 'zustand';
import type { JobsPlace, Place } from '../navigation/place.ts';
import { useApp } from './app-context.ts';
import { useHotKeys } from './use-hot-keys.ts';

/** G then O, S or J goes to a view, Escape goes up one level. */
export function useFrameKeys(): void {
  const { navigation } = useApp();
  const place = useStore(navigation, (state) => state.place);
  const goPressedAt = useRef(-Infinity);
  const afterGo = (place: Place) => (event: KeyboardEvent) => {
    const follows = event.timeStamp - goPressedAt.current < 1_500;
    goPressedAt.current = -Infinity;
    if (follows) navigation.go(place);
    return follows;
  };
  // Before the lists, for which J alone moves.
  useHotKeys(
    {
      g: (event) => {
        goPressedAt.current = event.timeStamp;
      },
      o: afterGo({ at: 'overview' }),
      s: afterGo({ at: 'sessions' }),
      j: afterGo({ at: 'jobs' }),
    },
    { first: true },
  );
  useHotKeys({
    Escape: () => {
      const above = placeAbove(place);
      if (above !== undefined) navigation.go(above);
    },
  });
}

function placeAbove(place: Place): Place | undefined {
  if (place.at === 'call') return { at: 'session', uid: place.uid, tab: 'calls' };
  if (place.at === 'checkpoint') return { at: 'session', uid: place.uid, tab: 'checkpoints' };
  if (place.at === 'jobs' && place.jobId !== undefined) return jobsAbove(place);
  if (place.at === 'session') return { at: 'sessions' };
  return undefined;
}

function jobsAbove({ at, state, type }: JobsPlace): JobsPlace {
  return { at, ...(state === undefined ? {} : { state }), ...(type === undefined ? {} : { type }) };
}
