/** The p-th percentile (0–100) by nearest rank, rounded to 0.01. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(0, Math.ceil((p / 100) * sorted.length) - 1);
  return Math.round((sorted[rank] ?? 0) * 100) / 100;
}

/** Milliseconds that each of `runs` calls took, after some that are not counted. */
export async function timeEach(
  runs: number,
  warmUp: number,
  call: (run: number) => Promise<unknown>,
): Promise<number[]> {
  for (let run = 0; run < warmUp; run += 1) await call(-1 - run);
  const times: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const started = performance.now();
    await call(run);
    times.push(performance.now() - started);
  }
  return times;
}
