import type { Scenario, Suite } from './suite.ts';

/** Longest time of one scenario (ms); on a busy machine a restart of a gateway alone takes three minutes. */
const longestMs = 420_000;

/** Scenarios that were skipped count as neither. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** Runs the scenarios one after the other and reports each. */
export async function runScenarios(suite: Suite, scenarios: readonly Scenario[]): Promise<Counts> {
  let passed = 0;
  let failed = 0;
  for (const { name, skip, run } of scenarios) {
    const reason = skip?.(suite);
    if (reason !== undefined) {
      console.log(`skip  ${name} (${reason})`);
      continue;
    }
    const start = performance.now();
    try {
      await within(longestMs, run(suite));
      passed += 1;
      console.log(`ok    ${name} (${seconds(start)})`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name} (${seconds(start)})`);
      console.log(indented(error instanceof Error ? (error.stack ?? error.message) : String(error)));
    }
  }
  return { passed, failed };
}

async function within(ms: number, running: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Not done after ${ms} ms`)), ms);
  });
  try {
    await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}

function seconds(start: number): string {
  return `${((performance.now() - start) / 1_000).toFixed(1)} s`;
}

function indented(text: string): string {
  const lines = text.split('\n').slice(0, 80);
  return lines.map((line) => `      ${line.slice(0, 400)}`).join('\n');
}
