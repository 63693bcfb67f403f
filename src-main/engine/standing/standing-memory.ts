import type { Config } from '../../../src-shared/model/config.ts';
import type { MemoryScope } from '../../../src-shared/model/memory-scope.ts';
import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import { mayReadPage } from '../memory/access/may-read-page.ts';
import type { MemoryAccessPolicy } from '../memory/access/memory-access-policy.ts';
import type { Clock } from '../ports/clock.ts';
import type { MemoryPages } from '../ports/memory-pages.ts';
import type { SessionRow } from '../ports/session-store.ts';
import type { StandingPart, StandingSnapshot, StandingStore } from '../ports/standing-store.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';
import { MemoryMdReader } from './read-memory-md.ts';
import { readLayers } from './read-layers.ts';
import { readProfile } from './read-profile.ts';

export interface StandingMemoryParts {
  readonly pages: MemoryPages;
  readonly snapshots: StandingStore;
  readonly access: MemoryAccessPolicy;
  readonly counter: TokenCounter;
  readonly clock: Clock;
  readonly config: Pick<Config, 'memory' | 'assemble'>;
  /** The workspace is one that the host has as its own, too. */
  readonly isHostsWorkspace: boolean;
}

export interface StandingRequest {
  readonly session: SessionRow;
  readonly format: MessageFormat;
  /** Ids of the checkpoints that stand: when they change, the list's beginning changes anyway. */
  readonly checkpoints: readonly string[];
}

export interface StandingView {
  readonly parts: readonly StandingPart[];
  /** When it was read (ms since the epoch). */
  readonly asOf: number;
  /** Something of it was written since. */
  readonly changesWaiting: boolean;
  /** The host sends MEMORY.md itself. */
  readonly isLeftToHost: boolean;
}

/** Sessions whose snapshots are held. */
const heldSessions = 500;

/**
 * Memory that is part of every call: the profile, lasting preferences, and MEMORY.md. A session keeps what it was told
 * first, since every change at the beginning of a list costs the provider's prompt cache; it takes in what was written
 * since when the beginning changes anyway, or when the cache has run out.
 */
export class StandingMemory {
  readonly #parts: StandingMemoryParts;
  #memoryMd: MemoryMdReader;
  readonly #snapshots = new Map<string, StandingSnapshot>();
  /** What standing memory would be now, by reader; undefined after a page was written. */
  readonly #current = new Map<string, Promise<readonly StandingPart[]>>();
  readonly #stopListening: readonly (() => void)[];

  constructor(parts: StandingMemoryParts) {
    this.#parts = parts;
    this.#memoryMd = new MemoryMdReader(parts.pages, parts.counter);
    this.#stopListening = [
      parts.pages.onChange(() => this.#current.clear()),
      parts.pages.onErase(async () => this.#forget()),
    ];
  }

  async of(request: StandingRequest): Promise<StandingView> {
    const { access } = this.#parts;
    const { session } = request;
    const scope = await access.scopeFor({ ...session, sessionUid: session.uid });
    const isLeftToHost = this.#isLeftToHost(request.format);
    const basis = this.#basisOf(request, scope);
    const [known, current] = await Promise.all([this.#known(session), this.#currentOf(scope, request.format)]);
    const snapshot = known && this.#mayKeep(known, basis, session) ? known : await this.#take(session, basis, current);
    return {
      parts: snapshot.parts,
      asOf: snapshot.takenAt,
      changesWaiting: snapshot.parts !== current && hashOf(snapshot.parts) !== hashOf(current),
      isLeftToHost,
    };
  }

  stop(): void {
    for (const stop of this.#stopListening) stop();
  }

  #isLeftToHost(format: MessageFormat): boolean {
    const { config, isHostsWorkspace } = this.#parts;
    const { memory_md: mode } = config.memory;
    return mode === 'never' || (mode === 'auto' && format === 'openclaw' && isHostsWorkspace);
  }

  #basisOf({ session, format, checkpoints }: StandingRequest, { access }: MemoryScope): string {
    const { memory, assemble } = this.#parts.config;
    return sha256(
      JSON.stringify([session.userId, session.agentId, access, format, memory, assemble.prompt_layers, checkpoints]),
    );
  }

  async #known({ uid, epoch }: SessionRow): Promise<StandingSnapshot | undefined> {
    const held = this.#snapshots.get(uid);
    if (held?.epoch === epoch) return held;
    const stored = await this.#parts.snapshots.findSnapshot(uid, epoch);
    if (stored) this.#hold(stored);
    return stored;
  }

  #mayKeep({ basis: before, takenAt }: StandingSnapshot, basis: string, { lastActiveAt }: SessionRow): boolean {
    const now = this.#parts.clock.now();
    const longest = this.#parts.config.memory.refresh_minutes * 60_000;
    const isIdle = now - lastActiveAt > longest && now - takenAt > longest;
    return before === basis && !isIdle;
  }

  async #take(session: SessionRow, basis: string, parts: readonly StandingPart[]): Promise<StandingSnapshot> {
    const snapshot = { sessionUid: session.uid, epoch: session.epoch, takenAt: this.#parts.clock.now(), basis, parts };
    await this.#parts.snapshots.putSnapshot(snapshot);
    this.#hold(snapshot);
    return snapshot;
  }

  /** What is forgotten for good is sent to no session any more, at the price of one prompt cache each. */
  async #forget(): Promise<void> {
    this.#memoryMd = new MemoryMdReader(this.#parts.pages, this.#parts.counter);
    this.#current.clear();
    this.#snapshots.clear();
    await this.#parts.snapshots.eraseSnapshots();
  }

  #hold(snapshot: StandingSnapshot): void {
    this.#snapshots.delete(snapshot.sessionUid);
    this.#snapshots.set(snapshot.sessionUid, snapshot);
    const oldest = this.#snapshots.size > heldSessions ? this.#snapshots.keys().next().value : undefined;
    if (oldest !== undefined) this.#snapshots.delete(oldest);
  }

  #currentOf(scope: MemoryScope, format: MessageFormat): Promise<readonly StandingPart[]> {
    const key = JSON.stringify([scope.userId, scope.agentId, scope.access, format]);
    const known = this.#current.get(key);
    if (known) return known;
    const reading = this.#read(scope, format);
    this.#current.set(key, reading);
    // What could not be read is read again by the next call.
    reading.catch(() => {
      if (this.#current.get(key) === reading) this.#current.delete(key);
    });
    if (this.#current.size > heldSessions) this.#current.delete(this.#current.keys().next().value ?? '');
    return reading;
  }

  async #read(scope: MemoryScope, format: MessageFormat): Promise<readonly StandingPart[]> {
    const { pages, counter, config } = this.#parts;
    const { memory, assemble } = config;
    const layers = assemble.prompt_layers && format === 'openai' ? await readLayers(pages, scope) : [];
    const profile = await readProfile(pages, counter, scope, memory.profile_max_tokens);
    const index = this.#isLeftToHost(format) ? undefined : await this.#readIndex(scope);
    return [
      ...layers,
      ...(profile ? [{ kind: 'profile' as const, name: 'profile', text: profile.text, uris: profile.uris }] : []),
      ...(index ? [{ kind: 'memory_index' as const, name: 'MEMORY.md', text: index.text, uris: [index.uri] }] : []),
    ];
  }

  async #readIndex(scope: MemoryScope) {
    const page = await this.#memoryMd.find();
    if (!page || !mayReadPage(page, scope)) return undefined;
    const { memory } = this.#parts.config;
    return this.#memoryMd.read(page, {
      userId: scope.userId,
      agentId: scope.agentId,
      directMaxTokens: memory.direct_max_tokens,
      indexMaxTokens: memory.index_max_tokens,
    });
  }
}

function hashOf(parts: readonly StandingPart[]): string {
  return sha256(JSON.stringify(parts));
}
