import type { InspectorSessions } from './inspector-sessions.ts';
import type { OneTimeCodes } from './one-time-codes.ts';

export interface InspectorSignIn {
  /** A link that opens the inspector, once. Its code is in the fragment, which browsers send to nobody. */
  makeLink(port: number): { readonly url: string; readonly expires_at: string };
  /** @throws EngineError `unauthorized`, `busy`, or what writing the session throws */
  signIn(code: string): Promise<{ readonly token: string; readonly expires_at: string }>;
}

/** Long enough to start the daemon, read its lines and click. */
const linkLifetimeMs = 10 * 60 * 1_000;

export function createInspectorSignIn(codes: OneTimeCodes, sessions: InspectorSessions): InspectorSignIn {
  return {
    makeLink(port) {
      const { code, expiresAt } = codes.issue(linkLifetimeMs);
      return { url: `http://127.0.0.1:${port}/#code=${code}`, expires_at: new Date(expiresAt).toISOString() };
    },
    async signIn(code) {
      codes.redeem(code);
      const { token, expiresAt } = await sessions.create();
      return { token, expires_at: new Date(expiresAt).toISOString() };
    },
  };
}
