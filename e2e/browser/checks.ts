/** Runs named checks one after another, each whatever became of the others. */
export class Checks {
  passed = 0;
  failed = 0;
  /** What was seen on a page since the last question; must be empty after every check. */
  readonly #problems: () => readonly string[];

  constructor(problems: () => readonly string[]) {
    this.#problems = problems;
  }

  async run(name: string, check: () => Promise<void>): Promise<void> {
    const started = performance.now();
    let failure: string | undefined;
    try {
      await check();
    } catch (error) {
      failure = error instanceof Error ? error.message : String(error);
    }
    const problems = this.#problems();
    if (failure === undefined && problems.length === 0) {
      this.passed += 1;
      console.log(`  ✓ ${name} (${(performance.now() - started).toFixed(0)} ms)`);
      return;
    }
    this.failed += 1;
    console.log(`  ✗ ${name}`);
    for (const line of [failure, ...problems]) if (line !== undefined) console.log(`      ${line}`);
  }
}

export function expect(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Error(`Expected ${what}`);
}

export function expectEqual<T>(actual: T, expected: T, what: string): void {
  if (actual !== expected) {
    throw new Error(`Expected ${what} to be ${JSON.stringify(expected)}, got ${JSON.stringify(actual)}`);
  }
}
