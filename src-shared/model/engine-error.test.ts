import { describe, expect, it } from 'vitest';
import { EngineError, errorStatus, type ErrorCode } from './engine-error.ts';

describe('EngineError', () => {
  it('carries code, status, details and cause', () => {
    const cause = new Error('disk');
    const error = new EngineError('disk_full', 'No space is left.', { details: { free: 0 }, cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'EngineError',
      code: 'disk_full',
      status: 507,
      message: 'No space is left.',
      details: { free: 0 },
    });
    expect(error.cause).toBe(cause);
  });

  it('has no cause and no details where none are given', () => {
    const error = new EngineError('busy', 'Try again.');
    expect(error.details).toBeUndefined();
    expect('cause' in error).toBe(false);
  });

  it('has a status of HTTP for every code', () => {
    for (const [code, status] of Object.entries(errorStatus)) {
      expect(new EngineError(code as ErrorCode, 'x').status).toBe(status);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(600);
    }
  });
});
