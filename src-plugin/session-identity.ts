export interface SessionIdentity {
  readonly session_id: string;
  readonly session_key?: string;
  readonly agent_id?: string;
}

/**
 * Who a call is about. Hosts of 2026.3 give no session key; the agent stands in it (`agent:{id}:…`), and where it does
 * not, the configured one counts.
 */
export function sessionIdentity(
  session: { readonly sessionId: string; readonly sessionKey?: string | undefined },
  configuredAgent: string | undefined,
): SessionIdentity {
  const agent = /^agent:([^:]+):/.exec(session.sessionKey ?? '')?.[1] ?? configuredAgent;
  return {
    session_id: session.sessionId,
    ...(session.sessionKey === undefined ? {} : { session_key: session.sessionKey }),
    ...(agent === undefined ? {} : { agent_id: agent }),
  };
}
