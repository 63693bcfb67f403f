/** Sessions that are remembered; beyond that the one that was quiet longest is forgotten. */
const remembered = 1_000;

/** What was seen of one session. Times in milliseconds since the Unix epoch. */
export interface SessionLink {
  /** Our own id of it, once it is known. */
  uid: string | undefined;
  /** Its newest assemble has not been matched by a seen model call yet. */
  isAssembled: boolean;
  /** Turns without the engine since the last one that ran with it. */
  bypassedTurns: number;
  /** The host was started anew after that: the next call of any session shows that it is mended. */
  isFromBefore: boolean;
  turnsSinceCommit: number;
  seenAt: number | undefined;
  /** Since when its catch-up has left something out. */
  behindSince: number | undefined;
}

/** What several sessions have in common: how many turns, of how many sessions, since when. */
export interface Trouble {
  readonly turns: number;
  readonly sessions: number;
  /** The session, where it is only one. */
  readonly uid: string | undefined;
  readonly at: number | undefined;
}

/** How the host treats each session: what one agent's turns show must not hide what another's do. */
export class SessionLinks {
  readonly #sessions = new Map<string, SessionLink>();

  of(sessionId: string): SessionLink {
    const known = this.#sessions.get(sessionId) ?? fresh();
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, known);
    const oldest = this.#sessions.size > remembered ? this.#sessions.keys().next().value : undefined;
    if (oldest !== undefined) this.#sessions.delete(oldest);
    return known;
  }

  all(): Iterable<SessionLink> {
    return this.#sessions.values();
  }

  /** @returns undefined when no session is affected: `turns` gives how many turns are, 0 for none */
  trouble(
    turns: (session: SessionLink) => number,
    at: (session: SessionLink) => number | undefined,
  ): Trouble | undefined {
    const affected = [...this.#sessions.values()].filter((session) => turns(session) > 0);
    const [first] = affected;
    if (first === undefined) return undefined;
    const times = affected.flatMap((session) => at(session) ?? []);
    return {
      turns: affected.reduce((sum, session) => sum + turns(session), 0),
      sessions: affected.length,
      uid: affected.length === 1 ? first.uid : undefined,
      at: times.length === 0 ? undefined : Math.max(...times),
    };
  }
}

function fresh(): SessionLink {
  return {
    uid: undefined,
    isAssembled: false,
    bypassedTurns: 0,
    isFromBefore: false,
    turnsSinceCommit: 0,
    seenAt: undefined,
    behindSince: undefined,
  };
}
