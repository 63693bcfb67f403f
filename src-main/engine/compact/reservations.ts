import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { Clock } from '../ports/clock.ts';
import type { CompactionRun, CompactionWork } from './compaction-run.ts';
import type { SummaryRequest } from './summariser.ts';

/** A compaction that waits for the host's model. */
export interface Reservation {
  readonly id: string;
  readonly run: CompactionRun;
  readonly work: CompactionWork;
  readonly request: SummaryRequest;
  /** 1-based; a refused answer is asked for once more. */
  readonly attempt: number;
  /** What refused answers cost. */
  readonly spent: { readonly input: number; readonly output: number };
  readonly expiresAt: number;
}

/** The host ends a compaction after 180 s; a model that needs longer is not waited for. */
const lifetimeMs = 180_000;

/** One reservation per session. They live in memory: after a restart the host's answer is refused and asked for anew. */
export class Reservations {
  readonly #clock: Clock;
  readonly #bySession = new Map<string, Reservation>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the place of an earlier one of the session. */
  add(reservation: Omit<Reservation, 'id' | 'expiresAt'>): Reservation {
    const id = this.#clock.newId('resv');
    const added = { ...reservation, id, expiresAt: this.#clock.now() + lifetimeMs };
    // Those whose answer never came hold a whole range of texts.
    for (const uid of [...this.#bySession.keys()]) this.isHeld(uid);
    this.#bySession.set(reservation.run.sessionUid, added);
    return added;
  }

  isHeld(sessionUid: string): boolean {
    const held = this.#bySession.get(sessionUid);
    if (held && held.expiresAt <= this.#clock.now()) this.#bySession.delete(sessionUid);
    return this.#bySession.has(sessionUid);
  }

  /** The reservation is used up. @throws EngineError `reservation_expired` */
  take(id: string, sessionUid: string): Reservation {
    const held = this.isHeld(sessionUid) ? this.#bySession.get(sessionUid) : undefined;
    if (held?.id === id) {
      this.#bySession.delete(sessionUid);
      return held;
    }
    throw new EngineError(
      'reservation_expired',
      'The reservation is void: its time was up, somebody else compacted meanwhile, or the daemon was restarted. Nothing was changed; ask POST /v1/prepare-compaction again.',
    );
  }

  /** Somebody who cannot wait compacts now. */
  drop(sessionUid: string): void {
    this.#bySession.delete(sessionUid);
  }
}
