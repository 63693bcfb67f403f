import { EngineError } from '../../../../../src-shared/model/engine-error.ts';
import type { HostMessage } from '../../../../../src-shared/protocol/host-message.ts';
import { turnUri } from '../../../../../src-shared/model/uri.ts';
import { fillPrompt } from '../../../compact/prompts.ts';
import type { EngineParts } from '../../../engine-parts.ts';
import { sha256 } from '../../../hash.ts';
import { readMessage } from '../../../messages/read-message.ts';
import { stripInjected } from '../../../messages/strip-injected.ts';
import type { LanguageModel } from '../../../ports/language-model.ts';
import type { MemoryPages } from '../../../ports/memory-pages.ts';
import type { SessionRow, TurnMeta } from '../../../ports/session-store.ts';
import type { MemoryWriter } from '../../judge/memory-writer.ts';
import type { Candidate } from '../candidate.ts';
import { maskSecrets } from '../gates/mask-secrets.ts';
import { contextOf, type ExtractOptions, type Extracted } from '../turn-extractor.ts';
import { makesMemories, mayBeUsers, textOf, userWords } from '../user-words.ts';
import { candidateOf, type SpokenTurn } from './candidate-of-action.ts';
import type { ExtractionPrompts } from './extraction-prompts.ts';
import { readAnswer, type ExtractAction, type ModelAction } from './model-answer.ts';
import { runAction } from './run-action.ts';

export interface ModelExtractorParts extends Pick<EngineParts, 'store' | 'kinds' | 'log' | 'memoryIndex'> {
  readonly model: LanguageModel;
  readonly prompts: ExtractionPrompts;
  readonly pages: MemoryPages;
  readonly writer: MemoryWriter;
  readonly timeZone: string;
  /** Answers that are asked for per piece of conversation. */
  readonly maxRounds: number;
  /** Tokens that one range of turns may cost, prompts and answers together. */
  readonly maxTokens: number;
}

/** Of a turn the beginning is told, of a piece of conversation so much (characters). */
const longestTurn = 4_000;
const longestPiece = 24_000;
/** An answer that cannot be used is asked for once more. */
const mostRefusals = 1;
/** Where the endpoint does not say what it counted (characters per token). */
const charactersPerToken = 4;

interface Spent {
  tokens: number;
}

/**
 * A model that looks at what is known and notes down what is new, in a bounded number of rounds. What it notes down passes
 * the same gates and the same judgement as everything else, and counts only with the words of a user's turn that say so.
 */
export class ModelExtractor {
  readonly #parts: ModelExtractorParts;

  constructor(parts: ModelExtractorParts) {
    this.#parts = parts;
  }

  /** A model that is away or talks nonsense adds nothing; what the rules found stands. */
  async extract(session: SessionRow, turns: readonly TurnMeta[], options: ExtractOptions): Promise<Extracted> {
    if (!makesMemories(session)) return { operations: [], failures: [] };
    const spoken = await this.#spoken(session, turns);
    const candidates: Candidate[] = [];
    const spent: Spent = { tokens: 0 };
    for (const piece of piecesOf(spoken)) {
      if (spent.tokens >= this.#parts.maxTokens) break;
      if (piece.some(({ isOwn }) => isOwn))
        candidates.push(...(await this.#read(session, piece, spent, options.signal)));
    }
    const context = { ...contextOf(session, 'model', options), promptVersion: this.#parts.prompts.version };
    return this.#parts.writer.remember(candidates, context);
  }

  async #read(
    session: SessionRow,
    piece: readonly SpokenTurn[],
    spent: Spent,
    signal: AbortSignal | undefined,
  ): Promise<Candidate[]> {
    const noted: ExtractAction[] = [];
    const results: string[] = [];
    let refusal: string | undefined;
    let refusals = 0;
    for (let round = 1; round <= this.#parts.maxRounds && spent.tokens < this.#parts.maxTokens; round += 1) {
      const text = await this.#ask(piece, results, refusal, round, spent, signal);
      const answer = readAnswer(text);
      if ('refusal' in answer) {
        refusals += 1;
        if (refusals > mostRefusals) {
          this.#parts.log('warn', 'memory_model_bad_answer', { session_uid: session.uid, refusal: answer.refusal });
          break;
        }
        refusal = answer.refusal;
        continue;
      }
      refusal = undefined;
      noted.push(...answer.actions.filter((action): action is ExtractAction => 'statement' in action));
      const asked = answer.actions.filter(
        (action): action is Exclude<ModelAction, ExtractAction> => !('statement' in action),
      );
      for (const action of asked) results.push(await runAction(action, session, this.#parts));
      if (answer.done || asked.length === 0) break;
    }
    return noted.flatMap((action) => candidateOf(action, piece, this.#parts.kinds, this.#parts.timeZone) ?? []);
  }

  async #ask(
    piece: readonly SpokenTurn[],
    results: readonly string[],
    refusal: string | undefined,
    round: number,
    spent: Spent,
    signal: AbortSignal | undefined,
  ): Promise<string> {
    const { model, prompts, kinds, maxRounds } = this.#parts;
    const { parts } = prompts;
    const mark = sha256(JSON.stringify(piece.map(({ text }) => text))).slice(0, 12);
    const turns = piece
      .map(({ sequence, role, text }) => `[${mark} turn ${sequence} ${role}]\n${escapeMarks(text)}`)
      .join('\n');
    const system = fillPrompt(parts.system, {
      mark,
      kinds: kinds.all
        .map(({ name, description, hints }) => `${name} (${[description, ...hints.en, ...hints.zh].join(' · ')})`)
        .join('; '),
    });
    const prompt = [
      fillPrompt(parts.turns, { turns: `<history-${mark}>\n${turns}\n</history-${mark}>` }),
      results.length === 0
        ? ''
        : fillPrompt(parts.known, { results: `<known-${mark}>\n${escapeMarks(results.join('\n'))}\n</known-${mark}>` }),
      refusal === undefined ? '' : fillPrompt(parts.retry, { refusal }),
      fillPrompt(parts.finish, { round: String(round), rounds: String(maxRounds) }),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
    signal?.throwIfAborted();
    const reply = await model.complete({ system, prompt, maxOutputTokens: model.maxOutputTokens, signal });
    const guessed = Math.ceil((system.length + prompt.length + reply.text.length) / charactersPerToken);
    spent.tokens += (reply.inputTokens ?? 0) + (reply.outputTokens ?? 0) || guessed;
    return reply.text;
  }

  /** Without tools: what they answered is nobody's own words. Secrets go to no model. */
  async #spoken(session: SessionRow, turns: readonly TurnMeta[]): Promise<SpokenTurn[]> {
    const told = turns.filter((turn) => turn.role === 'assistant' || mayBeUsers(turn));
    const bodies = await this.#parts.store.readBodies(told.map((turn) => turn.contentHash));
    return told.flatMap((turn): SpokenTurn[] => {
      const body = bodies.get(turn.contentHash);
      if (body === undefined)
        throw new EngineError('store_corrupt', `The body of turn ${turn.sequence} is missing from the store.`);
      const message = JSON.parse(body) as HostMessage;
      const isOwn = turn.role === 'user';
      const whole = isOwn ? userWords(message, turn.format) : textOf(readMessage(message, turn.format, 0));
      const text = maskSecrets(stripInjected(whole).text.slice(0, longestTurn).toWellFormed()).text.trim();
      if (text === '') return [];
      const source = turnUri(session.userId, session.uid, turn.sequence);
      return [{ sequence: turn.sequence, role: turn.role, isOwn, text, whole, at: turn.timestamp, source }];
    });
  }
}

/** Neighbouring turns together, as much as one prompt takes. */
function piecesOf(turns: readonly SpokenTurn[]): SpokenTurn[][] {
  const pieces: SpokenTurn[][] = [];
  let left = 0;
  for (const turn of turns) {
    if (turn.text.length > left || pieces.length === 0) {
      pieces.push([]);
      left = longestPiece;
    }
    pieces.at(-1)?.push(turn);
    left -= turn.text.length;
  }
  return pieces;
}

function escapeMarks(text: string): string {
  return text.replace(/<(?=\s*\/?\s*(?:history|known)-)/gi, '&lt;');
}
