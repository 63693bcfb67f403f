import { EngineError } from '../../../src-shared/model/engine-error.ts';

/** A hex SHA-256 as the 32 bytes that are stored. @throws EngineError `internal` when it is something else. */
export function hashBytes(hash: string, what: string): Buffer {
  if (/^[0-9a-f]{64}$/.test(hash)) return Buffer.from(hash, 'hex');
  throw new EngineError(
    'internal',
    `Expected the ${what} to be a SHA-256 in 64 lower-case hex characters, got ${JSON.stringify(hash.slice(0, 100))}.`,
  );
}
