import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';

/** No message list is longer; a session whose lists are that long holds some 12 MB here. */
const heldByDefault = { turns: 20_000, sessions: 6 };

/** Up to so many keys are looked up one by one. */
const fewKeys = 64;

interface Tail {
  readonly epoch: number;
  /** Without gaps, oldest first, up to the newest that was stored when it was last asked for. */
  turns: TurnMeta[];
  readonly byKey: Map<string, TurnMeta[]>;
  /** Nothing older of this epoch is in the store. */
  complete: boolean;
}

/**
 * The newest turns of the sessions that were asked for last. Stored turns never change, so what was read once stays
 * true; only what came since must be read.
 */
export class SessionTails {
  readonly #store: SessionStore;
  readonly #held: { readonly turns: number; readonly sessions: number };
  readonly #tails = new Map<string, Tail>();

  /** @param held turns per session (a quarter more for a while), and sessions */
  constructor(store: SessionStore, held = heldByDefault) {
    this.#store = store;
    this.#held = held;
  }

  /** The newest turns after `after`, oldest first: at least `limit` of them, or all there are. */
  async newest(session: SessionRow, after: number, limit: number): Promise<readonly TurnMeta[]> {
    const tail = await this.#upToDate(session);
    if (tail.turns.length < limit && !tail.complete && (tail.turns[0]?.sequence ?? Infinity) > after + 1) {
      await this.#extend(tail, session, limit);
    }
    const firstAfter = tail.turns.findIndex((turn) => turn.sequence > after);
    const held = firstAfter === -1 ? [] : tail.turns.slice(Math.max(firstAfter, tail.turns.length - limit));
    return this.#withOlder(held, session, after, limit);
  }

  /**
   * Stored turns of the present epoch with these keys, in no order. A key that is given several times is looked for
   * that often: without the host's time a key is only a text, which may have been said many times.
   */
  async byMessageKey(session: SessionRow, keys: readonly string[]): Promise<readonly TurnMeta[]> {
    if (keys.length === 0) return [];
    const tail = await this.#upToDate(session);
    const wanted = new Map<string, number>();
    for (const key of keys) wanted.set(key, (wanted.get(key) ?? 0) + 1);
    const short = (): string[] =>
      [...wanted].flatMap(([key, count]) => ((tail.byKey.get(key)?.length ?? 0) < count ? [key] : []));
    // A host that passes its whole history names the session's newest turns: one range is read faster than many keys.
    if (short().length > fewKeys && !tail.complete) await this.#extend(tail, session, keys.length + 256);
    const missing = short();
    const found = [...wanted.keys()].flatMap((key) => tail.byKey.get(key) ?? []);
    if (missing.length === 0 || tail.complete) return found;
    const first = tail.turns[0]?.sequence ?? Infinity;
    const stored = await this.#store.turnsByMessageKey(session.uid, session.epoch, missing);
    return [...found, ...stored.filter((turn) => turn.sequence < first)];
  }

  /** More than is held is asked for seldom, and then read each time. */
  async #withOlder(
    held: readonly TurnMeta[],
    session: SessionRow,
    after: number,
    limit: number,
  ): Promise<readonly TurnMeta[]> {
    const first = held[0]?.sequence;
    const start = Math.max(after, session.epochStart);
    if (first === undefined || held.length >= limit || first <= start + 1) return held;
    const range = { epoch: session.epoch, before: first, after: start, limit: limit - held.length };
    return [...(await this.#store.turnsBefore(session.uid, range))].reverse().concat(held);
  }

  async #upToDate(session: SessionRow): Promise<Tail> {
    const known = this.#tails.get(session.uid);
    const tail = known?.epoch === session.epoch ? known : emptyTail(session);
    this.#tails.delete(session.uid);
    this.#tails.set(session.uid, tail);
    const oldest = this.#tails.size > this.#held.sessions ? this.#tails.keys().next().value : undefined;
    if (oldest !== undefined) this.#tails.delete(oldest);

    const last = tail.turns.at(-1)?.sequence;
    if (last === undefined) await this.#extend(tail, session, 256);
    else if (last < session.lastSequence) {
      const newer = await this.#store.turnsInRange(
        session.uid,
        last + 1,
        session.lastSequence,
        session.lastSequence - last,
      );
      // Two calls may have read the same turns at once; those that are there already are left out.
      const end = tail.turns.at(-1)?.sequence ?? last;
      append(
        tail,
        newer.filter((turn) => turn.sequence > end && turn.epoch === session.epoch),
        this.#held.turns,
      );
    }
    return tail;
  }

  /** Reads older turns until `limit` are held. */
  async #extend(tail: Tail, session: SessionRow, limit: number): Promise<void> {
    const first = tail.turns[0]?.sequence;
    const wanted = Math.min(limit, this.#held.turns) - tail.turns.length;
    if (wanted <= 0) return;
    const older = await this.#store.turnsBefore(session.uid, {
      epoch: session.epoch,
      limit: wanted,
      ...(first === undefined ? {} : { before: first }),
    });
    if (tail.turns[0]?.sequence !== first) return;
    const oldestFirst = [...older].reverse();
    tail.turns = [...oldestFirst, ...tail.turns];
    tail.complete = older.length < wanted;
    // Keys list turns from old to new, and these are older than all that are listed.
    for (const [key, turns] of byMessageKey(oldestFirst)) {
      tail.byKey.set(key, [...turns, ...(tail.byKey.get(key) ?? [])]);
    }
  }
}

function emptyTail(session: SessionRow): Tail {
  return { epoch: session.epoch, turns: [], byKey: new Map(), complete: session.lastSequence === session.epochStart };
}

function append(tail: Tail, turns: readonly TurnMeta[], held: number): void {
  for (const [key, more] of byMessageKey(turns)) tail.byKey.set(key, [...(tail.byKey.get(key) ?? []), ...more]);
  for (const turn of turns) tail.turns.push(turn);
  if (tail.turns.length <= held * 1.25) return;
  for (const [key, gone] of byMessageKey(tail.turns.splice(0, tail.turns.length - held))) {
    const left = (tail.byKey.get(key) ?? []).slice(gone.length);
    if (left.length === 0) tail.byKey.delete(key);
    else tail.byKey.set(key, left);
  }
  tail.complete = false;
}

/** In the order in which they come; one list is copied once, however often a text was said. */
function byMessageKey(turns: readonly TurnMeta[]): ReadonlyMap<string, TurnMeta[]> {
  return Map.groupBy(turns, (turn) => turn.messageKey);
}
