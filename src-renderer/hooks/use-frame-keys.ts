import { useRef } from 'react';
import { useStore } from 'zustand';
import type { MemoryPlace } from '../navigation/memory-place.ts';
import type { JobsPlace, Place } from '../navigation/place.ts';
import { present } from '../navigation/present.ts';
import { useApp } from './app-context.ts';
import { useHotKeys } from './use-hot-keys.ts';

/** G then O, S, M, R or J goes to a view, Escape goes up one level. */
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
      m: afterGo({ at: 'memory' }),
      r: afterGo({ at: 'recall' }),
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
  if (place.at === 'memory' && place.page !== undefined) return memoryAbove(place);
  if (place.at === 'operations') return { at: 'memory' };
  if (place.at === 'session') return { at: 'sessions' };
  return undefined;
}

function jobsAbove({ at, state, type }: JobsPlace): JobsPlace {
  return { at, ...(state === undefined ? {} : { state }), ...(type === undefined ? {} : { type }) };
}

/** From a part of a page to the page, from there to the tree with its filter. */
function memoryAbove({ at, page, view, find, kind, mark }: MemoryPlace): MemoryPlace {
  return { at, ...present({ page: view === undefined ? undefined : page, find, kind, mark }) };
}
