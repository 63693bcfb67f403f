/**
 * The budget of each model call of a turn. The first assemble gets a net number: window less reserve, system prompt and
 * prompt. When the engine owns compaction the host calls again before every model call with the gross window, less the
 * messages of this turn that it appends itself. Filling that number overflows, so later calls get the first number
 * less what came to the turn since.
 */
export class TurnBudget {
  #first: number | undefined;
  #firstInLoop: number | undefined;

  /** @param given tokens, as the host gave them for this call @returns tokens that may be filled */
  next(given: number | undefined): number | undefined {
    if (given === undefined || !Number.isFinite(given)) return this.#first;
    const tokens = Math.max(1, Math.floor(given));
    if (this.#first === undefined) {
      this.#first = tokens;
      return tokens;
    }
    if (this.#firstInLoop === undefined) {
      // Not more than the first: another attempt of the turn, which begins with a net number again.
      if (tokens <= this.#first) {
        this.#first = tokens;
        return tokens;
      }
      this.#firstInLoop = tokens;
    }
    return Math.max(1, this.#first - Math.max(0, this.#firstInLoop - tokens));
  }

  /** The net number of this turn, if it is known. */
  get net(): number | undefined {
    return this.#first;
  }

  /** A new attempt begins: the next number is a net one. */
  reset(): void {
    this.#first = undefined;
    this.#firstInLoop = undefined;
  }
}
