import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A directory of its own for the running test; removed after it. */
export function temporaryDirectory(): string {
  const path = mkdtempSync(join(tmpdir(), 'strata-store-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
