import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { NewUsage } from '../../engine/ports/session-store.ts';
import { unpackTraceHead } from '../content/pack-trace.ts';
import type { WriteTables } from '../tables/store-tables.ts';

/**
 * Records what the provider counted for a call, once, or in place of what was known less surely.
 * @returns false when the call has its usage already
 * @throws EngineError `unknown_call`
 */
export function addUsage(
  tables: WriteTables,
  callId: string,
  { forCalibration, replaces = false, ...usage }: NewUsage,
): boolean {
  const call = tables.calls.find(callId);
  if (call === undefined) {
    throw new EngineError(
      'unknown_call',
      `There is no call ${JSON.stringify(callId.slice(0, 200))}; it may be pruned.`,
    );
  }
  const trace = unpackTraceHead(call.packed);
  // A sample that already contains the ratio would make the next ratio drift towards 1.
  const ratio = trace.counter === 'calibrated' ? trace.calibration.ratio : 1;
  return tables.usages.insert(call.no, {
    usage,
    // What the next request will name; providers report names of their own for the same model.
    model: trace.model ?? usage.model,
    ownTokens: Math.round(trace.estimated_tokens / ratio),
    forCalibration,
    replaces,
  });
}
