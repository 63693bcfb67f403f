import { createHash, randomBytes } from 'node:crypto';
import { EngineError } from '../../../src-shared/model/engine-error.ts';

export interface OneTimeCodes {
  issue(lifetimeMs: number): { readonly code: string; readonly expiresAt: number };
  /**
   * Uses the code up.
   * @throws EngineError `unauthorized` when it is unknown, used or too old, `busy` after too many wrong ones
   */
  redeem(code: string): void;
}

const maxOpen = 100;
const maxWrong = 20;
const wrongWindowMs = 60_000;

/** Codes of inspector links: in memory only, each good for one sign-in. */
export function createOneTimeCodes(now: () => number): OneTimeCodes {
  /** By hash of the code, oldest first. */
  const open = new Map<string, number>();
  let wrong: number[] = [];

  return {
    issue(lifetimeMs) {
      const code = randomBytes(32).toString('base64url');
      const expiresAt = now() + lifetimeMs;
      const oldest = open.size >= maxOpen ? open.keys().next() : undefined;
      if (oldest && !oldest.done) open.delete(oldest.value);
      open.set(hash(code), expiresAt);
      return { code, expiresAt };
    },

    redeem(code) {
      const at = now();
      wrong = wrong.filter((time) => Math.abs(at - time) < wrongWindowMs);
      // Looked up by hash: how long the look-up takes tells nothing about the code.
      const key = hash(code);
      const expiresAt = open.get(key);
      open.delete(key);
      if (expiresAt !== undefined && at < expiresAt) return;
      // Only wrong codes are held up: somebody who guesses must not lock out whoever has a link.
      if (wrong.length >= maxWrong) {
        throw new EngineError('busy', 'Too many wrong codes. Wait a minute, then use a new link.');
      }
      wrong.push(at);
      throw new EngineError(
        'unauthorized',
        'This link was used already or is too old. Get a new one with "npm run strata -- open", or from the daemon when it starts.',
      );
    },
  };
}

function hash(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}
