/**
 * The counts of a suite: its last line `N passed, N failed`.
 * @returns {{ passed: number, failed: number } | undefined}
 */
export function readCounts(output) {
  const last = output.trimEnd().split('\n').at(-1) ?? '';
  const match = /^(\d+) passed, (\d+) failed$/.exec(last.trim());
  return match ? { passed: Number(match[1]), failed: Number(match[2]) } : undefined;
}
