import type { MessageFormat } from '../../../src-shared/protocol/host-message.ts';
import { sha256 } from '../hash.ts';
import type { MessageView } from '../messages/message-view.ts';
import type { Tokenizer } from '../ports/tokenizer.ts';
import { wrapperTokens } from './message-cost.ts';

const cachedTexts = 20_000;

/** Counts messages, with the counts of texts cached by content hash. */
export class TokenCounter {
  readonly #tokenizer: Tokenizer;
  readonly #cache = new Map<string, number>();

  constructor(tokenizer: Tokenizer) {
    this.#tokenizer = tokenizer;
  }

  /** Tokens of one text. */
  async text(text: string): Promise<number> {
    if (text === '') return 0;
    return (await this.#texts([text]))[0] ?? 0;
  }

  /** Tokens of each text. */
  async texts(texts: readonly string[]): Promise<readonly number[]> {
    return this.#texts(texts);
  }

  /** Tokens of each message as sent in this format, wrappers, tool arguments and images included. */
  async messages(views: readonly MessageView[], format: MessageFormat): Promise<readonly number[]> {
    const counts = await this.#texts(views.flatMap((view) => view.countable));
    let next = 0;
    return views.map((view) => {
      let tokens = wrapperTokens(view, format);
      for (let text = 0; text < view.countable.length; text += 1) tokens += counts[next++] ?? 0;
      return tokens;
    });
  }

  async #texts(texts: readonly string[]): Promise<number[]> {
    const keys = texts.map((text) => (text.length < 40 ? text : sha256(text)));
    const missing = new Map<string, string>();
    keys.forEach((key, index) => {
      if (!this.#cache.has(key)) missing.set(key, texts[index] ?? '');
    });
    const known = new Map(keys.map((key) => [key, this.#cache.get(key)]));
    const counted = await this.#tokenizer.count([...missing.values()]);
    [...missing.keys()].forEach((key, index) => {
      const tokens = counted[index] ?? 0;
      known.set(key, tokens);
      this.#remember(key, tokens);
    });
    return keys.map((key) => known.get(key) ?? 0);
  }

  #remember(key: string, tokens: number): void {
    this.#cache.set(key, tokens);
    // A Map keeps insertion order: the first key is the oldest.
    const oldest = this.#cache.size > cachedTexts ? this.#cache.keys().next().value : undefined;
    if (oldest !== undefined) this.#cache.delete(oldest);
  }
}
