import { hash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { IndexedTurn } from '../../ports/memory-index.ts';
import type { MemoryIndexWriter, TurnMark } from '../../ports/memory-index-writer.ts';
import type { SessionRow, SessionStore, StoredCheckpoint, TurnMeta } from '../../ports/session-store.ts';
import { indexedCheckpoint, indexedTurn } from './indexed-turn.ts';

export interface FollowerParts {
  readonly store: SessionStore;
  readonly index: MemoryIndexWriter;
  readonly log: (level: 'info' | 'warn' | 'error', message: string, fields?: Readonly<Record<string, unknown>>) => void;
}

/** Turns that are read at once: some milliseconds of the thread that also answers the host. */
const batch = 40;
const sessionsAtOnce = 200;
const checkpointsAtOnce = 100;

/**
 * Brings turns and summaries into the index, session by session, from where it stopped: the mark is written with the last
 * of the turns it speaks for, so that a restart goes on there and does nothing twice.
 */
export class TurnFollower {
  readonly #parts: FollowerParts;
  #marks: Map<string, TurnMark> | undefined;

  constructor(parts: FollowerParts) {
    this.#parts = parts;
  }

  /** Sessions whose newest turns or summaries are not in the index, as far as their rows say. */
  async *behind(): AsyncIterable<SessionRow> {
    let cursor: string | undefined;
    do {
      const page = await this.#parts.store.listSessions({ cursor, limit: sessionsAtOnce }, {});
      const marks = await this.#loadMarks();
      for (const session of page.items) {
        const mark = marks.get(session.uid);
        const hasTurns = session.lastSequence > (mark?.sequence ?? 0);
        if (hasTurns || session.checkpointCount > countIn(mark)) yield session;
      }
      cursor = page.nextCursor;
      await nextTurn();
    } while (cursor !== undefined);
  }

  /** Turns are indexed that the log does not have. */
  async isAheadOfLog(): Promise<boolean> {
    this.forget();
    const marks = new Map(await this.#loadMarks());
    let cursor: string | undefined;
    do {
      const page = await this.#parts.store.listSessions({ cursor, limit: sessionsAtOnce }, {});
      for (const { uid, lastSequence } of page.items) {
        if ((marks.get(uid)?.sequence ?? 0) > lastSequence) return true;
        marks.delete(uid);
      }
      cursor = page.nextCursor;
      await nextTurn();
    } while (cursor !== undefined);
    // One that was used meanwhile changes its place in the list and may be missed there.
    for (const uid of marks.keys()) {
      const [session] = await this.#parts.store.lookUpSessions(uid);
      if (session?.uid !== uid) return true;
    }
    return false;
  }

  /**
   * Everything of one session that is new.
   * @param withSummaries also look whether a summary came to stand or stands no longer
   * @returns how many turns were taken in
   */
  async follow(uid: string, withSummaries: boolean, signal?: AbortSignal): Promise<number> {
    const [session] = await this.#parts.store.lookUpSessions(uid);
    if (session?.uid !== uid) return 0;
    const marks = await this.#loadMarks();
    let taken = 0;
    let mark = marks.get(uid) ?? { sessionUid: uid, sequence: 0, checkpoints: '' };
    while (mark.sequence < session.lastSequence) {
      signal?.throwIfAborted();
      const from = mark.sequence + 1;
      const turns = await this.#parts.store.turnsInRange(uid, from, session.lastSequence, batch);
      if (turns.length === 0) break;
      const rows = await this.#read(session, turns);
      mark = { ...mark, sequence: turns.at(-1)?.sequence ?? session.lastSequence };
      await this.#parts.index.putTurns(rows, mark);
      marks.set(uid, mark);
      taken += turns.length;
      await nextTurn();
    }
    if (withSummaries || session.checkpointCount !== countIn(mark)) await this.#followSummaries(session, mark, marks);
    return taken;
  }

  /** The index was emptied, or is another one. */
  forget(): void {
    this.#marks = undefined;
  }

  async #read(session: SessionRow, turns: readonly TurnMeta[]): Promise<IndexedTurn[]> {
    const bodies = await this.#parts.store.readBodies(turns.map(({ contentHash }) => contentHash));
    return turns.flatMap((turn) => {
      const body = bodies.get(turn.contentHash);
      if (body === undefined) return [];
      try {
        return indexedTurn(session, turn, body) ?? [];
      } catch (error) {
        // It stays in the log; only a search does not find it.
        const message = error instanceof Error ? error.message : String(error);
        this.#parts.log('warn', 'turn_not_indexed', { session: session.uid, sequence: turn.sequence, error: message });
        return [];
      }
    });
  }

  async #followSummaries(session: SessionRow, mark: TurnMark, marks: Map<string, TurnMark>): Promise<void> {
    const rows: IndexedTurn[] = [];
    const states: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await this.#parts.store.pageCheckpoints(session.uid, { cursor, limit: checkpointsAtOnce });
      for (const stored of page.items) {
        rows.push(indexedCheckpoint(session, stored));
        states.push(stateOf(stored));
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    const checkpoints = `${states.length}:${hash('sha1', states.join('\n'))}`;
    if (checkpoints === mark.checkpoints) return;
    const changed = { ...mark, checkpoints };
    await this.#parts.index.putTurns(rows, changed);
    marks.set(session.uid, changed);
  }

  async #loadMarks(): Promise<Map<string, TurnMark>> {
    return (this.#marks ??= new Map((await this.#parts.index.marks()).map((mark) => [mark.sessionUid, mark])));
  }
}

function stateOf({ checkpoint, end }: StoredCheckpoint): string {
  return `${checkpoint.checkpoint_id} ${end?.state ?? 'stands'}`;
}

function countIn(mark: TurnMark | undefined): number {
  return Number.parseInt(mark?.checkpoints ?? '', 10) || 0;
}
