import type { EngineParts } from '../engine-parts.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { OldResults } from './old-results.ts';

/** Sessions whose contexts are prepared when the engine starts: those that were active last. */
const sessionsAtStart = 8;

/** Parts that wait at once. */
const mostWanted = 1_000;

/** A part of a session's stored turns, `start` excluded, or all of its present context. */
export type PreparedPart = { readonly start: number; readonly end: number } | 'context';

interface Wanted {
  readonly session: SessionRow;
  readonly part: PreparedPart;
}

/**
 * Has the stand-ins of large old results made before a call needs them: when a turn grows old, when a call is
 * announced, and after a start. One session at a time, in the background; assemble makes what it does not find.
 */
export class StandInPreparer {
  readonly #parts: Pick<EngineParts, 'store' | 'log'>;
  readonly #oldResults: Pick<OldResults, 'boundary'>;
  readonly #prepare: (session: SessionRow, part: PreparedPart) => Promise<void>;
  readonly #wanted: Wanted[] = [];
  #running: Promise<void> | undefined;
  #stopped = false;

  constructor(
    parts: Pick<EngineParts, 'store' | 'log'>,
    oldResults: Pick<OldResults, 'boundary'>,
    prepare: (session: SessionRow, part: PreparedPart) => Promise<void>,
  ) {
    this.#parts = parts;
    this.#oldResults = oldResults;
    this.#prepare = prepare;
  }

  /** After a start: what was made before is read, and what is missing is made. */
  start(): void {
    this.#running ??= this.#run(async () => {
      const { items } = await this.#parts.store.listSessions({ cursor: undefined, limit: sessionsAtStart }, {});
      for (const session of items) this.#want({ session, part: 'context' });
    });
  }

  /** @param count turns that were just stored, the session's newest */
  noteStored(session: SessionRow, count: number): void {
    const end = this.#oldResults.boundary(session);
    const start = this.#oldResults.boundary({ ...session, lastSequence: session.lastSequence - count });
    if (end > start) this.noteCall(session, { start, end });
  }

  /** A call of the session is about to come. */
  noteCall(session: SessionRow, part: PreparedPart = 'context'): void {
    this.#want({ session, part });
    this.#running ??= this.#run();
  }

  /** What is not begun is left; resolves when nothing runs any more. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  #want(wanted: Wanted): void {
    // A context that waits is read as it is when its turn comes; what is beyond so many, assemble makes itself.
    const waits = this.#wanted.some(
      ({ session, part }) => session.uid === wanted.session.uid && part === 'context' && wanted.part === 'context',
    );
    if (waits || this.#wanted.length >= mostWanted) return;
    if (this.#oldResults.boundary(wanted.session) > wanted.session.epochStart) this.#wanted.push(wanted);
  }

  /** Never rejects. */
  async #run(first?: () => Promise<void>): Promise<void> {
    // Who commits or announces a call is answered before this begins.
    await new Promise((resolve) => setImmediate(resolve));
    try {
      await first?.();
    } catch (error) {
      this.#warn(error);
    }
    for (let next = this.#wanted.shift(); next && !this.#stopped; next = this.#wanted.shift()) {
      try {
        await this.#prepare(next.session, next.part);
      } catch (error) {
        this.#warn(error);
      }
    }
    this.#running = undefined;
  }

  #warn(error: unknown): void {
    if (this.#stopped) return;
    const cause = error instanceof Error ? error.message : String(error);
    this.#parts.log('warn', 'stand-ins of large results could not be made ahead', { cause });
  }
}
