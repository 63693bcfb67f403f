import type { z } from 'zod';
import { EngineError, errorStatus, type ErrorCode } from '../../src-shared/model/engine-error.ts';
import type { ErrorReply } from '../../src-shared/protocol/common.ts';

export interface ErrorAnswer {
  readonly status: (typeof errorStatus)[ErrorCode];
  readonly body: ErrorReply;
}

/** What a caller may see of an error. Unknown ones become `internal`, without a word of what is inside. */
export function toErrorReply(error: unknown): ErrorAnswer {
  const known =
    error instanceof EngineError
      ? error
      : new EngineError(
          'internal',
          'Strata failed to answer this request; its log has the details. Trying again is safe.',
        );
  const { code, message, details } = known;
  return { status: errorStatus[code], body: { ok: false, error: { code, message, ...(details ? { details } : {}) } } };
}

const maxIssues = 20;
const maxText = 300;

/** The refusal of a request that does not match its schema. Says where and what, never what was sent. */
export function invalidRequest(part: 'path' | 'query' | 'body', issues: readonly z.core.$ZodIssue[]): EngineError {
  const listed = issues.slice(0, maxIssues).map((issue) => ({
    path: issue.path.map(String).join('.').slice(0, maxText),
    message: issue.message.slice(0, maxText),
  }));
  const first = listed[0];
  const where = first?.path ? ` at ${first.path}` : '';
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more)` : '';
  return new EngineError(
    'invalid_request',
    `The request's ${part} is not as expected${where}: ${first?.message ?? 'unknown problem'}${more}. See /openapi.json for the schema.`,
    { details: { part, issues: listed } },
  );
}
