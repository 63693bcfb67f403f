import { toolResultUrisIn, turnUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import type { ExpandedTurn, MemoryExpandReply, MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { boundary } from '../../../src-shared/synopsis/visible-text.ts';
import { Pacer } from '../compact/pacer.ts';
import { turnText } from '../compact/turn-text.ts';
import { readMessage } from '../messages/read-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { readCursor, TokenRoom, writeCursor } from './expand-page.ts';
import { countTermsOf, firstTerm, queryTerms, rankFound, type Found } from './expand-terms.ts';

/** Characters of a turn in a list of several. */
const excerptLength = 2_000;

/** Turns that are listed at once. What they say is read one by one: each may be many megabytes. */
const listed = 200;

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
  const pacer = new Pacer();
  const ranked = terms.length > 0 ? await search({ session, start, end }, terms, store, pacer) : undefined;
  const given = place.given ?? 0;
  const from = Math.max(start, place.sequence ?? start);
  // One more than may be shown tells whether there is more.
  const wanted = ranked
    ? ranked.slice(given, given + request.limit + 1)
    : await store.turnsInRange(session.uid, from, end, request.limit + 1);
  const turns: ExpandedTurn[] = [];
  const named = new Set<string>();
  for (const meta of wanted) {
    if (turns.length === request.limit || room.isFull) break;
    const text = await textOfTurn(meta, store);
    const excerpt = await excerptOf(text, terms, pacer);
    const fitting = await room.take(excerpt);
    if (fitting === 0 && excerpt !== '') break;
    const isPart = fitting < text.length;
    const turn = turnHead(meta, session);
    turns.push({ ...turn, text: excerpt.slice(0, fitting).toWellFormed(), truncated: isPart });
    if (isPart) named.add(turn.uri);
    for (const uri of toolResultUrisIn(text)) named.add(uri);
    await pacer.pauseIfDue();
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
  pacer: Pacer,
): Promise<readonly TurnMeta[]> {
  const found: Found<TurnMeta>[] = [];
  let searched = 0;
  for (let position = start; position <= end;) {
    const page = await store.turnsInRange(session.uid, position, Math.min(end, position + listed - 1), listed);
    if (page.length === 0) break;
    for (const item of page) {
      const text = await textOfTurn(item, store);
      const counts = await countTermsOf(text, terms, pacer);
      if (counts) found.push({ item, counts, length: text.length });
      await pacer.pauseIfDue();
    }
    searched += page.length;
    position = (page.at(-1)?.sequence ?? end) + 1;
  }
  return rankFound(found, searched);
}

/** All that a turn says. */
export async function textOfTurn({ contentHash, format }: TurnMeta, store: SessionStore): Promise<string> {
  const body = (await store.readBodies([contentHash])).get(contentHash);
  const message = JSON.parse(body ?? '{"role":"system"}') as HostMessage;
  return turnText(readMessage(message, format, 0));
}

/** What is shown of a turn in a list: its start, or the surroundings of the first word that was looked for. */
async function excerptOf(text: string, terms: readonly string[], pacer: Pacer): Promise<string> {
  if (text.length <= excerptLength) return text;
  const from = boundary(text, Math.max(0, (await firstTerm(text, terms, pacer)) - excerptLength / 4));
  return text.slice(from, boundary(text, from + excerptLength));
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
