import { describe, expect, it } from 'vitest';
import { createNavigationStore, type AddressBar } from './create-navigation-store.ts';

function addressBar(start: string): AddressBar & { readonly entries: string[]; back(): void } {
  const entries = [start];
  let onBack: () => void = () => undefined;
  return {
    entries,
    read: () => {
      const url = new URL(entries.at(-1) ?? '/', 'http://page');
      return { path: url.pathname, search: url.search };
    },
    push: (url) => void entries.push(url),
    replace: (url) => void entries.splice(-1, 1, url),
    onBack: (listener) => {
      onBack = listener;
      return () => undefined;
    },
    back: () => {
      entries.pop();
      onBack();
    },
  };
}

describe('where one is', () => {
  it('is read from the address', () => {
    const store = createNavigationStore(addressBar('/sessions/s1/turns'));
    expect(store.getState().place).toEqual({ at: 'session', uid: 's1', tab: 'turns' });
  });

  it('goes into the address, and the back button returns', () => {
    const bar = addressBar('/');
    const store = createNavigationStore(bar);
    store.go({ at: 'sessions' });
    store.go({ at: 'session', uid: 'a b', tab: 'calls' });
    expect(bar.entries).toEqual(['/', '/sessions', '/sessions/a%20b']);
    bar.back();
    expect(store.getState().place).toEqual({ at: 'sessions' });
  });

  it('is not written twice into the history', () => {
    const bar = addressBar('/sessions');
    createNavigationStore(bar).go({ at: 'sessions' });
    expect(bar.entries).toEqual(['/sessions']);
  });

  it('steps through a list without filling the history', () => {
    const bar = addressBar('/sessions');
    const store = createNavigationStore(bar);
    store.go({ at: 'call', uid: 's', callId: 'c1', view: 'decisions' });
    store.step({ at: 'call', uid: 's', callId: 'c2', view: 'decisions' });
    store.step({ at: 'call', uid: 's', callId: 'c3', view: 'decisions', step: 4 });
    expect(bar.entries).toEqual(['/sessions', '/sessions/s/calls/c3?step=4']);
    bar.back();
    expect(store.getState().place).toEqual({ at: 'sessions' });
  });
});
