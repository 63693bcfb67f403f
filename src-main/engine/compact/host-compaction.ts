import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { CompactReply, HostAnswer, PreparedCompaction } from '../../../src-shared/protocol/compact.ts';
import type { CompactionRun } from './compaction-run.ts';
import { withoutControls } from './plain-text.ts';
import type { Reservation, Reservations } from './reservations.ts';
import type { Summariser, Summary } from './summariser.ts';
import { isRejection, type SummaryPhases } from './summary-phases.ts';

/** Answers that are asked for per summary. */
const hostAttempts = 2;

/** Compactions whose summaries the host's model writes: each is asked for, and what comes is taken or done without. */
export class HostCompaction {
  readonly #given: SummaryPhases | undefined;
  readonly #extractive: Summariser;
  readonly #reservations: Reservations;

  constructor(phases: SummaryPhases | undefined, extractive: Summariser, reservations: Reservations) {
    this.#given = phases;
    this.#extractive = extractive;
    this.#reservations = reservations;
  }

  /** What to ask for the next summary of a compaction; undefined when there is none to write. */
  async reserve(run: CompactionRun): Promise<PreparedCompaction | undefined> {
    const work = run.next();
    if (!work) return undefined;
    return this.#ask({ run, work, request: await run.requestFor(work), attempt: 1, spent: { input: 0, output: 0 } });
  }

  async #ask(asked: Omit<Reservation, 'id' | 'expiresAt'>, refusal?: string): Promise<PreparedCompaction> {
    const stage = refusal === undefined ? {} : { refusal };
    const { system, prompt, promptVersion, maxOutputTokens } = await this.#phases.prepareSummary(asked.request, stage);
    const reservation = this.#reservations.add(asked);
    return {
      reservation_id: reservation.id,
      expires_at: new Date(reservation.expiresAt).toISOString(),
      system,
      prompt,
      max_output_tokens: maxOutputTokens,
      prompt_version: promptVersion,
    };
  }

  /**
   * Takes the host's answer, or does without it.
   * @throws what committing a checkpoint throws
   */
  async finish(reservation: Reservation, answer: HostAnswer): Promise<CompactReply> {
    const { run, work, request, attempt } = reservation;
    const read = await this.#read(reservation, answer);
    if ('refusal' in read && attempt < hostAttempts && !('failure' in answer)) {
      const spent = addSpent(reservation.spent, answer);
      const next = await this.#ask({ run, work, request, attempt: attempt + 1, spent }, read.refusal);
      return { ...run.reply(), ok: false, reason: `summary_refused: ${read.refusal}`, next };
    }
    const summary = 'refusal' in read ? await this.#without(reservation, answer, read.refusal) : read;
    if (await run.wasReset()) return run.resetReply();
    await run.commit(work, summary);
    const next = await this.reserve(run);
    return { ...run.reply(), ...(next === undefined ? {} : { next }) };
  }

  async #read(reservation: Reservation, answer: HostAnswer): Promise<Summary | { readonly refusal: string }> {
    if ('failure' in answer) return { refusal: `host_model_failed: ${withoutControls(answer.failure)}` };
    const finished = await this.#phases.finishSummary(
      reservation.request,
      { text: answer.text, model: answer.model, stopReason: answer.stop_reason },
      'host',
    );
    if (isRejection(finished)) return { refusal: `${finished.rejected}: ${finished.message}` };
    const { input, output } = addSpent(reservation.spent, answer);
    return { ...finished, attempts: reservation.attempt, inputTokens: input, outputTokens: output };
  }

  async #without({ request, attempt, spent }: Reservation, answer: HostAnswer, reason: string): Promise<Summary> {
    const summary = await this.#extractive.summarise(request);
    const { input, output } = addSpent(spent, answer);
    const cost = input + output > 0 ? { inputTokens: input, outputTokens: output } : {};
    return { ...summary, attempts: attempt + 1, ...cost, fallback: { from: 'host', reason } };
  }

  get #phases(): SummaryPhases {
    if (this.#given) return this.#given;
    throw new EngineError('internal', 'There are no prompts to ask a model with.');
  }
}

function addSpent(spent: Reservation['spent'], answer: HostAnswer): Reservation['spent'] {
  if ('failure' in answer) return spent;
  return { input: spent.input + (answer.input_tokens ?? 0), output: spent.output + (answer.output_tokens ?? 0) };
}
