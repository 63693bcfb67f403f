import type { SessionRow } from '../ports/session-store.ts';

/** Sessions that are remembered; others begin anew. */
const heldSessions = 500;

/**
 * What a session's context may take. In the calls of one turn it gets smaller by what the turn has said so far, which is
 * not in the log yet; what counts for the session is what the turn began with.
 */
export class TurnBudgets {
  readonly #turns = new Map<string, { readonly sequence: number; readonly budget: number }>();

  /** @param given tokens that this call may take */
  ofTurn({ uid, lastSequence: sequence }: SessionRow, given: number): number {
    const known = this.#turns.get(uid);
    const budget = known?.sequence === sequence ? Math.max(known.budget, given) : given;
    this.#turns.delete(uid);
    this.#turns.set(uid, { sequence, budget });
    const oldest = this.#turns.size > heldSessions ? this.#turns.keys().next().value : undefined;
    if (oldest !== undefined) this.#turns.delete(oldest);
    return budget;
  }
}
