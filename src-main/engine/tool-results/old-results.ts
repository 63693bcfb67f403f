import { messageKeyText, type HostMessage, type MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import type { ResultLimits } from '../../../src-shared/synopsis/large-result.ts';
import { synopsisVersion } from '../../../src-shared/synopsis/result-stub.ts';
import type { Candidate, StandIn } from '../assemble/candidate.ts';
import type { EngineParts } from '../engine-parts.ts';
import { Pacer } from '../compact/pacer.ts';
import { sha256 } from '../hash.ts';
import { readMessage } from '../messages/read-message.ts';
import { writeMessage } from '../messages/write-message.ts';
import type { ResultStubs } from '../ports/result-stubs.ts';
import type { SessionRow, SessionStore, TurnMeta } from '../ports/session-store.ts';
import { limitsOf } from './externalise-result.ts';
import type { NewStandIn } from '../ports/tool-result-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** What stands for results is remembered for so many of them; some 2 kB each. */
const remembered = 4_000;

/** A result of fewer tokens per threshold character costs little, however long it is: white space, one letter repeated. */
const fewestTokensPerCharacter = 1 / 8;

/** Bodies that are read and condensed before timers may run. */
const batch = 16;

type StandInStore = Pick<SessionStore, 'readBodies' | 'findStandIns' | 'putStandIns'>;

export interface OldResultSettings {
  readonly limits: ResultLimits;
  readonly recentRawTurnCount: number;
  readonly stubs: ResultStubs;
  readonly tokenizerName: string;
  readonly onNotKept: (error: unknown) => void;
}

/**
 * Replaces large results of older turns, and images in them, by a synopsis that leads to the stored turn. Which turns are
 * old depends on the log alone, and moves in steps: what is replaced once stays replaced, and between two steps the list
 * that is sent keeps its prefix (decision 0011).
 */
export class OldResults {
  readonly #store: StandInStore;
  readonly #counter: TokenCounter;
  readonly #settings: OldResultSettings;
  readonly #pacer = new Pacer();
  /** By turn body, address and format; null where a result stays as it is. */
  readonly #known = new Map<string, StandIn | null>();
  /** Of the same keys, while it is found out. */
  readonly #learning = new Map<string, Promise<void>>();

  constructor(store: StandInStore, counter: TokenCounter, settings: OldResultSettings) {
    this.#store = store;
    this.#counter = counter;
    this.#settings = settings;
  }

  /** Sequence of the newest turn whose large result is replaced; the newest `recentRawTurnCount` are never among them. */
  boundary(session: SessionRow): number {
    const older = Math.max(0, session.lastSequence - session.epochStart - this.#settings.recentRawTurnCount);
    return (
      session.epochStart + Math.floor(older / this.#settings.recentRawTurnCount) * this.#settings.recentRawTurnCount
    );
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
    return Math.ceil(this.#settings.limits.thresholdCharacters * fewestTokensPerCharacter);
  }

  /** Finds out what stands for these; what is being found out already is waited for. */
  async #learn(
    candidates: readonly Candidate[],
    format: MessageFormat,
    formats: ReadonlyMap<string, MessageFormat>,
  ): Promise<void> {
    const unknown = (): Candidate[] => candidates.filter((candidate) => !this.#known.has(keyOf(candidate, format)));
    // What fails for somebody else is tried again here.
    await Promise.allSettled(new Set(unknown().flatMap((one) => this.#learning.get(keyOf(one, format)) ?? [])));
    const mine = unknown();
    if (mine.length === 0) return;
    const learning = this.#findOrMake(mine, format, formats);
    for (const candidate of mine) this.#learning.set(keyOf(candidate, format), learning);
    try {
      await learning;
    } finally {
      for (const candidate of mine) this.#learning.delete(keyOf(candidate, format));
    }
  }

  /** It was made before a restart, or it is made now and kept. */
  async #findOrMake(
    unknown: readonly Candidate[],
    format: MessageFormat,
    formats: ReadonlyMap<string, MessageFormat>,
  ): Promise<void> {
    await this.#pacer.pauseIfDue();
    const keys = new Map(unknown.map((candidate) => [candidate, this.#storedKey(candidate, format, formats)]));
    const stored = await this.#store.findStandIns([...keys.values()]);
    const missing: Candidate[] = [];
    for (const [candidate, key] of keys) {
      const found = stored.get(key);
      if (found === undefined) missing.push(candidate);
      else this.#remember(keyOf(candidate, format), found && { ...found, wholeTokens: candidate.tokens });
    }
    if (missing.length > 0) await this.#make(missing, format, formats, keys);
  }

  async #make(
    candidates: readonly Candidate[],
    format: MessageFormat,
    formats: ReadonlyMap<string, MessageFormat>,
    keys: ReadonlyMap<Candidate, string>,
  ): Promise<void> {
    const copies: { readonly candidate: Candidate; readonly copy: HostMessage | undefined }[] = [];
    for (const candidate of candidates) {
      const { contentHash = '' } = candidate;
      // One by one: each may be ten million characters.
      const body = (await this.#store.readBodies([contentHash])).get(contentHash);
      // What is not in the store is found out, and told, by who must send it.
      if (body === undefined) continue;
      copies.push({ candidate, copy: await this.#copyOf(candidate, body, formats, format) });
      await this.#pacer.pauseIfDue();
    }
    const counted = await this.#counter.messages(
      copies.flatMap(({ copy }) => (copy ? [readMessage(copy, format, 0)] : [])),
      format,
    );
    let next = 0;
    const made: NewStandIn[] = [];
    for (const { candidate, copy } of copies) {
      const content = copy && contentOf(copy, counted[next++] ?? 0);
      const isFewer = content !== undefined && content.tokens < candidate.tokens;
      this.#remember(keyOf(candidate, format), isFewer ? { ...content, wholeTokens: candidate.tokens } : null);
      made.push({ key: keys.get(candidate) ?? '', content: isFewer ? content : undefined });
    }
    await this.#keep(made);
  }

  /** The answer does not depend on it: what is not kept is made again. */
  async #keep(made: readonly NewStandIn[]): Promise<void> {
    try {
      await this.#store.putStandIns(made);
    } catch (error) {
      this.#settings.onNotKept(error);
    }
  }

  async #copyOf(
    { item, uri = '' }: Candidate,
    body: string,
    formats: ReadonlyMap<string, MessageFormat>,
    format: MessageFormat,
  ): Promise<HostMessage | undefined> {
    const stored = formats.get(item) ?? format;
    const copy = await this.#settings.stubs.ofMessage({ body, format: stored, uri, limits: this.#settings.limits });
    return copy && stored !== format ? writeMessage(readMessage(copy, stored, 0), format) : copy;
  }

  /** All that a stand-in depends on: under other settings, or made by other rules, it is another one. */
  #storedKey(candidate: Candidate, format: MessageFormat, formats: ReadonlyMap<string, MessageFormat>): string {
    const { limits, tokenizerName } = this.#settings;
    const { contentHash, uri, tokens, item } = candidate;
    const form = [formats.get(item) ?? format, format];
    return sha256(JSON.stringify([synopsisVersion, limits, tokenizerName, contentHash, uri, tokens, form]));
  }

  #remember(key: string, standIn: StandIn | null): void {
    this.#known.set(key, standIn);
    // A Map keeps insertion order: the first key is the oldest.
    const oldest = this.#known.size > remembered ? this.#known.keys().next().value : undefined;
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}

export function createOldResults(parts: EngineParts, counter: TokenCounter): OldResults {
  return new OldResults(parts.store, counter, {
    limits: limitsOf(parts.config.tool_results),
    recentRawTurnCount: parts.config.assemble.recent_raw_turn_count,
    stubs: parts.stubs,
    tokenizerName: parts.tokenizer.name,
    onNotKept: (error) => parts.log('warn', 'stand-ins of large results were not kept', { cause: String(error) }),
  });
}

function contentOf(copy: HostMessage, tokens: number) {
  const body = JSON.stringify(copy);
  return { body, contentHash: sha256(body), messageKey: sha256(messageKeyText(copy)), tokens };
}

/** A result may be held by several sessions, and its stand-in names the one. */
function keyOf({ contentHash, uri }: Candidate, format: MessageFormat): string {
  return `${contentHash ?? ''} ${uri ?? ''} ${format}`;
}
