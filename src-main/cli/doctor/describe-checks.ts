import type { Check } from './check.ts';

const marks = { ok: '✓', warning: '!', failed: '✗' } as const;

/** One line per check, its remedy below it, and the sum at the end. */
export function describeChecks(checks: readonly Check[]): string {
  const count = (state: Check['state']): number => checks.filter((check) => check.state === state).length;
  const lines = checks.flatMap((check) => [
    `${marks[check.state]} ${check.message}`,
    ...(check.remedy === undefined ? [] : [`    → ${check.remedy}`]),
  ]);
  return [...lines, '', `${count('ok')} fine, ${count('warning')} to look at, ${count('failed')} broken`].join('\n');
}
