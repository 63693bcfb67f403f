import type { SessionRow } from '../ports/session-store.ts';

const remembered = 1_000;

/**
 * Sessions whose newest whole list of the host shared nothing with the log's present epoch. A list alone changes
 * nothing that lasts: a host may ask for a context of something else under the same session. Only when a turn is
 * stored after such a list has the conversation started over.
 */
export class HostViews {
  /** The epoch that the list had left, by session. */
  readonly #left = new Map<string, number>();

  note(session: SessionRow, startsOver: boolean): void {
    this.#left.delete(session.uid);
    if (startsOver) this.#left.set(session.uid, session.epoch);
    const oldest = this.#left.size > remembered ? this.#left.keys().next().value : undefined;
    if (oldest !== undefined) this.#left.delete(oldest);
  }

  startsOver(session: SessionRow): boolean {
    return this.#left.get(session.uid) === session.epoch;
  }
}
