import { Pacer } from '../compact/pacer.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { EngineParts } from '../engine-parts.ts';

const jobType = 'call-pages';
/** Traces that are looked through in one transaction. */
const batch = 50;

/** Has the calls that were recorded before uses of pages were looked through in the background; there are some once. */
export function createCallPagesJob(
  { store, log }: Pick<EngineParts, 'store' | 'log'>,
  jobs: JobRunner,
): { readonly start: () => Promise<void> } {
  jobs.register(jobType, async (_job, { signal, progress }) => {
    const { pending: total } = await store.pageUses([], { cursor: undefined, limit: 1 }, undefined);
    const pacer = new Pacer();
    let left = total;
    while (left > 0) {
      signal.throwIfAborted();
      left = await store.fillCallPages(batch);
      progress(total - left, total, 'calls looked through');
      // Calls of the host come between two batches.
      await pacer.pause();
    }
    return { calls: total };
  });
  return {
    start: async () => {
      try {
        const { pending } = await store.pageUses([], { cursor: undefined, limit: 1 }, undefined);
        if (pending > 0) await jobs.enqueue({ type: jobType, payload: null, idempotencyKey: jobType });
      } catch (error) {
        log('warn', 'uses of pages in old calls are not looked for', { error: String(error) });
      }
    },
  };
}
