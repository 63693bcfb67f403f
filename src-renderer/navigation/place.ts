export type SessionTab = 'calls' | 'turns' | 'checkpoints';
export type CallView = 'decisions' | 'messages';

/** Where the person is; each has an address of its own. */
export type Place =
  | { readonly at: 'overview' }
  | { readonly at: 'sessions' }
  | { readonly at: 'session'; readonly uid: string; readonly tab: SessionTab }
  | {
      readonly at: 'call';
      readonly uid: string;
      readonly callId: string;
      readonly view: CallView;
      /** The decision whose details are open. */
      readonly step?: number;
    }
  | { readonly at: 'unknown'; readonly path: string };

export function parsePlace(path: string, search = ''): Place {
  const parts = path.split('/').filter((part) => part !== '');
  const [root, uid, tab, id] = parts.map(decode);
  if (parts.length === 0) return { at: 'overview' };
  if (root !== 'sessions' || parts.length > 4) return { at: 'unknown', path };
  if (uid === undefined) return { at: 'sessions' };
  if (tab === undefined || (id === undefined && isTab(tab))) return { at: 'session', uid, tab: tab ?? 'calls' };
  if (tab === 'calls' && id !== undefined) return callPlace(uid, id, new URLSearchParams(search));
  return { at: 'unknown', path };
}

export function formatPlace(place: Place): string {
  switch (place.at) {
    case 'overview':
      return '/';
    case 'sessions':
      return '/sessions';
    case 'session': {
      const base = `/sessions/${encodeURIComponent(place.uid)}`;
      return place.tab === 'calls' ? base : `${base}/${place.tab}`;
    }
    case 'call': {
      const search = new URLSearchParams();
      if (place.view !== 'decisions') search.set('view', place.view);
      if (place.step !== undefined) search.set('step', String(place.step));
      const query = search.toString();
      const base = `/sessions/${encodeURIComponent(place.uid)}/calls/${encodeURIComponent(place.callId)}`;
      return query === '' ? base : `${base}?${query}`;
    }
    case 'unknown':
      return place.path;
  }
}

function callPlace(uid: string, callId: string, search: URLSearchParams): Place {
  const view = search.get('view') === 'messages' ? 'messages' : 'decisions';
  const step = /^\d{1,9}$/.test(search.get('step') ?? '') ? Number(search.get('step')) : undefined;
  return step === undefined ? { at: 'call', uid, callId, view } : { at: 'call', uid, callId, view, step };
}

function isTab(text: string): text is SessionTab {
  return text === 'calls' || text === 'turns' || text === 'checkpoints';
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A percent sign that was typed by hand: taken as it stands.
    return part;
  }
}
