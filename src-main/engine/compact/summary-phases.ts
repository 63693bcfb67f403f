import type { TokenCounter } from '../tokens/token-counter.ts';
import { composeSummary } from './compose-summary.ts';
import { cutMiddle, fitTurns } from './fit-turns.ts';
import type { Prompts } from './prompts.ts';
import { plainName, withoutControls } from './plain-text.ts';
import { readSummary } from './read-summary.ts';
import { stripReasoning } from './strip-reasoning.ts';
import { requireSource } from './summary-source.ts';
import type { Summary, SummaryRequest } from './summariser.ts';
import { checkAnswer, checkSize, type SummaryRejection } from './validate-summary.ts';
import { writePrompt, type PromptStage, type WrittenPrompt } from './write-prompt.ts';

export interface PreparedSummary extends WrittenPrompt {
  readonly maxOutputTokens: number;
}

export interface ModelAnswer {
  readonly text: string;
  readonly model?: string | undefined;
  /** `length` when the answer was cut off. */
  readonly stopReason?: string | undefined;
  readonly inputTokens?: number | undefined;
  readonly outputTokens?: number | undefined;
}

export interface SummaryPhasesParts {
  readonly counter: TokenCounter;
  readonly prompts: Prompts;
  /** Tokens that a prompt may take, its system text included. */
  readonly maxInputTokens: number;
  /** Tokens that an answer may take. */
  readonly maxOutputTokens: number;
}

/** Asking a model for a summary, taken apart: what to ask, and what to make of the answer. Whoever asks does it between. */
export interface SummaryPhases {
  /**
   * The prompt. What does not fit is shortened; see {@link fitTurns}.
   * @throws EngineError `nothing_to_summarise`
   */
  prepareSummary(request: SummaryRequest, stage?: PromptStage): Promise<PreparedSummary>;
  /** @param writer name of the summariser that is recorded */
  finishSummary(request: SummaryRequest, answer: ModelAnswer, writer: string): Promise<Summary | SummaryRejection>;
}

export function isRejection(finished: Summary | SummaryRejection): finished is SummaryRejection {
  return 'rejected' in finished;
}

export function createSummaryPhases(phases: SummaryPhasesParts): SummaryPhases {
  return {
    prepareSummary: (request, stage) => prepare(request, stage ?? {}, phases),
    finishSummary: (request, answer, writer) => finish(request, answer, writer, phases),
  };
}

async function prepare(
  request: SummaryRequest,
  stage: PromptStage,
  { counter, prompts, maxInputTokens, maxOutputTokens }: SummaryPhasesParts,
): Promise<PreparedSummary> {
  requireSource(request);
  const room = maxInputTokens - (await frameTokens(request, stage, prompts, counter));
  const previous = await fitPrevious(request, room, counter);
  const taken = await counter.texts(previous.map(({ overview }) => overview));
  const left = room - taken.reduce((sum, tokens) => sum + tokens, 0);
  const fitted = await fitTurns(request.turns, left, counter);
  const turns = fitted.map(({ turn }) => turn);
  const written = writePrompt({ ...request, turns, previous }, prompts, stage);
  return { ...written, maxOutputTokens: Math.min(maxOutputTokens, outputTokens(request)) };
}

/** Twice what was asked for, and room for the identifiers and headings. */
function outputTokens({ abstractTokens, overviewTokens }: SummaryRequest): number {
  return Math.ceil(2 * (abstractTokens + overviewTokens) + 0.6 * overviewTokens + 300);
}

/** Tokens of everything but the turns and earlier summaries themselves. */
export async function frameTokens(
  request: SummaryRequest,
  stage: PromptStage,
  prompts: Prompts,
  counter: TokenCounter,
): Promise<number> {
  const previous = (request.previous ?? []).map((one) => ({ ...one, overview: '' }));
  const { system, prompt } = writePrompt({ ...request, turns: [], previous }, prompts, stage);
  // The part about the turns, which an empty list leaves out, and what its marks take.
  return (await counter.text(system)) + (await counter.text(prompt)) + 120;
}

/** Earlier summaries may take half of the room, or all of it where there is nothing else. */
async function fitPrevious({ previous = [], turns }: SummaryRequest, room: number, counter: TokenCounter) {
  const costs = await counter.texts(previous.map(({ overview }) => overview));
  const total = costs.reduce((sum, cost) => sum + cost, 0);
  const limit = Math.max(0, turns.length === 0 ? room : room / 2);
  if (total <= limit) return previous;
  return previous.map((one) => ({ ...one, overview: cutMiddle(one.overview, (0.95 * limit) / total) }));
}

async function finish(
  request: SummaryRequest,
  answer: ModelAnswer,
  writer: string,
  { counter, prompts }: SummaryPhasesParts,
): Promise<Summary | SummaryRejection> {
  const text = plainAnswer(answer.text);
  const draft = readSummary(text);
  const facts = { raw: answer.text, text, stopReason: answer.stopReason, draft };
  const refused = await checkAnswer(facts, request, { counter, prompts });
  if (refused) return refused;
  const composed = await composeSummary(draft, request, counter);
  const tooLarge = await checkSize(composed.overview, request, counter);
  if (tooLarge) return tooLarge;
  const model = plainName(answer.model ?? '');
  return {
    ...composed,
    summariser: writer,
    promptVersion: prompts.version,
    attempts: 1,
    ...(model === '' ? {} : { model }),
    ...(answer.inputTokens === undefined ? {} : { inputTokens: answer.inputTokens }),
    ...(answer.outputTokens === undefined ? {} : { outputTokens: answer.outputTokens }),
  };
}

/** Without reasoning, a fence around the whole, and characters that nobody sees. */
function plainAnswer(text: string): string {
  const plain = withoutControls(stripReasoning(text).toWellFormed()).trim();
  const isFenced = plain.endsWith('\n```') && /^```(?:markdown|md)?[^\S\n]{0,20}\n/i.test(plain);
  return isFenced ? plain.slice(plain.indexOf('\n') + 1, -4) : plain;
}
