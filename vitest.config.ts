import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['src-*/**/*.test.ts', 'src-*/**/*.test.tsx', 'scripts/**/*.test.ts', 'docs/**/*.test.ts'],
    environment: 'node',
    // Half of the time a test waits for the disk: on two cores one worker, which is what vitest takes, leaves one idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    coverage: {
      provider: 'v8',
      include: ['src-main/engine/**/*.ts', 'src-main/store/**/*.ts', 'src-shared/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', 'src-main/engine/ports/**'],
      thresholds: { perFile: true, lines: 85 },
      reporter: ['text-summary', 'json-summary'],
    },
  },
});
