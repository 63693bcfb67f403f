import { parseUri } from '../../src-shared/model/uri.ts';
import type { Place } from '../navigation/place.ts';

/** Where what a URI names is shown; undefined for what has no view of its own, and for what is no URI of ours. */
export function placeOfUri(uri: string): Place | undefined {
  if (!uri.startsWith('strata://')) return undefined;
  let parsed;
  try {
    parsed = parseUri(uri);
  } catch {
    // A source may be named in free words that look like a URI.
    return undefined;
  }
  switch (parsed.kind) {
    case 'page':
      return { at: 'memory', page: uri };
    case 'session':
      return { at: 'session', uid: parsed.sessionUid, tab: 'calls' };
    case 'turn':
      return { at: 'session', uid: parsed.sessionUid, tab: 'turns', turn: parsed.sequence };
    case 'checkpoint':
      return { at: 'checkpoint', uid: parsed.sessionUid, checkpointId: parsed.checkpointId };
    case 'tool-result':
      return undefined;
  }
}
