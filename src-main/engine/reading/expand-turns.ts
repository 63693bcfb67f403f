import { toolResultUrisIn, turnUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { ExpandedTurn, MemoryExpandReply, MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { boundary } from '../../../src-shared/synopsis/visible-text.ts';
import { turnText } from '../compact/turn-text.ts';
import { readMessage } from '../messages/read-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { readCursor, TokenRoom, writeCursor } from './expand-page.ts';
import { countTerms, firstTerm, queryTerms, rankFound, type Found } from './expand-terms.ts';

/** Characters of a turn in a list of several. */
const excerptLength = 2_000;

/** Turns that are read at once; between two such steps others may run. */
const scanned = 200;

type Turns = Pick<MemoryExpandReply, 'turns' | 'read_uris' | 'total' | 'tokens'> &
  Partial<Pick<MemoryExpandReply, 'next_sequence' | 'next_cursor'>>;

export interface TurnRange {
  readonly session: SessionRow;
  readonly start: number;
  readonly end: number;
}

/** The turns of a range in short: in their order, or those that a query finds, the best first. */
export async function expandTurns(
  request: MemoryExpandRequest,
  range: TurnRange,
  store: SessionStore,
  counter: TokenCounter,
): Promise<Turns> {
  const place = readCursor(request, request.cursor);
  const terms = queryTerms(request.query ?? '');
  const { session } = range;
  const end = Math.min(range.end, place.end ?? range.end);
  const start = Math.max(range.start, request.from_sequence ?? 1);
  const room = new TokenRoom(counter, request.max_tokens);
  const ranked = terms.length > 0 ? await search({ session, start, end }, terms, store) : undefined;
  const given = place.given ?? 0;
  const from = Math.max(start, place.sequence ?? start);
  // One more than may be shown tells whether there is more.
  const wanted = ranked
    ? ranked.slice(given, given + request.limit + 1)
    : await store.turnsInRange(session.uid, from, end, request.limit + 1);
  const texts = await turnTexts(wanted, store);
  const turns: ExpandedTurn[] = [];
  const named = new Set<string>();
  for (const [index, meta] of wanted.entries()) {
    if (turns.length === request.limit || room.isFull) break;
    const turn = await shorten(meta, texts[index] ?? '', session, terms, room);
    if (turn === undefined) break;
    turns.push(turn);
    if (turn.truncated) named.add(turn.uri);
    for (const uri of toolResultUrisIn(texts[index] ?? '')) named.add(uri);
  }
  const next = wanted[turns.length];
  return {
    turns,
    read_uris: [...named],
    total: Math.max(0, range.end - range.start + 1),
    tokens: room.taken,
    ...(next === undefined ? {} : nextOf(request, next, ranked ? given + turns.length : undefined, end)),
  };
}

function nextOf(request: MemoryExpandRequest, next: TurnMeta, given: number | undefined, end: number) {
  return given === undefined
    ? { next_sequence: next.sequence, next_cursor: writeCursor(request, { sequence: next.sequence, end }) }
    : { next_cursor: writeCursor(request, { given, end }) };
}

async function search(
  { session, start, end }: TurnRange,
  terms: readonly string[],
  store: SessionStore,
): Promise<readonly TurnMeta[]> {
  const found: Found<TurnMeta>[] = [];
  let searched = 0;
  for (let position = start; position <= end;) {
    const page = await store.turnsInRange(session.uid, position, Math.min(end, position + scanned - 1), scanned);
    if (page.length === 0) break;
    const texts = await turnTexts(page, store);
    page.forEach((item, index) => {
      const text = texts[index] ?? '';
      const counts = countTerms(text, terms);
      if (counts) found.push({ item, counts, length: text.length });
    });
    searched += page.length;
    position = (page.at(-1)?.sequence ?? end) + 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  return rankFound(found, searched);
}

/** All that turns say, in their order. */
export async function turnTexts(turns: readonly TurnMeta[], store: SessionStore): Promise<string[]> {
  const bodies = await store.readBodies(turns.map((turn) => turn.contentHash));
  return turns.map((turn) => {
    const message = JSON.parse(bodies.get(turn.contentHash) ?? '{"role":"system"}') as HostMessage;
    return turnText(readMessage(message, turn.format, 0));
  });
}

async function shorten(
  meta: TurnMeta,
  text: string,
  session: SessionRow,
  terms: readonly string[],
  room: TokenRoom,
): Promise<ExpandedTurn | undefined> {
  const from =
    text.length <= excerptLength ? 0 : boundary(text, Math.max(0, firstTerm(text, terms) - excerptLength / 4));
  const excerpt = text.slice(from, boundary(text, from + excerptLength));
  const fitting = await room.take(excerpt);
  if (fitting === 0 && excerpt !== '') return undefined;
  const shown = excerpt.slice(0, fitting);
  return { ...turnHead(meta, session), text: shown.toWellFormed(), truncated: shown.length < text.length };
}

export function turnHead(meta: TurnMeta, session: SessionRow): Omit<ExpandedTurn, 'text' | 'truncated'> {
  return {
    uri: turnUri(session.userId, session.uid, meta.sequence),
    sequence: meta.sequence,
    role: meta.role,
    timestamp: new Date(meta.timestamp).toISOString(),
    tokens: meta.tokens,
  };
}
