import { createHash, timingSafeEqual } from 'node:crypto';
import { EngineError } from '../../../src-shared/model/engine-error.ts';

export interface Authenticator {
  /** @throws EngineError `unauthorized` unless the header carries the token of the file or of an inspector session */
  check(authorization: string | undefined): void;
}

export function createAuthenticator(options: {
  readonly token: string;
  /** Whether this is the token of a living inspector session. */
  readonly isSessionToken: (token: string) => boolean;
}): Authenticator {
  const expected = sha256(options.token);
  return {
    check(authorization) {
      const given = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
      // Digests, so that the comparison takes the same time whatever the lengths.
      if (given !== undefined && (timingSafeEqual(sha256(given), expected) || options.isSessionToken(given))) return;
      throw new EngineError(
        'unauthorized',
        given === undefined
          ? 'Expected the header "Authorization: Bearer …" with the token of the file "token" in the data directory.'
          : 'The token is not the one of this data directory, or the inspector session has ended. Read the file "token" again, or open the inspector by a new link.',
      );
    },
  };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
