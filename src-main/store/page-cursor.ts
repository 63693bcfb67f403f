import { EngineError } from '../../src-shared/model/engine-error.ts';

type Listing =
  | 'sessions'
  | 'turns'
  | 'checkpoints'
  | 'calls'
  | 'jobs'
  | 'pages'
  | 'page uses'
  | 'page versions'
  | 'memory operations';

/** The opaque text that names where the next page of a listing starts. */
export function writeCursor(listing: Listing, position: readonly number[]): string {
  return `${listing}:${position.join(':')}`;
}

/**
 * The numbers of a cursor, `length` of them.
 * @throws EngineError `invalid_request` when it is not one of this listing
 */
export function readCursor(listing: Listing, cursor: string, length: number): readonly number[] {
  const [name, ...parts] = cursor.split(':');
  const numbers = parts.map((part) => (part === '' ? NaN : Number(part)));
  if (name === listing && numbers.length === length && numbers.every(Number.isFinite)) return numbers;
  throw new EngineError(
    'invalid_request',
    `Expected the next_cursor of a page of ${listing}, got ${JSON.stringify(cursor.slice(0, 100))}. ` +
      'Leave the cursor out to start at the first page.',
  );
}
