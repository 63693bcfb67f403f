import type { CompactCheckpoint } from '../../../src-shared/model/checkpoint.ts';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { MemoryPage } from '../../../src-shared/model/memory-page.ts';
import { checkpointUri, parseUri } from '../../../src-shared/model/uri.ts';
import type { MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { isLineOfOthers } from '../memory/access/is-line-of-others.ts';
import { mayReadPage } from '../memory/access/may-read-page.ts';
import type { MemoryAccessPolicy } from '../memory/access/memory-access-policy.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { SessionRow, SessionStore } from '../ports/session-store.ts';
import type { StoredToolResult } from '../ports/tool-result-store.ts';

/** What a URI stands for. */
export type ExpandTarget =
  | {
      readonly kind: 'turns';
      readonly session: SessionRow;
      readonly start: number;
      readonly end: number;
      /** Checkpoints that can be expanded in its stead. */
      readonly parts: readonly CompactCheckpoint[];
    }
  | { readonly kind: 'turn'; readonly session: SessionRow; readonly sequence: number }
  | { readonly kind: 'result'; readonly result: StoredToolResult }
  | { readonly kind: 'page'; readonly page: MemoryPage };

/** Where things are looked up. */
export interface TargetParts {
  readonly store: SessionStore;
  readonly pages: Pick<MemoryPages, 'find'>;
  readonly access: Pick<MemoryAccessPolicy, 'scopeFor'>;
  /** Whose things are opened where the request names no user. */
  readonly defaultUser: string;
}

const mostParts = 20;

/**
 * Finds what a URI names, for one user. What belongs to another user is answered like what does not exist, so that
 * nothing is learned about it.
 * @throws EngineError `invalid_request` for what is no URI, `unknown_uri` where there is nothing
 */
export async function findTarget(request: MemoryExpandRequest, parts: TargetParts): Promise<ExpandTarget> {
  const { store } = parts;
  const uri = parseUri(request.uri);
  const user = request.user_id ?? parts.defaultUser;
  if (uri.kind === 'tool-result') {
    const result = await store.findToolResult(uri.contentHash, user);
    if (!result) throw unknownUri(request.uri);
    return { kind: 'result', result };
  }
  if (uri.kind === 'page') {
    const page = await parts.pages.find(request.uri);
    const scope = await parts.access.scopeFor(readerOf(request, user));
    if (!page || !mayReadPage(page, scope)) throw unknownUri(request.uri);
    return { kind: 'page', page: memoryMdPaths.has(page.path) ? withoutOthers(page, scope) : page };
  }
  // A host's id stands for a session only where it names one.
  const found = uri.userId === user ? await store.lookUpSessions(uri.sessionUid) : [];
  const [session, ...others] = found.filter((candidate) => candidate.userId === user);
  if (!session || others.length > 0) throw unknownUri(request.uri);
  if (uri.kind === 'turn') {
    if (uri.sequence > session.lastSequence) throw unknownUri(request.uri);
    return { kind: 'turn', session, sequence: uri.sequence };
  }
  if (uri.kind === 'session') {
    const parts = (await store.standingCheckpoints(session.uid, session.epoch)).slice(0, mostParts);
    return { kind: 'turns', session, start: 1, end: session.lastSequence, parts };
  }
  const checkpoint = await store.findCheckpoint(uri.checkpointId);
  if (!checkpoint || checkpoint.sessionUid !== session.uid) throw unknownUri(request.uri);
  const { start_sequence: start, end_sequence: end } = checkpoint.checkpoint.source_turn_range;
  return { kind: 'turns', session, start, end, parts: await partsOf(checkpoint.checkpoint, session, store) };
}

const memoryMdPaths: ReadonlySet<string> = new Set(['MEMORY.md', 'memory.md']);

/** The file is one for the workspace, but the pages that its index tells of are not everybody's. */
function withoutOthers(page: MemoryPage, reader: { readonly userId: string; readonly agentId: string }): MemoryPage {
  const lines = page.content.split('\n').filter((line) => !isLineOfOthers(line, reader));
  return { ...page, content: lines.join('\n') };
}

/** The agent is named, or stands in the key (`agent:{id}:…`). */
function readerOf({ session_key: key = '', agent_id: agent }: MemoryExpandRequest, userId: string) {
  const agentId = agent ?? /^agent:([^:]+):/.exec(key)?.[1] ?? 'main';
  return { userId, agentId, sessionKey: key };
}

/** The checkpoints that one was condensed from. */
async function partsOf(
  checkpoint: CompactCheckpoint,
  session: SessionRow,
  store: SessionStore,
): Promise<readonly CompactCheckpoint[]> {
  const parts: CompactCheckpoint[] = [];
  for (const id of checkpoint.parent_checkpoint_ids.slice(0, mostParts)) {
    const part = await store.findCheckpoint(id);
    if (part?.sessionUid === session.uid) parts.push(part.checkpoint);
  }
  return parts;
}

export function partReply(checkpoint: CompactCheckpoint, session: SessionRow) {
  return {
    uri: checkpointUri(session.userId, session.uid, checkpoint.checkpoint_id),
    abstract: checkpoint.abstract,
    start_sequence: checkpoint.source_turn_range.start_sequence,
    end_sequence: checkpoint.source_turn_range.end_sequence,
    committed_at: checkpoint.committed_at,
  };
}

function unknownUri(uri: string): EngineError {
  return new EngineError(
    'unknown_uri',
    `There is nothing at ${uri.slice(0, 300)}. Give a strata:// uri whole, as a summary, a synopsis or an earlier answer names it; the uri of the session finds everything of it by a query.`,
  );
}
