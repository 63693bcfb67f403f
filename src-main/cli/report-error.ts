import { EngineError } from '../../src-shared/model/engine-error.ts';
import { exitCodes, type CliContext } from './cli-context.ts';

/** One clear line (or the common error form with --json); answers the exit code. */
export function reportError(error: unknown, context: Pick<CliContext, 'json' | 'print' | 'note'>): number {
  const { code, message, details } = asEngineError(error);
  if (context.json) {
    context.print(JSON.stringify({ ok: false, error: { code, message, ...(details ? { details } : {}) } }));
  } else {
    context.note(`strata: ${message}`);
  }
  return code === 'daemon_unreachable' ? exitCodes.noDaemon : exitCodes.failed;
}

function asEngineError(error: unknown): EngineError {
  if (error instanceof EngineError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new EngineError('internal', `Something unexpected happened: ${message}. Please report it with what you did.`);
}
