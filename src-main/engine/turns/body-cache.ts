import type { SessionStore } from '../ports/session-store.ts';

/** Characters of bodies that are held; about two contexts of 128k tokens. */
const heldCharacters = 4_000_000;

/** A body longer than this is read from the store each time (characters). */
const longestHeld = 100_000;

interface Held {
  readonly text: string;
  /** UTF-8, once it was sent. */
  bytes: Uint8Array | undefined;
  /** Once that was asked; see `mayThink`. */
  thinks: boolean | undefined;
}

const thinking = '"thinking"';

const utf8 = new TextEncoder();

/**
 * Bodies that were sent lately. Each call of a session sends the same thousand messages again; a body never changes, so
 * reading it and writing it as bytes once is enough.
 */
export class BodyCache implements Pick<SessionStore, 'readBodies'> {
  readonly #store: Pick<SessionStore, 'readBodies'>;
  readonly #bodies = new Map<string, Held>();
  #characters = 0;

  constructor(store: Pick<SessionStore, 'readBodies'>) {
    this.#store = store;
  }

  async readBodies(hashes: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const found = new Map<string, string>();
    const missing: string[] = [];
    for (const hash of hashes) {
      const body = this.#bodies.get(hash);
      if (body === undefined) missing.push(hash);
      else found.set(hash, body.text);
    }
    if (missing.length === 0) return found;
    for (const [hash, body] of await this.#store.readBodies(missing)) {
      found.set(hash, body);
      this.#hold(hash, body);
    }
    return found;
  }

  /** A body as UTF-8, by the hash of its text. */
  bytesOf(hash: string, text: string): Uint8Array {
    const held = this.#bodies.get(hash);
    if (!held) return utf8.encode(text);
    return (held.bytes ??= utf8.encode(held.text));
  }

  /** Whether a body, by the hash of its stored text, may have reasoning in it: most have not, and need no parsing. */
  mayThink(hash: string, text: string): boolean {
    const held = this.#bodies.get(hash);
    // What the host passed in this call may be written otherwise than what is stored.
    if (held?.text !== text) return text.includes(thinking);
    return (held.thinks ??= text.includes(thinking));
  }

  #hold(hash: string, text: string): void {
    if (text.length > longestHeld || this.#bodies.has(hash)) return;
    this.#bodies.set(hash, { text, bytes: undefined, thinks: undefined });
    this.#characters += text.length;
    // A Map keeps insertion order: the first is the one that was read longest ago.
    for (const [oldest, body] of this.#bodies) {
      if (this.#characters <= heldCharacters) return;
      this.#bodies.delete(oldest);
      this.#characters -= body.text.length;
    }
  }
}
