export type DeadlineOutcome<T> =
  | { readonly state: 'done'; readonly value: T }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'late' };

/** Waits for the work at most `ms`; work that comes later is let finish and its outcome is ignored. Never throws. */
export async function withinDeadline<T>(work: Promise<T>, ms: number): Promise<DeadlineOutcome<T>> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<DeadlineOutcome<T>>((resolve) => {
    timer = setTimeout(() => resolve({ state: 'late' }), ms);
  });
  const finished = work.then(
    (value): DeadlineOutcome<T> => ({ state: 'done', value }),
    (error: unknown): DeadlineOutcome<T> => ({ state: 'failed', error }),
  );
  try {
    return await Promise.race([finished, late]);
  } finally {
    clearTimeout(timer);
  }
}
