import { createStore, type StoreApi } from 'zustand/vanilla';
import { formatPlace, parsePlace, type Place } from '../navigation/place.ts';

/** The part of the browser that holds the address. */
export interface AddressBar {
  read(): { readonly path: string; readonly search: string };
  push(url: string): void;
  replace(url: string): void;
  onBack(listener: () => void): () => void;
}

export interface NavigationState {
  readonly place: Place;
}

export interface NavigationStore extends StoreApi<NavigationState> {
  /** Goes there; the back button returns. */
  go(place: Place): void;
  /** Goes there without leaving a trace in the history: for stepping through a list. */
  step(place: Place): void;
}

export function createNavigationStore(address: AddressBar): NavigationStore {
  const here = () => {
    const { path, search } = address.read();
    return parsePlace(path, search);
  };
  const store = createStore<NavigationState>(() => ({ place: here() }));
  address.onBack(() => store.setState({ place: here() }));
  return {
    ...store,
    go(place) {
      if (formatPlace(place) !== formatPlace(store.getState().place)) address.push(formatPlace(place));
      store.setState({ place });
    },
    step(place) {
      address.replace(formatPlace(place));
      store.setState({ place });
    },
  };
}
