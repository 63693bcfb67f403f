import {
  bareId,
  isMessageRef,
  messageKeyText,
  type HostMessage,
  type MessageFormat,
  type MessageOrRef,
} from '../../../src-shared/protocol/host-message.ts';
import { turnUri } from '../../../src-shared/model/uri.ts';
import { sha256 } from '../hash.ts';
import type { MessageView } from '../messages/message-view.ts';
import { previewText } from '../messages/preview-text.ts';
import { readMessage } from '../messages/read-message.ts';
import type { ContentInfo, SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import type { SessionTails } from '../turns/session-tails.ts';
import { isMessageKey, refuseUnknown } from '../turns/resolve-messages.ts';
import type { Candidate } from './candidate.ts';

/** A message of the host's list as a candidate, with what is known of it. */
export interface HostEntry {
  readonly candidate: Candidate;
  /** The stored turn that this message is, if it is one. */
  readonly meta: TurnMeta | undefined;
  /** Where the request carried the body. */
  readonly message: HostMessage | undefined;
  /** JSON text, where the body is not that of a stored turn. */
  readonly liveBody: string | undefined;
  readonly isSystem: boolean;
  readonly isHostSummary: boolean;
}

interface Draft {
  readonly key: string;
  readonly hostIndex: number;
  readonly message: HostMessage | undefined;
  readonly view: MessageView | undefined;
}

/**
 * Finds out which stored turn each message of the host is, and counts those that are none.
 * @throws EngineError `unknown_messages` for references whose bodies were never sent.
 */
export async function readHostMessages(
  request: {
    readonly messages: readonly MessageOrRef[];
    readonly indexes?: readonly number[] | undefined;
    readonly format: MessageFormat;
  },
  session: SessionRow,
  store: SessionStore,
  tails: SessionTails,
  counter: TokenCounter,
): Promise<readonly HostEntry[]> {
  refuseUnknown(request.messages, isMessageKey);
  const drafts = request.messages.map((entry, index): Draft => {
    const hostIndex = request.indexes?.[index] ?? index;
    if (isMessageRef(entry)) return { key: entry.ref, hostIndex, message: undefined, view: undefined };
    const view = readMessage(entry, request.format, index);
    return { key: sha256(messageKeyText(entry)), hostIndex, message: entry, view };
  });
  const metas = matchStored(
    drafts.map((draft) => draft.key),
    await tails.byMessageKey(session, [...new Set(drafts.map((draft) => draft.key))]),
  );
  const loaded = await loadReferenced(request, drafts, metas, store);
  const views = drafts.map((draft, index) => draft.view ?? loaded.get(index)?.view);
  const toCount = views.flatMap((view, index) => (view && !metas[index] ? [view] : []));
  const counted = [...(await counter.messages(toCount, request.format))];
  return drafts.map((draft, index) => {
    const meta = metas[index];
    const view = views[index];
    const body = draft.message === undefined ? loaded.get(index)?.body : JSON.stringify(draft.message);
    const base = { meta, message: draft.message ?? loaded.get(index)?.message, isSystem: false, isHostSummary: false };
    if (meta) return { ...base, candidate: storedCandidate(meta, session, draft.hostIndex), liveBody: undefined };
    if (!view) return { ...base, candidate: emptyCandidate(draft), liveBody: body };
    return {
      ...base,
      candidate: liveCandidate(draft, view, counted.shift() ?? 0, sha256(body ?? '')),
      liveBody: body,
      isSystem: view.role === 'system',
      isHostSummary: view.kind === 'host_summary',
    };
  });
}

/** Equal keys (messages without a time) are paired from the newest on; with a time a key is one message. */
function matchStored(keys: readonly string[], stored: readonly TurnMeta[]): (TurnMeta | undefined)[] {
  const byKey = new Map<string, TurnMeta[]>();
  for (const meta of [...stored].sort((a, b) => a.sequence - b.sequence)) {
    byKey.set(meta.messageKey, [...(byKey.get(meta.messageKey) ?? []), meta]);
  }
  const matched = new Array<TurnMeta | undefined>(keys.length);
  for (let index = keys.length - 1; index >= 0; index -= 1) matched[index] = byKey.get(keys[index] ?? '')?.pop();
  return matched;
}

/** Bodies of references that are no stored turn: they came with an earlier call, or belong to an earlier epoch. */
async function loadReferenced(
  request: { readonly messages: readonly MessageOrRef[]; readonly format: MessageFormat },
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

export function storedCandidate(meta: TurnMeta, session: SessionRow, hostIndex?: number): Candidate {
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
  };
}

function liveCandidate(draft: Draft, view: MessageView, tokens: number, contentHash: string): Candidate {
  const preview = previewText(view);
  const isSummary = view.kind === 'host_summary';
  return {
    item: `host:${draft.hostIndex}`,
    kind: isSummary ? 'summary' : view.role === 'system' ? 'system' : view.role === 'tool' ? 'tool_result' : 'raw_turn',
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

function pairId(id: string): string {
  return bareId(id) ?? id;
}
