import type { AssembleRequest } from '../../../../src-shared/protocol/assemble.ts';
import { isMessageRef, messageKeyText } from '../../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../../hash.ts';
import type { MessageView } from '../../messages/message-view.ts';
import { readMessage } from '../../messages/read-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../../ports/session-store.ts';
import type { SessionTails } from '../../turns/session-tails.ts';
import { questionOf, type RecallQuestion } from './recall-question.ts';

/** Before which message the answer belongs. */
export type RecallPlace =
  | { readonly at: 'end' }
  | { readonly at: 'before'; readonly hostIndex: number | undefined; readonly sequence: number | undefined };

export interface AskedQuestion extends RecallQuestion {
  readonly place: RecallPlace;
}

type Reader = { readonly tails: SessionTails; readonly bodies: Pick<SessionStore, 'readBodies'> };

/** Messages at the end of a list among which the user's newest is looked for: those of a long tool loop. */
const looked = 200;
/** Newest stored turns in which the user's earlier ones are looked for. */
const lookedBack = 120;

/**
 * What the user says in this call: the prompt, where the host appends it itself, else the newest message of the user in
 * the list, else in the log.
 * @param window user turns that the question is made of, this one included
 */
export async function findQuestion(
  request: Pick<AssembleRequest, 'prompt' | 'messages' | 'indexes' | 'format'>,
  session: SessionRow,
  window: number,
  reader: Reader,
): Promise<AskedQuestion | undefined> {
  const stored = (await reader.tails.newest(session, session.epochStart, lookedBack)).filter(isSaid);
  if (request.prompt !== undefined) {
    return { ...questionOf(request.prompt, earlierTexts(stored, window)), place: { at: 'end' } };
  }
  const found = (await newestOfList(request, session, reader)) ?? (await newestOfLog(session, reader));
  if (!found) return undefined;
  const before = stored.filter(({ sequence }) => sequence < (found.sequence ?? Infinity));
  const earlier =
    before.length > 0 ? earlierTexts(before, window) : found.earlier.slice(-(window - 1 || 1)).slice(0, window - 1);
  const place = { at: 'before' as const, hostIndex: found.hostIndex, sequence: found.sequence };
  return { ...questionOf(found.text, earlier), place };
}

interface Found {
  readonly text: string;
  readonly hostIndex: number | undefined;
  readonly sequence: number | undefined;
  readonly earlier: readonly string[];
}

async function newestOfList(
  { messages, indexes, format }: Pick<AssembleRequest, 'messages' | 'indexes' | 'format'>,
  session: SessionRow,
  { tails, bodies }: Reader,
): Promise<Found | undefined> {
  const first = Math.max(0, messages.length - looked);
  const newest = messages.slice(first);
  const keys = newest.map((message) => (isMessageRef(message) ? message.ref : undefined));
  const refs = keys.filter((key) => key !== undefined);
  const metas = new Map((await tails.byMessageKey(session, refs)).map((meta) => [meta.messageKey, meta]));
  for (let at = newest.length - 1; at >= 0; at -= 1) {
    const message = newest[at];
    if (message === undefined) continue;
    const hostIndex = indexes?.[first + at] ?? first + at;
    if (isMessageRef(message)) {
      const meta = metas.get(message.ref);
      if (!meta || !isSaid(meta)) continue;
      const text = await textOfTurn(meta, bodies);
      return { text, hostIndex, sequence: meta.sequence, earlier: [] };
    }
    const view = readMessage(message, format, first + at);
    if (!isSaidView(view)) continue;
    const key = sha256(messageKeyText(message));
    const [meta] = await tails.byMessageKey(session, [key]);
    const earlier = newest.slice(0, at).flatMap((other, index) => {
      if (isMessageRef(other)) return [];
      const said = readMessage(other, format, first + index);
      return isSaidView(said) ? [textOf(said).slice(0, 160)] : [];
    });
    return { text: textOf(view), hostIndex, sequence: meta?.sequence, earlier };
  }
  return undefined;
}

/** Where the host passes nothing: the newest turn of the log, if it waits for an answer. */
async function newestOfLog(session: SessionRow, { tails, bodies }: Reader): Promise<Found | undefined> {
  const turns = await tails.newest(session, session.epochStart, looked);
  const answered = turns.findLastIndex((turn) => turn.role === 'assistant' && turn.toolCallIds.length === 0);
  const meta = turns.findLast(isSaid);
  if (!meta || turns.indexOf(meta) < answered) return undefined;
  return { text: await textOfTurn(meta, bodies), hostIndex: undefined, sequence: meta.sequence, earlier: [] };
}

function isSaid({ role, excluded, heartbeat, preview }: TurnMeta): boolean {
  return role === 'user' && !excluded && !heartbeat && preview !== '';
}

function isSaidView({ role, kind, excluded, blank }: MessageView): boolean {
  return role === 'user' && kind === 'message' && !excluded && !blank;
}

function earlierTexts(stored: readonly TurnMeta[], window: number): readonly string[] {
  return window <= 1 ? [] : stored.slice(-(window - 1)).map((turn) => turn.preview);
}

async function textOfTurn(meta: TurnMeta, bodies: Pick<SessionStore, 'readBodies'>): Promise<string> {
  const body = (await bodies.readBodies([meta.contentHash])).get(meta.contentHash);
  if (body === undefined) return meta.preview;
  // A body of the log was a message when it was stored.
  return textOf(readMessage(JSON.parse(body) as Record<string, unknown>, meta.format, 0));
}

function textOf({ parts }: MessageView): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}
