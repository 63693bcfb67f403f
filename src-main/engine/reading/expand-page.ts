import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { MemoryExpandRequest } from '../../../src-shared/protocol/tools.ts';
import { boundary } from '../../../src-shared/synopsis/visible-text.ts';
import { sha256 } from '../hash.ts';
import type { TokenCounter } from '../tokens/token-counter.ts';

/** A text of few tokens may be very long: white space, one letter repeated. */
const mostCharactersPerToken = 4;
/** Parts smaller than this are not begun at the end of an answer. */
const leastTokens = 40;
const attempts = 8;

/** The tokens that the texts of one answer may take. */
export class TokenRoom {
  readonly #counter: TokenCounter;
  #left: number;
  #taken = 0;

  constructor(counter: TokenCounter, max: number) {
    this.#counter = counter;
    this.#left = max;
  }

  get taken(): number {
    return this.#taken;
  }

  /** Nothing more fits. */
  get isFull(): boolean {
    return this.#left < leastTokens;
  }

  /** @returns how many characters from the start of the text fit; the first text of an answer always gets some */
  async take(text: string): Promise<number> {
    let length = boundary(text, Math.min(text.length, Math.max(0, this.#left) * mostCharactersPerToken));
    let tokens = await this.#counter.text(text.slice(0, length));
    for (let attempt = 1; tokens > this.#left && length > 0 && attempt <= attempts; attempt += 1) {
      length = boundary(text, Math.floor(length * Math.min(0.9, (0.97 * this.#left) / tokens)));
      tokens = await this.#counter.text(text.slice(0, length));
    }
    if (tokens > this.#left && this.#taken > 0) return 0;
    this.#left -= tokens;
    this.#taken += tokens;
    return length;
  }
}

/** Where the next answer goes on. */
export interface Place {
  /** Matches that were given, with a query. */
  readonly given?: number;
  /** Characters of a single text that were given. */
  readonly offset?: number;
  readonly sequence?: number;
  /** Newest turn of the range at the first answer: what is said in the meantime does not move the pages. */
  readonly end?: number;
}

type Question = Pick<MemoryExpandRequest, 'uri' | 'query' | 'range'>;

export function writeCursor(question: Question, place: Place): string {
  return Buffer.from(JSON.stringify({ ...place, of: markOf(question) })).toString('base64url');
}

/** @throws EngineError `invalid_request` for what is no cursor, or one of another question */
export function readCursor(question: Question, cursor: string | undefined): Place {
  if (cursor === undefined) return {};
  try {
    const value: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null && 'of' in value && value.of === markOf(question)) {
      const fields = value as Readonly<Record<string, unknown>>;
      return {
        ...count('given', fields['given']),
        ...count('offset', fields['offset']),
        ...count('sequence', fields['sequence']),
        ...count('end', fields['end']),
      };
    }
  } catch {
    // Not JSON: answered as every other text that is no cursor.
  }
  throw new EngineError(
    'invalid_request',
    'Expected cursor to be next_cursor of the answer before, with the same uri, query and range. Leave it out to begin anew.',
  );
}

function count(name: keyof Place, value: unknown): Place {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? { [name]: value } : {};
}

function markOf({ uri, query, range }: Question): string {
  return sha256(JSON.stringify([uri, query ?? '', range ?? ''])).slice(0, 12);
}
