import type { ErrorCode } from '../../src-shared/model/engine-error.ts';

/** The engine's codes, and what can only happen on the way to it. */
export type ClientErrorCode = ErrorCode | 'unreachable' | 'invalid_reply';

/** Every failed call of an EngineClient. `message` says what happened, `remedy` what the person can do. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  readonly details: unknown;

  constructor(code: ClientErrorCode, message: string, options: { details?: unknown; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  get remedy(): string {
    return remedies[this.code] ?? 'Try again. If it happens again, run “npm run strata -- doctor” in a terminal.';
  }
}

/** Whatever was thrown, as a ClientError. */
export function asClientError(thrown: unknown): ClientError {
  if (thrown instanceof ClientError) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new ClientError('internal', `This page failed: ${message}`, { cause: thrown });
}

const remedies: { readonly [C in ClientErrorCode]?: string } = {
  unreachable: 'Is the daemon running? Start it with “npm start”, or look with “npm run strata -- status”.',
  unauthorized: 'Open a fresh link with “npm run strata -- open”.',
  invalid_reply: 'The daemon and this page may be of different versions: reload the page.',
  unknown_session: 'It may have been removed, or the link is from another data directory. Go back to the list.',
  unknown_call: 'Only the newest calls are kept (retention.calls in config.yaml). Go back to the list.',
  unknown_checkpoint: 'The link may be from another data directory. Go back to the session’s checkpoints.',
  checkpoint_conflict: 'Something else changed it meanwhile: look at its state, and at what stands for it now.',
  unknown_job: 'Jobs that ended are kept for some days (retention.jobs_days in config.yaml). Go back to the list.',
  job_not_retriable: 'Its state changed meanwhile. Only jobs that gave up, were cancelled or wait can be tried again.',
  job_not_cancellable: 'Its state changed meanwhile: what has ended cannot be cancelled.',
  nothing_to_summarise: 'The turns of this range say nothing that could be summed up. What stands goes on standing.',
  reservation_expired: 'Somebody else compacted meanwhile. Look at the list, then try again if it is still needed.',
  model_unavailable:
    'Is the endpoint under language_model in config.yaml running? Or choose the extractive summariser.',
  model_timeout: 'Try again, raise the time limit under language_model, or choose the extractive summariser.',
  model_rate_limited: 'Wait a moment and try again, or choose the extractive summariser.',
  model_refused:
    'Check key, model and address under language_model in config.yaml, or choose the extractive summariser.',
  model_bad_answer: 'What stands goes on standing. Try again, or choose another summariser, policy or focus.',
  spend_limit: 'Raise the limit under language_model in config.yaml, or choose the extractive summariser.',
  deadline_exceeded: 'Try again; a long range takes longer.',
  invalid_request: 'Check what was asked for: a setting that it needs may be missing in config.yaml.',
  busy: 'The daemon is busy. Try again in a moment.',
  store_failed: 'Run “npm run strata -- doctor” in a terminal: it checks the database and says what to do.',
  store_corrupt: 'Run “npm run strata -- doctor” in a terminal: it checks the database and says what to do.',
  disk_full: 'Free some space on the disk that holds the data directory.',
  shutting_down: 'The daemon is stopping. Start it again with “npm start”.',
};
