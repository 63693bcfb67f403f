export interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

export type Test = readonly [name: string, body: () => Promise<void>];

/** Runs tests one after the other, each within its limit, and prints them as sentences. */
export async function runSuite(tests: readonly Test[], limitMs = 60_000): Promise<Outcome> {
  let passed = 0;
  let failed = 0;
  for (const [name, body] of tests) {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error(`no end within ${limitMs} ms`)), limitMs);
    });
    try {
      await Promise.race([body(), limit]);
      passed += 1;
      console.log(`✓ ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`✗ ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    } finally {
      clearTimeout(timer);
    }
  }
  return { passed, failed };
}
