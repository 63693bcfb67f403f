import { maskSecrets } from '../memory/extract/gates/mask-secrets.ts';

/** Secrets are looked for in pieces of about this length (characters): `maskSecrets` reads no longer texts. */
const pieceLength = 90_000;

/** Masks secrets in all texts of a value, and counts the texts by what sort of secrets they had. */
export class Redaction {
  readonly masked: Record<string, number> = {};

  /** A copy with masks; names of fields are left as they are. */
  of<T>(value: T): T {
    // Texts become texts and lists lists: the copy has the shape of what it is a copy of.
    return this.#copy(value) as T;
  }

  #copy(value: unknown): unknown {
    if (typeof value === 'string') return this.#text(value);
    if (Array.isArray(value)) return value.map((one) => this.#copy(one));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.#copy(one)]));
  }

  #text(text: string): string {
    if (text.length < shortest || isName.test(text.slice(0, 200))) return text;
    const found = new Set<string>();
    let masked = '';
    for (let at = 0; at < text.length;) {
      const end = endOfPiece(text, at);
      const piece = maskSecrets(text.slice(at, end));
      for (const sort of piece.found) found.add(sort);
      masked += piece.text;
      at = end;
    }
    for (const sort of found) this.masked[sort] = (this.masked[sort] ?? 0) + 1;
    return masked;
  }
}

/** Nothing shorter is a secret that the patterns know. */
const shortest = 8;
/** Hashes, addresses and times of ours name things. */
const isName = /^(?:[0-9a-f]{64}|strata:\/\/\S{0,180}|\d{4}-\d{2}-\d{2}T[\d:.]{8,16}Z)$/;

/** At a line's end where there is one near, else between two words, so that no secret is cut in two. */
function endOfPiece(text: string, at: number): number {
  if (text.length - at <= pieceLength) return text.length;
  const line = text.lastIndexOf('\n', at + pieceLength);
  if (line > at + pieceLength / 2) return line + 1;
  // A text of one line, as JSON is: the words before the last one look as they would in the whole.
  const word = text.lastIndexOf(' ', at + pieceLength);
  return word > at + pieceLength / 2 ? word + 1 : at + pieceLength;
}
