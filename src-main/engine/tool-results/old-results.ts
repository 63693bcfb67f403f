import type { HostMessage, MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { ResultLimits } from '../../../src-shared/synopsis/large-result.ts';
import type { Candidate, StandIn } from '../assemble/candidate.ts';
import { sha256 } from '../hash.ts';
import { readMessage } from '../messages/read-message.ts';
import { writeMessage } from '../messages/write-message.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { condenseMessage } from './condense-message.ts';

/** What stands for results is remembered for so many of them; some 2 kB each. */
const remembered = 4_000;

/** A result of fewer tokens per threshold character costs little, however long it is: white space, one letter repeated. */
const fewestTokensPerCharacter = 1 / 8;

/** Bodies that are read and condensed before timers may run. */
const batch = 16;

/**
 * Replaces large results of older turns, and images in them, by a synopsis that leads to the stored turn. Which turns are
 * old depends on the log alone, and moves in steps: what is replaced once stays replaced, and between two steps the list
 * that is sent keeps its prefix (decision 0011).
 */
export class OldResults {
  readonly #store: Pick<SessionStore, 'readBodies'>;
  readonly #counter: TokenCounter;
  readonly #limits: ResultLimits;
  readonly #recentCount: number;
  /** By turn body, address and format; null where a result stays as it is. */
  readonly #known = new Map<string, StandIn | null>();

  constructor(
    store: Pick<SessionStore, 'readBodies'>,
    counter: TokenCounter,
    limits: ResultLimits,
    recentRawTurnCount: number,
  ) {
    this.#store = store;
    this.#counter = counter;
    this.#limits = limits;
    this.#recentCount = recentRawTurnCount;
  }

  /** Sequence of the newest turn whose large result is replaced; the newest `recentRawTurnCount` are never among them. */
  boundary(session: SessionRow): number {
    const older = Math.max(0, session.lastSequence - session.epochStart - this.#recentCount);
    return session.epochStart + Math.floor(older / this.#recentCount) * this.#recentCount;
  }

  /** Least tokens that a stored turn takes in a list; what is read of the log is measured by it. */
  leastTokens(turn: TurnMeta, session: SessionRow): number {
    if (turn.sequence > this.boundary(session) || turn.role !== 'tool') return turn.tokens;
    return Math.min(turn.tokens, this.#fewestTokens());
  }

  /**
   * The conversation with stand-ins. Newest first, until what is sent fills the budget: what is older is not sent.
   * @param formats of turns that are stored in another format than the call's
   */
  async condense(
    conversation: readonly Candidate[],
    { session, format, budget }: { session: SessionRow; format: MessageFormat; budget: number },
    formats: ReadonlyMap<string, MessageFormat>,
  ): Promise<readonly Candidate[]> {
    const boundary = this.boundary(session);
    const condensed = [...conversation];
    let tokens = 0;
    let end = conversation.length;
    while (end > 0 && tokens <= budget) {
      const start = Math.max(0, end - batch);
      const part = conversation.slice(start, end);
      await this.#learn(
        part.filter((candidate) => this.#mayBeReplaced(candidate, boundary)),
        format,
        formats,
      );
      part.forEach((candidate, at) => {
        const standIn = this.#mayBeReplaced(candidate, boundary) ? this.#known.get(keyOf(candidate, format)) : null;
        tokens += standIn ? standIn.tokens : candidate.tokens;
        if (standIn) condensed[start + at] = { ...candidate, tokens: standIn.tokens, standIn };
      });
      end = start;
    }
    return condensed;
  }

  #mayBeReplaced({ role, sequence, tokens, preview, contentHash, uri }: Candidate, boundary: number): boolean {
    if (role !== 'tool' || sequence === undefined || sequence > boundary || !contentHash || !uri) return false;
    // A preview begins with what a result shows; see `previewText`.
    return tokens >= this.#fewestTokens() || preview.startsWith('[image]') || preview.startsWith('[media]');
  }

  #fewestTokens(): number {
    return Math.ceil(this.#limits.thresholdCharacters * fewestTokensPerCharacter);
  }

  async #learn(
    candidates: readonly Candidate[],
    format: MessageFormat,
    formats: ReadonlyMap<string, MessageFormat>,
  ): Promise<void> {
    const unknown = candidates.filter((candidate) => !this.#known.has(keyOf(candidate, format)));
    if (unknown.length === 0) return;
    await new Promise((resolve) => setImmediate(resolve));
    const bodies = await this.#store.readBodies(unknown.map(({ contentHash = '' }) => contentHash));
    const copies: { readonly candidate: Candidate; readonly copy: HostMessage }[] = [];
    for (const candidate of unknown) {
      const body = bodies.get(candidate.contentHash ?? '');
      const copy = body === undefined ? undefined : this.#copyOf(candidate, body, formats, format);
      if (copy) copies.push({ candidate, copy });
      // What is not in the store is found out, and told, by who must send it.
      else if (body !== undefined) this.#remember(keyOf(candidate, format), null);
    }
    const counted = await this.#counter.messages(
      copies.map(({ copy }) => readMessage(copy, format, 0)),
      format,
    );
    copies.forEach(({ candidate, copy }, at) => {
      const body = JSON.stringify(copy);
      const [tokens, wholeTokens] = [counted[at] ?? 0, candidate.tokens];
      const standIn = tokens < wholeTokens ? { body, contentHash: sha256(body), tokens, wholeTokens } : null;
      this.#remember(keyOf(candidate, format), standIn);
    });
  }

  #copyOf(
    { item, uri = '' }: Candidate,
    body: string,
    formats: ReadonlyMap<string, MessageFormat>,
    format: MessageFormat,
  ): HostMessage | undefined {
    const stored = formats.get(item) ?? format;
    const copy = condenseMessage(JSON.parse(body) as HostMessage, stored, uri, this.#limits);
    return copy && stored !== format ? writeMessage(readMessage(copy, stored, 0), format) : copy;
  }

  #remember(key: string, standIn: StandIn | null): void {
    this.#known.set(key, standIn);
    // A Map keeps insertion order: the first key is the oldest.
    const oldest = this.#known.size > remembered ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

/** A result may be held by several sessions, and its stand-in names the one. */
function keyOf({ contentHash, uri }: Candidate, format: MessageFormat): string {
  return `${contentHash ?? ''} ${uri ?? ''} ${format}`;
}
