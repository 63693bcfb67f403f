/** A part of a list, and where the next one begins. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | undefined;
  readonly total: number;
}

export interface PageRequest {
  readonly cursor: string | undefined;
  readonly limit: number;
}
