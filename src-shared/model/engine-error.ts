/** The closed list of error codes, each with the HTTP status it is answered with. */
export const errorStatus = {
  invalid_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  forbidden_host: 403,
  forbidden_origin: 403,
  not_found: 404,
  unknown_session: 404,
  unknown_call: 404,
  unknown_checkpoint: 404,
  unknown_uri: 404,
  unknown_job: 404,
  unknown_page: 404,
  unknown_operation: 404,
  method_not_allowed: 405,
  ambiguous_session: 409,
  advancement_conflict: 409,
  unknown_messages: 409,
  checkpoint_conflict: 409,
  reservation_expired: 409,
  page_conflict: 409,
  page_exists: 409,
  operation_conflict: 409,
  embedder_mismatch: 409,
  confirmation_needed: 409,
  job_not_retriable: 409,
  job_not_cancellable: 409,
  lease_lost: 409,
  busy: 429,
  body_too_large: 413,
  unsupported_media_type: 415,
  import_invalid: 422,
  invalid_page: 422,
  memory_refused: 422,
  nothing_to_summarise: 422,
  invalid_config: 500,
  strategy_failed: 500,
  internal: 500,
  store_failed: 500,
  store_corrupt: 500,
  store_from_future: 500,
  data_dir_blocked: 500,
  workspace_blocked: 500,
  model_bad_answer: 502,
  model_refused: 502,
  model_rate_limited: 503,
  model_unavailable: 503,
  spend_limit: 503,
  data_dir_owned: 503,
  daemon_unreachable: 503,
  shutting_down: 503,
  aborted: 503,
  deadline_exceeded: 504,
  model_timeout: 504,
  disk_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/**
 * The one error family of the product. `message` says what was expected, what came and what to do;
 * `details` is plain JSON and may be shown to the caller.
 */
export class EngineError extends Error {
  override readonly name = 'EngineError';
  readonly code: ErrorCode;
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: ErrorCode, message: string, options: { details?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
  }

  /** HTTP status that belongs to the code. */
  get status(): number {
    return errorStatus[this.code];
  }
}
