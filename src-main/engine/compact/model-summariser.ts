import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { LanguageModel, ModelReply } from '../ports/language-model.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { fitTurns, type FittedTurn } from './fit-turns.ts';
import type { Prompts } from './prompts.ts';
import { createSummaryPhases, frameTokens, isRejection, type SummaryPhases } from './summary-phases.ts';
import type { SourceTurn, Summariser, Summary, SummaryRequest } from './summariser.ts';
import { requireSource } from './summary-source.ts';
import { throwIfAborted } from './throw-if-aborted.ts';
import type { PromptStage } from './write-prompt.ts';

export interface ModelSummariserParts {
  readonly name: string;
  readonly model: LanguageModel;
  readonly counter: TokenCounter;
  readonly prompts: Prompts;
}

/** Parts that a long range is told in at most; beyond that its turns are shortened. */
const mostParts = 8;
/** Answers that are asked for per part. */
const attemptsPerPart = 2;

/**
 * Asks a model. A range that exceeds its input is told in parts, each with the record so far. Each answer is checked,
 * and asked for once more with what was wrong with it.
 * Its `summarise` also throws EngineError `model_bad_answer` when the second answer is no summary either; `details`
 * has the fault.
 */
export function createModelSummariser(parts: ModelSummariserParts): Summariser {
  const { maxInputTokens, maxOutputTokens } = parts.model;
  const phases = createSummaryPhases({ ...parts, maxInputTokens, maxOutputTokens });
  return {
    name: parts.name,
    summarise: async (request) => {
      requireSource(request);
      throwIfAborted(request.signal);
      return new ModelRun(parts, phases, request).run();
    },
  };
}

class ModelRun {
  readonly #parts: ModelSummariserParts;
  readonly #phases: SummaryPhases;
  readonly #request: SummaryRequest;
  #attempts = 0;
  #inputTokens = 0;
  #outputTokens = 0;

  constructor(parts: ModelSummariserParts, phases: SummaryPhases, request: SummaryRequest) {
    this.#parts = parts;
    this.#phases = phases;
    this.#request = request;
  }

  async run(): Promise<Summary> {
    const groups = await this.#groups();
    const told: SourceTurn[] = [];
    let soFar = '';
    let summary: Summary | undefined;
    for (const [index, turns] of groups.entries()) {
      told.push(...turns);
      const isLast = index === groups.length - 1;
      // The record of all parts is held against all turns, that of the first ones against those told so far.
      const whole = { ...this.#request, turns: isLast ? this.#request.turns : [...told] };
      const part = groups.length === 1 ? undefined : { number: index + 1, of: groups.length, soFar };
      summary = await this.#write({ ...this.#request, turns }, whole, part);
      soFar = `## Abstract\n${summary.abstract}\n\n${summary.overview}`;
    }
    if (!summary) throw new EngineError('internal', 'A range of turns must have at least one part to summarise.');
    return { ...summary, ...this.#spent() };
  }

  /** Of all answers, refused ones included. */
  #spent(): Pick<Summary, 'attempts' | 'inputTokens' | 'outputTokens'> {
    return {
      attempts: this.#attempts,
      ...(this.#inputTokens > 0 ? { inputTokens: this.#inputTokens } : {}),
      ...(this.#outputTokens > 0 ? { outputTokens: this.#outputTokens } : {}),
    };
  }

  /** The turns in as many parts as the model's input asks for. */
  async #groups(): Promise<readonly (readonly SourceTurn[])[]> {
    const { counter, prompts, model } = this.#parts;
    const request = this.#request;
    const earlier = await counter.texts((request.previous ?? []).map(({ overview }) => overview));
    const taken = earlier.reduce((sum, tokens) => sum + tokens, 0);
    const frame = await frameTokens(request, {}, prompts, counter);
    // From the second part on the record so far and the words about it stand in the prompt too.
    const record = Math.ceil(2.5 * (request.overviewTokens + request.abstractTokens)) + 150;
    const whole = model.maxInputTokens - frame - Math.min(taken, (model.maxInputTokens - frame) / 2);
    const perPart = Math.max(200, whole - record);
    const inOne = await fitTurns(request.turns, Infinity, counter);
    const total = inOne.reduce((sum, { tokens }) => sum + tokens, 0);
    if (total <= whole || request.turns.length === 0) return [request.turns];
    return groupTurns(await fitTurns(request.turns, perPart * mostParts * packing, counter), perPart);
  }

  async #write(asked: SummaryRequest, whole: SummaryRequest, part: PromptStage['part']): Promise<Summary> {
    let refusal: string | undefined;
    for (let attempt = 1; ; attempt += 1) {
      const prepared = await this.#phases.prepareSummary(asked, { part, refusal });
      // A second answer gets all the room there is: the first may have been cut off, or have reasoned at length.
      const maxOutputTokens = attempt === 1 ? prepared.maxOutputTokens : this.#parts.model.maxOutputTokens;
      throwIfAborted(this.#request.signal);
      const reply = await this.#parts.model.complete({ ...prepared, maxOutputTokens, signal: this.#request.signal });
      this.#count(reply);
      const finished = await this.#phases.finishSummary(whole, reply, this.#parts.name);
      if (!isRejection(finished)) return finished;
      if (attempt < attemptsPerPart) {
        refusal = finished.message;
        continue;
      }
      const { rejected, message, values } = finished;
      throw new EngineError('model_bad_answer', `${rejected}: ${message}`, {
        details: { rejected, ...values, ...this.#spent() },
      });
    }
  }

  #count({ inputTokens = 0, outputTokens = 0 }: ModelReply): void {
    this.#attempts += 1;
    this.#inputTokens += inputTokens;
    this.#outputTokens += outputTokens;
  }
}

/** Parts are not filled to the brim, since turns stay whole. */
const packing = 0.85;

function groupTurns(fitted: readonly FittedTurn[], perPart: number): readonly (readonly SourceTurn[])[] {
  const groups: SourceTurn[][] = [];
  let left = 0;
  for (const { turn, tokens } of fitted) {
    const group = groups.at(-1);
    if (group && tokens <= left) {
      group.push(turn);
      left -= tokens;
    } else {
      groups.push([turn]);
      left = perPart - tokens;
    }
  }
  return groups;
}
