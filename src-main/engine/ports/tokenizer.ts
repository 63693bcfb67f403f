/** Counts tokens of plain texts. The tokenizer's name is part of every cached count. */
export interface Tokenizer {
  readonly name: string;
  /** Tokens of each text, in order. Never throws for any string, lone surrogates and NUL included. */
  count(texts: readonly string[]): Promise<readonly number[]>;
  close(): Promise<void>;
}
