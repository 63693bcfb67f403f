import type { MemoryOperation } from '../../../../src-shared/model/memory-operation.ts';
import type { HostMessage } from '../../../../src-shared/protocol/host-message.ts';
import { turnUri } from '../../../../src-shared/model/uri.ts';
import { Pacer } from '../../compact/pacer.ts';
import type { EngineParts } from '../../engine-parts.ts';
import { readMessage } from '../../messages/read-message.ts';
import type { SessionRow, TurnMeta } from '../../ports/session-store.ts';
import type { MemoryWriter, WriteContext } from '../judge/memory-writer.ts';
import type { Candidate } from './candidate.ts';
import { extractByRules } from './rules/extract-by-rules.ts';
import { withKindByHint } from '../kinds/kind-by-hint.ts';
import { makesMemories, mayBeUsers, textOf, userWords } from './user-words.ts';

export interface ExtractorParts extends Pick<EngineParts, 'store' | 'kinds'> {
  readonly writer: MemoryWriter;
  readonly timeZone: string;
}

export interface ExtractOptions {
  /** Only what was asked for in so many words. */
  readonly requestsOnly?: boolean;
  readonly checkpointId?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Extracted {
  readonly operations: readonly MemoryOperation[];
  readonly failures: readonly unknown[];
}

/** Bodies that are read at once. */
const readAtOnce = 100;
/** Longest answer of the agent that a correction is held against (characters). */
const longestAnswer = 20_000;

/** Reads turns for what is worth remembering, by rules, and has it judged. Read again they add nothing. */
export class TurnExtractor {
  readonly #parts: ExtractorParts;

  constructor(parts: ExtractorParts) {
    this.#parts = parts;
  }

  /** @param turns in order of sequence */
  async extract(session: SessionRow, turns: readonly TurnMeta[], options: ExtractOptions = {}): Promise<Extracted> {
    if (!makesMemories(session)) return { operations: [], failures: [] };
    const candidates = await this.candidates(session, turns, options);
    return this.#parts.writer.remember(candidates, contextOf(session, 'rules', options));
  }

  async candidates(session: SessionRow, turns: readonly TurnMeta[], options: ExtractOptions): Promise<Candidate[]> {
    const pacer = new Pacer();
    const found: Candidate[] = [];
    let answer = await this.#answerBefore(session, turns[0]);
    for (let from = 0; from < turns.length; from += readAtOnce) {
      const part = turns.slice(from, from + readAtOnce).filter((turn) => turn.role === 'assistant' || mayBeUsers(turn));
      const bodies = await this.#parts.store.readBodies(part.map((turn) => turn.contentHash));
      for (const turn of part) {
        options.signal?.throwIfAborted();
        await pacer.pauseIfDue();
        const body = bodies.get(turn.contentHash);
        if (body === undefined) continue;
        const message = JSON.parse(body) as HostMessage;
        if (turn.role === 'assistant') answer = answerOf(session, turn, message) ?? answer;
        else found.push(...this.#ofTurn(session, turn, message, answer, options));
      }
    }
    return found;
  }

  #ofTurn(
    session: SessionRow,
    turn: TurnMeta,
    message: HostMessage,
    answer: Answer | undefined,
    options: ExtractOptions,
  ): Candidate[] {
    const text = userWords(message, turn.format);
    if (text === '') return [];
    const candidates = extractByRules({
      text,
      sources: [turnUri(session.userId, session.uid, turn.sequence)],
      at: turn.timestamp,
      timeZone: this.#parts.timeZone,
      answer,
      requestsOnly: options.requestsOnly ?? false,
    });
    return candidates.map((candidate) => withKindByHint(candidate, this.#parts.kinds));
  }

  /** What the first turn of the range may answer to. */
  async #answerBefore(session: SessionRow, first: TurnMeta | undefined): Promise<Answer | undefined> {
    if (!first || first.sequence <= 1) return undefined;
    const before = await this.#parts.store.turnsInRange(
      session.uid,
      Math.max(1, first.sequence - 5),
      first.sequence - 1,
      5,
    );
    const turn = before.findLast(({ role, epoch }) => role === 'assistant' && epoch === first.epoch);
    const body = turn && (await this.#parts.store.readBodies([turn.contentHash])).get(turn.contentHash);
    return turn && body !== undefined ? answerOf(session, turn, JSON.parse(body) as HostMessage) : undefined;
  }
}

interface Answer {
  readonly text: string;
  readonly source: string;
}

function answerOf(session: SessionRow, turn: TurnMeta, message: HostMessage): Answer | undefined {
  const text = textOf(readMessage(message, turn.format, 0)).slice(0, longestAnswer);
  return text.trim() === '' ? undefined : { text, source: turnUri(session.userId, session.uid, turn.sequence) };
}

export function contextOf(
  { userId, agentId, uid }: SessionRow,
  method: WriteContext['method'],
  { checkpointId, signal }: ExtractOptions,
): WriteContext {
  return { userId, agentId, sessionUid: uid, checkpointId, author: 'extraction', method, once: true, signal };
}
