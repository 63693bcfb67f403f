import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { toolResultUri, toolResultUrisIn } from '../../../src-shared/model/uri.ts';
import type { MemoryExpandReply, MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import type { MemoryPage } from '../../../src-shared/model/memory-page.ts';
import { readResultContent } from '../../../src-shared/synopsis/result-content.ts';
import { synopsisOf } from '../../../src-shared/synopsis/synopsis-of.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { StoredToolResult } from '../ports/tool-result-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { findTarget, partReply, type TargetParts } from './expand-target.ts';
import { expandText, joinPassages } from './expand-text.ts';
import { expandTurns, textOfTurn, turnHead } from './expand-turns.ts';

export interface ExpandParts extends TargetParts {
  readonly counter: TokenCounter;
}

/** To tell the kind of a longer text for each of its pages would hold up everybody else. */
const longestTold = 1_000_000;

/**
 * From a summary, a session, a turn, a memory page or a synopsis back to what was said and answered, all or where the query's words
 * occur; as much at a time as the tokens allow.
 * @throws EngineError `invalid_request`, `unknown_uri`
 */
export async function expand(request: MemoryExpandRequest, parts: ExpandParts): Promise<MemoryExpandReply> {
  const target = await findTarget(request, parts);
  if (target.kind === 'result') return expandResult(request, target.result, parts);
  if (target.kind === 'page') return expandPage(request, target.page, parts);
  if (target.kind === 'turn') return expandTurn(request, target.session, target.sequence, parts);
  if (request.range !== undefined) {
    throw new EngineError(
      'invalid_request',
      'Expected range only with the uri of one turn, tool result or page. Leave it out, or give one of the uris in read_uris.',
    );
  }
  const { session } = target;
  const archives = target.parts.map((part) => partReply(part, session));
  return {
    ...empty(request),
    ...(await expandTurns(request, target, parts.store, parts.counter)),
    archive_uris: [request.uri, ...archives.map(({ uri }) => uri)],
    // They say what a range is about, and are not repeated on every page of it.
    parts: request.cursor === undefined ? archives : [],
  };
}

async function expandTurn(
  request: MemoryExpandRequest,
  session: SessionRow,
  sequence: number,
  { store, counter }: ExpandParts,
): Promise<MemoryExpandReply> {
  const [meta] = await store.turnsInRange(session.uid, sequence, sequence, 1);
  const text = meta ? await textOfTurn(meta, store) : '';
  const found = await expandText(request, text, counter);
  const isAbsent = meta === undefined || (found.passages.length === 0 && text !== '');
  const isRun = !(request.query ?? '').trim();
  const turn = meta && {
    ...turnHead(meta, session),
    text: joinPassages(found.passages, isRun),
    truncated: !found.isWhole,
  };
  return {
    ...empty(request),
    turns: isAbsent || !turn ? [] : [turn],
    read_uris: toolResultUrisIn(text),
    total: 1,
    tokens: found.tokens,
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
  };
}

/** A page as it is on disk, and the turns that it comes from. */
async function expandPage(
  request: MemoryExpandRequest,
  page: MemoryPage,
  { counter }: ExpandParts,
): Promise<MemoryExpandReply> {
  const found = await expandText(request, page.content, counter);
  const { title, kind, status, version, updated_at } = page;
  return {
    ...empty(request),
    page: { title, kind, status, version, updated_at },
    passages: [...found.passages],
    read_uris: sourcesOf(page),
    total: found.lines,
    tokens: found.tokens,
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
  };
}

/** What can be read by its own address: other sources are names of files and people. */
function sourcesOf({ sources, timeline, superseded_by: successor }: MemoryPage): string[] {
  const named = [
    ...sources,
    ...timeline.flatMap(({ source }) => source ?? []),
    ...(successor === undefined ? [] : [successor]),
  ];
  return [...new Set(named)].filter((uri) => uri.startsWith('strata://'));
}

async function expandResult(
  request: MemoryExpandRequest,
  { contentHash, toolName, storedAt }: StoredToolResult,
  { store, counter }: ExpandParts,
): Promise<MemoryExpandReply> {
  const body = (await store.readBodies([contentHash])).get(contentHash);
  if (body === undefined) {
    throw new EngineError(
      'store_corrupt',
      `The content of ${toolResultUri(contentHash)} is not in the store; run "npm run strata -- doctor".`,
    );
  }
  const { text, images } = readResultContent(JSON.parse(body));
  const found = await expandText(request, text, counter);
  return {
    ...empty(request),
    result: {
      tool_name: toolName,
      stored_at: new Date(storedAt).toISOString(),
      ...(text.length <= longestTold ? { kind: synopsisOf(text, { maxCharacters: 200 }).kind } : {}),
      characters: text.length,
      lines: found.lines,
      images: images.length,
    },
    passages: [...found.passages],
    total: found.lines,
    tokens: found.tokens,
    ...(found.nextCursor === undefined ? {} : { next_cursor: found.nextCursor }),
  };
}

function empty(request: MemoryExpandRequest): MemoryExpandReply {
  return {
    archive_uri: request.uri,
    archive_uris: [request.uri],
    parts: [],
    turns: [],
    passages: [],
    read_uris: [],
    total: 0,
    tokens: 0,
  };
}
