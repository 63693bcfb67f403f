import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { MemoryExpandReply, MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { parseUri, turnUri, type StrataUri } from '../../../src-shared/model/uri.ts';
import type { HostMessage } from '../../../src-shared/protocol/host-message.ts';
import { turnText } from '../compact/turn-text.ts';
import { readMessage } from '../messages/read-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';

/** Characters of a turn in a list of several; a turn that is asked for by its own URI comes whole. */
const excerptLength = 2_000;

const scanned = 500;

interface Range {
  readonly session: SessionRow;
  readonly start: number;
  readonly end: number;
  readonly single: boolean;
}

/** From a summary, a session or a turn back to the raw turns, all or those in which the query's words occur. */
export async function expand(
  request: MemoryExpandRequest,
  store: SessionStore,
  defaultUser: string,
): Promise<MemoryExpandReply> {
  const range = await resolveRange(parseUri(request.uri), request, store, defaultUser);
  const words = queryWords(request.query ?? '');
  const turns: MemoryExpandReply['turns'] = [];
  let next: number | undefined;
  let position = Math.max(range.start, request.from_sequence ?? range.start);
  while (position <= range.end && next === undefined) {
    const page = await store.turnsInRange(
      range.session.uid,
      position,
      Math.min(range.end, position + scanned - 1),
      scanned,
    );
    if (page.length === 0) break;
    const texts = await turnTexts(page, store);
    for (const [index, meta] of page.entries()) {
      const text = texts[index] ?? '';
      if (!matches(text, words)) continue;
      if (turns.length === request.limit) {
        next = meta.sequence;
        break;
      }
      turns.push(excerpt(meta, text, range, words));
    }
    position = (page.at(-1)?.sequence ?? range.end) + 1;
  }
  return {
    archive_uri: request.uri,
    turns,
    read_uris: turns.filter((turn) => turn.truncated).map((turn) => turn.uri),
    total: range.end - range.start + 1,
    ...(next === undefined ? {} : { next_sequence: next }),
  };
}

async function resolveRange(
  uri: StrataUri,
  request: MemoryExpandRequest,
  store: SessionStore,
  defaultUser: string,
): Promise<Range> {
  const user = request.user_id ?? defaultUser;
  // Another user's session is answered like one that does not exist, so that nothing is learned about it. A host's id
  // stands for a session only where it names one.
  const found = uri.userId === user ? await store.lookUpSessions(uri.sessionUid) : [];
  const [session, ...others] = found.filter((candidate) => candidate.userId === user);
  if (!session || others.length > 0) throw unknown(request.uri);
  if (uri.kind === 'turn') {
    if (uri.sequence > session.lastSequence) throw unknown(request.uri);
    return { session, start: uri.sequence, end: uri.sequence, single: true };
  }
  if (uri.kind === 'session') return { session, start: 1, end: session.lastSequence, single: false };
  const checkpoint = await store.findCheckpoint(uri.checkpointId);
  if (!checkpoint || checkpoint.sessionUid !== session.uid) throw unknown(request.uri);
  const { start_sequence: start, end_sequence: end } = checkpoint.checkpoint.source_turn_range;
  return { session, start, end, single: false };
}

async function turnTexts(turns: readonly TurnMeta[], store: SessionStore): Promise<string[]> {
  const bodies = await store.readBodies(turns.map((turn) => turn.contentHash));
  return turns.map((turn) => {
    const message = JSON.parse(bodies.get(turn.contentHash) ?? '{"role":"system"}') as HostMessage;
    return turnText(readMessage(message, turn.format, 0));
  });
}

/** Chinese has no spaces between words; two characters beside each other mostly are one. */
function queryWords(query: string): string[] {
  const lower = query.toLowerCase();
  const words = lower.match(/[\p{L}\p{N}_./:#@+-]{2,}/gu) ?? [];
  const found = words.flatMap((word) => {
    const han = word.match(/\p{Script=Han}+|\P{Script=Han}+/gu) ?? [];
    return han.flatMap((run) => (/\p{Script=Han}/u.test(run) && run.length > 2 ? pairs(run) : [run]));
  });
  const trimmed = lower.trim();
  return found.length > 0 || trimmed === '' ? found : [trimmed];
}

function pairs(run: string): string[] {
  const characters = Array.from(run);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

/** Any of the words: the model asks in its own words, and the limit keeps the answer short. */
function matches(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.length === 0 || words.some((word) => lower.includes(word));
}

function excerpt(
  meta: TurnMeta,
  text: string,
  range: Range,
  words: readonly string[],
): MemoryExpandReply['turns'][number] {
  const whole = range.single || text.length <= excerptLength;
  const from = whole ? 0 : Math.max(0, firstMatch(text, words) - excerptLength / 4);
  return {
    uri: turnUri(range.session.userId, range.session.uid, meta.sequence),
    sequence: meta.sequence,
    role: meta.role,
    timestamp: new Date(meta.timestamp).toISOString(),
    text: whole ? text : text.slice(from, from + excerptLength).toWellFormed(),
    tokens: meta.tokens,
    truncated: !whole,
  };
}

function firstMatch(text: string, words: readonly string[]): number {
  const lower = text.toLowerCase();
  const positions = words.map((word) => lower.indexOf(word)).filter((position) => position >= 0);
  return positions.length === 0 ? 0 : Math.min(...positions);
}

function unknown(uri: string): EngineError {
  return new EngineError('unknown_uri', `There is nothing at ${uri.slice(0, 300)}.`);
}
