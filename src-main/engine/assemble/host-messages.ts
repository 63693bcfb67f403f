import {
  bareId,
  isMessageRef,
  messageKeyText,
  type HostMessage,
  type MessageFormat,
  type MessageOrRef,
} from '../../../src-shared/protocol/host-message.ts';
import { turnUri } from '../../../src-shared/model/uri.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { sha256 } from '../hash.ts';
import type { MessageView } from '../messages/message-view.ts';
import { previewText } from '../messages/preview-text.ts';
import { readMessage } from '../messages/read-message.ts';
import type { ContentInfo, SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import { isMessageKey, refuseUnknown } from '../turns/resolve-messages.ts';
import type { Candidate } from './candidate.ts';
import { matchStored } from './match-stored.ts';

/** Where a message of the host's list belongs: standing before the conversation, or in it. */
export type HostPlace = 'system' | 'summary' | 'conversation';

/** A message of the host's list as a candidate, with what is known of it. */
export interface HostEntry {
  readonly candidate: Candidate;
  readonly place: HostPlace;
  /** The stored turn that this message is, if it is one. */
  readonly meta: TurnMeta | undefined;
  /** Where the request carried the body, or it had to be read. */
  readonly message: HostMessage | undefined;
  /** JSON text, where the body is not that of a stored turn. */
  readonly liveBody: string | undefined;
}

/** As much of a request as is read here. */
export interface HostList {
  readonly messages: readonly MessageOrRef[];
  readonly indexes?: readonly number[] | undefined;
  readonly format: MessageFormat;
}

interface Draft {
  readonly key: string;
  readonly hostIndex: number;
  readonly message: HostMessage | undefined;
  readonly view: MessageView | undefined;
}

/**
 * Finds out which stored turn each message of the host is, and counts those that are none.
 * @throws EngineError `unknown_messages` for references whose bodies were never sent, `invalid_request` when `indexes`
 * do not fit the messages.
 */
export async function readHostMessages(
  request: HostList,
  session: SessionRow,
  store: SessionStore,
  tails: SessionTails,
  counter: TokenCounter,
): Promise<readonly HostEntry[]> {
  refuseUnknown(request.messages, isMessageKey);
  refuseIndexes(request);
  const drafts = request.messages.map((entry, index): Draft => {
    const hostIndex = request.indexes?.[index] ?? index;
    if (isMessageRef(entry)) return { key: entry.ref, hostIndex, message: undefined, view: undefined };
    const view = readMessage(entry, request.format, index);
    return { key: sha256(messageKeyText(entry)), hostIndex, message: entry, view };
  });
  const keys = drafts.map((draft) => draft.key);
  const metas = matchStored(keys, await tails.byMessageKey(session, keys), session.lastSequence);
  const loaded = await loadReferenced(request, drafts, metas, store);
  const views = drafts.map((draft, index) => draft.view ?? loaded.get(index)?.view);
  const counted = await countLive(views, metas, request.format, counter);
  const places = await placesOf(drafts, metas, views, loaded, store);
  return drafts.map((draft, index): HostEntry => {
    const meta = metas[index];
    const view = views[index];
    const place = places[index] ?? 'conversation';
    const message = draft.message ?? loaded.get(index)?.message;
    if (meta) {
      const candidate = inPlace(storedCandidate(meta, session, draft.hostIndex), place);
      return { candidate, place, meta, message, liveBody: undefined };
    }
    const body = draft.message === undefined ? loaded.get(index)?.body : JSON.stringify(draft.message);
    if (!view || body === undefined) return { candidate: emptyCandidate(draft), place, meta, message, liveBody: body };
    const candidate = liveCandidate(draft, view, counted.get(index) ?? 0, sha256(body));
    return { candidate: inPlace(candidate, place), place, meta, message, liveBody: body };
  });
}

async function countLive(
  views: readonly (MessageView | undefined)[],
  metas: readonly (TurnMeta | undefined)[],
  format: MessageFormat,
  counter: TokenCounter,
): Promise<ReadonlyMap<number, number>> {
  const live = views.flatMap((view, index) => (view && !metas[index] ? [{ view, index }] : []));
  const counted = await counter.messages(
    live.map(({ view }) => view),
    format,
  );
  return new Map(live.map(({ index }, at) => [index, counted[at] ?? 0]));
}

/**
 * System messages and the host's summary stand before the conversation; what comes later in the list is said in it,
 * and stays where it is said.
 */
async function placesOf(
  drafts: readonly Draft[],
  metas: readonly (TurnMeta | undefined)[],
  views: readonly (MessageView | undefined)[],
  loaded: ReadonlyMap<number, { readonly message: HostMessage }>,
  store: SessionStore,
): Promise<readonly HostPlace[]> {
  const places: HostPlace[] = [];
  for (const [index, draft] of drafts.entries()) {
    const role = views[index]?.role ?? metas[index]?.role;
    if (role === 'system') {
      places.push('system');
      continue;
    }
    const hostRole =
      role === 'user' ? await hostRoleOf(draft.message ?? loaded.get(index)?.message, metas[index], store) : undefined;
    if (hostRole !== 'compactionSummary') break;
    places.push('summary');
  }
  return places;
}

/** A stored turn says `user` for all that reaches the model as the user's; its body knows more. */
async function hostRoleOf(message: HostMessage | undefined, meta: TurnMeta | undefined, store: SessionStore) {
  if (message) return message['role'];
  const body = meta && (await store.readBodies([meta.contentHash])).get(meta.contentHash);
  return body === undefined ? undefined : (JSON.parse(body) as HostMessage)['role'];
}

function refuseIndexes({ messages, indexes }: HostList): void {
  if (indexes === undefined) return;
  const ascending = indexes.every((value, at) => at === 0 || value > (indexes[at - 1] ?? 0));
  if (indexes.length === messages.length && ascending) return;
  throw new EngineError(
    'invalid_request',
    `Expected one index per message in "indexes", ascending: ${messages.length} messages, ${indexes.length} indexes${ascending ? '' : ', not ascending'}.`,
  );
}

/** Bodies of references that are no stored turn: they came with an earlier call, or belong to an earlier epoch. */
async function loadReferenced(
  request: HostList,
  drafts: readonly Draft[],
  metas: readonly (TurnMeta | undefined)[],
  store: SessionStore,
): Promise<ReadonlyMap<number, { readonly message: HostMessage; readonly body: string; readonly view: MessageView }>> {
  const open = drafts.flatMap((draft, index) => (draft.message || metas[index] ? [] : [{ index, key: draft.key }]));
  if (open.length === 0) return new Map();
  const known: ReadonlyMap<string, ContentInfo> = await store.findContents(open.map(({ key }) => key));
  const matched = new Set(drafts.flatMap((draft, index) => (metas[index] ? [draft.key] : [])));
  refuseUnknown(request.messages, (ref) => known.has(ref) || matched.has(ref));
  const bodies = await store.readBodies([...known.values()].map((content) => content.contentHash));
  return new Map(
    open.flatMap(({ index, key }) => {
      const body = bodies.get(known.get(key)?.contentHash ?? '');
      if (body === undefined) return [];
      const message = JSON.parse(body) as HostMessage;
      return [[index, { message, body, view: readMessage(message, request.format, index) }] as const];
    }),
  );
}

/** A stored turn never changes, and the tails hand out the same objects: a thousand candidates are made once. */
const ofLog = new WeakMap<TurnMeta, Candidate>();

/** A stored turn as a candidate of its session, in the host's list at `hostIndex` or from the log alone. */
export function storedCandidate(meta: TurnMeta, session: SessionRow, hostIndex?: number): Candidate {
  const known = hostIndex === undefined ? ofLog.get(meta) : undefined;
  if (known) return known;
  const candidate = newCandidate(meta, session, hostIndex);
  if (hostIndex === undefined) ofLog.set(meta, candidate);
  return candidate;
}

function newCandidate(meta: TurnMeta, session: SessionRow, hostIndex: number | undefined): Candidate {
  return {
    item: `turn:${meta.sequence}`,
    kind: meta.role === 'tool' ? 'tool_result' : 'raw_turn',
    source: hostIndex === undefined ? 'store' : 'host',
    role: meta.role,
    count: 1,
    tokens: meta.tokens,
    preview: meta.preview,
    uri: turnUri(session.userId, session.uid, meta.sequence),
    ...(hostIndex === undefined ? {} : { hostIndex }),
    sequence: meta.sequence,
    contentHash: meta.contentHash,
    key: meta.messageKey,
    toolCallIds: meta.toolCallIds.map(pairId),
    ...(meta.toolResultFor === undefined ? {} : { toolResultFor: pairId(meta.toolResultFor) }),
    excluded: meta.excluded,
    blank: meta.preview === '' && meta.toolCallIds.length === 0 && meta.toolResultFor === undefined,
    live: false,
    position: meta.tokensCumulative - meta.tokens,
  };
}

/** What stands before the conversation is of another kind than what is said in it. */
function inPlace(candidate: Candidate, place: HostPlace): Candidate {
  return place === 'conversation' ? candidate : { ...candidate, kind: place };
}

function liveCandidate(draft: Draft, view: MessageView, tokens: number, contentHash: string): Candidate {
  const preview = previewText(view);
  return {
    item: `host:${draft.hostIndex}`,
    kind: view.role === 'tool' ? 'tool_result' : 'raw_turn',
    source: 'host',
    role: view.role,
    count: 1,
    tokens,
    preview,
    hostIndex: draft.hostIndex,
    contentHash,
    key: draft.key,
    toolCallIds: view.toolCalls.map((call) => pairId(call.id)),
    ...(view.toolResult ? { toolResultFor: pairId(view.toolResult.callId) } : {}),
    excluded: view.excluded,
    blank: preview === '' && view.toolCalls.length === 0 && !view.toolResult,
    live: true,
  };
}

/** A body that was dropped from the store between two statements; treated as nothing to send. */
function emptyCandidate(draft: Draft): Candidate {
  return {
    item: `host:${draft.hostIndex}`,
    kind: 'raw_turn',
    source: 'host',
    role: 'user',
    count: 1,
    tokens: 0,
    preview: '',
    hostIndex: draft.hostIndex,
    key: draft.key,
    toolCallIds: [],
    excluded: false,
    blank: true,
    live: true,
  };
}

/** Ids of calls and results as they compare equal; see `bareId`. */
export function pairId(id: string): string {
  return bareId(id) ?? id;
}
