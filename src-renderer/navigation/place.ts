import { jobStateSchema, type JobState } from '../../src-shared/model/job.ts';
import {
  formatMemoryPlace,
  memoryPlace,
  operationsPlace,
  recallPlace,
  searchPlace,
  type MemoryPlace,
  type OperationsPlace,
  type RecallPlace,
  type SearchPlace,
} from './memory-place.ts';
import { withQuery } from './with-query.ts';

export type SessionTab = 'calls' | 'turns' | 'checkpoints';
/** The parts of a call; `decisions` needs no word in the address. */
export const callViews = ['decisions', 'steps', 'window', 'diff', 'cache', 'messages'] as const;
export type CallView = (typeof callViews)[number];
/** What stands beside a checkpoint's summary. */
export type SourceView = 'turns' | 'checkpoints' | 'identifiers';

/** Where the person is; each has an address of its own. */
export type Place =
  | { readonly at: 'overview' }
  | { readonly at: 'sessions' }
  | SessionPlace
  | CallPlace
  | CheckpointPlace
  | JobsPlace
  | MemoryPlace
  | OperationsPlace
  | RecallPlace
  | SearchPlace
  | { readonly at: 'unknown'; readonly path: string };

/** One assemble call. */
export interface CallPlace {
  readonly at: 'call';
  readonly uid: string;
  readonly callId: string;
  readonly view: CallView;
  /** `seq` of the decision whose details are open, or that was stepped to. */
  readonly step?: number;
  /** The call that this one is held against; without it the one before. */
  readonly against?: string;
}

/** One conversation. */
export interface SessionPlace {
  readonly at: 'session';
  readonly uid: string;
  readonly tab: SessionTab;
  /** Sequence of the turn that is opened in the log. */
  readonly turn?: number;
}

/** One compaction beside its sources. */
export interface CheckpointPlace {
  readonly at: 'checkpoint';
  readonly uid: string;
  readonly checkpointId: string;
  /** Without it: the checkpoints that it was made of, else its turns. */
  readonly view?: SourceView;
  /** Only turns that have this text. */
  readonly find?: string;
  /** Only turns that the summary does not speak of. */
  readonly uncovered?: boolean;
}

/** Background work, filtered; with a job, that one beside the list. */
export interface JobsPlace {
  readonly at: 'jobs';
  readonly jobId?: string;
  readonly state?: JobState;
  readonly type?: string;
}

export function parsePlace(path: string, search = ''): Place {
  const parts = path.split('/').filter((part) => part !== '');
  const [root, uid, tab, id] = parts.map(decode);
  if (parts.length === 0) return { at: 'overview' };
  if (root === 'jobs' && parts.length <= 2) return jobsPlace(uid, new URLSearchParams(search));
  const memory = parts.length <= 2 ? memoryPlaceAt(parts.join('/'), new URLSearchParams(search)) : undefined;
  if (memory !== undefined) return memory;
  if (root !== 'sessions' || parts.length > 4) return { at: 'unknown', path };
  if (uid === undefined) return { at: 'sessions' };
  if (tab === undefined || (id === undefined && isTab(tab))) return sessionPlace(uid, tab ?? 'calls', search);
  if (tab === 'calls' && id !== undefined) return callPlace(uid, id, new URLSearchParams(search));
  if (tab === 'checkpoints' && id !== undefined) return checkpointPlace(uid, id, new URLSearchParams(search));
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
      const turn = place.tab === 'turns' ? place.turn?.toString() : undefined;
      return withQuery(place.tab === 'calls' ? base : `${base}/${place.tab}`, { turn });
    }
    case 'call':
      return withQuery(`/sessions/${encodeURIComponent(place.uid)}/calls/${encodeURIComponent(place.callId)}`, {
        view: place.view === 'decisions' ? undefined : place.view,
        step: place.step === undefined ? undefined : String(place.step),
        against: place.against,
      });
    case 'checkpoint':
      return withQuery(
        `/sessions/${encodeURIComponent(place.uid)}/checkpoints/${encodeURIComponent(place.checkpointId)}`,
        { view: place.view, find: place.find, only: place.uncovered === true ? 'uncovered' : undefined },
      );
    case 'jobs':
      return withQuery(place.jobId === undefined ? '/jobs' : `/jobs/${encodeURIComponent(place.jobId)}`, {
        state: place.state,
        type: place.type,
      });
    case 'memory':
    case 'operations':
    case 'recall':
    case 'search':
      return formatMemoryPlace(place);
    case 'unknown':
      return place.path;
  }
}

function memoryPlaceAt(path: string, search: URLSearchParams): Place | undefined {
  if (path === 'memory') return memoryPlace(search);
  if (path === 'memory/operations') return operationsPlace(search);
  if (path === 'recall') return recallPlace(search);
  return path === 'search' ? searchPlace(search) : undefined;
}

function sessionPlace(uid: string, tab: SessionTab, search: string): SessionPlace {
  const turn = tab === 'turns' ? (new URLSearchParams(search).get('turn') ?? '') : '';
  return { at: 'session', uid, tab, ...(/^[1-9]\d{0,14}$/.test(turn) ? { turn: Number(turn) } : {}) };
}

function callPlace(uid: string, callId: string, search: URLSearchParams): CallPlace {
  const asked = search.get('view');
  const view = callViews.find((known) => known === asked) ?? 'decisions';
  const step = /^\d{1,9}$/.test(search.get('step') ?? '') ? Number(search.get('step')) : undefined;
  const against = search.get('against') ?? '';
  return {
    at: 'call',
    uid,
    callId,
    view,
    ...(step === undefined ? {} : { step }),
    ...(against === '' ? {} : { against }),
  };
}

function checkpointPlace(uid: string, checkpointId: string, search: URLSearchParams): Place {
  const view = search.get('view');
  const find = search.get('find') ?? '';
  return {
    at: 'checkpoint',
    uid,
    checkpointId,
    ...(view === 'turns' || view === 'checkpoints' || view === 'identifiers' ? { view } : {}),
    ...(find === '' ? {} : { find }),
    ...(search.get('only') === 'uncovered' ? { uncovered: true } : {}),
  };
}

function jobsPlace(jobId: string | undefined, search: URLSearchParams): Place {
  const state = jobStateSchema.safeParse(search.get('state'));
  const type = search.get('type') ?? '';
  return {
    at: 'jobs',
    ...(jobId === undefined ? {} : { jobId }),
    ...(state.success ? { state: state.data } : {}),
    ...(type === '' ? {} : { type }),
  };
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
