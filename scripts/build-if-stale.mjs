// Builds only when a source changed since the last build; the suites start with it.
import { buildIfStale } from './lib/build-if-stale.mjs';

await buildIfStale();
