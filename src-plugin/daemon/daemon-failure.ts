/**
 * Why the daemon did not answer a call. Failures of the daemon are expected: they are returned, never thrown, because
 * no life-cycle method may break the host's turn.
 */
export interface DaemonFailure {
  /**
   * `away`: nobody to talk to. `timeout`: it did not answer in time. `refused`: it answered with its error form.
   * `malformed`: whatever answered did not speak the protocol.
   */
  readonly kind: 'away' | 'timeout' | 'refused' | 'malformed';
  readonly message: string;
  readonly status?: number;
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type DaemonResult<T> =
  { readonly ok: true; readonly reply: T } | { readonly ok: false; readonly failure: DaemonFailure };

export function failed(failure: DaemonFailure): { readonly ok: false; readonly failure: DaemonFailure } {
  return { ok: false, failure };
}

/** Whether the same request would be refused again whenever it is sent: it must not wait in front of others. */
export function isLasting(failure: DaemonFailure): boolean {
  if (failure.kind !== 'refused' || failure.status === undefined) return false;
  if (failure.status < 400 || failure.status >= 500) return false;
  // A daemon that does not know the route, or the token, is not the one these messages are for.
  const passing = ['unauthorized', 'forbidden_host', 'forbidden_origin', 'not_found', 'method_not_allowed', 'busy'];
  return !passing.includes(failure.code ?? '') && failure.code !== 'unknown_messages' && failure.status !== 408;
}
