import { randomBytes } from 'node:crypto';
import type { Clock } from './engine/ports/clock.ts';

/**
 * The machine's clock. Ids are `<kind>_` and 32 hex digits: 48 bits of time, then 80 random ones, so that rows
 * made together lie together in an index and ids of two processes never meet.
 */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    newId: (kind) => `${kind}_${Date.now().toString(16).padStart(12, '0')}${randomBytes(10).toString('hex')}`,
  };
}
