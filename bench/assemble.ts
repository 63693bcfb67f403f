import { removeDataDirectory, startBenchDaemon } from './daemon-process.ts';
import { benchSession, fillSession } from './fill-session.ts';
import { percentile, timeEach } from './percentile.ts';
import { workload } from './workload.ts';

const sizes = [200, 2_000, 10_000, 100_000];
const hostMessages = 40;
const budget = 128_000;

/** assemble over HTTP at 128k tokens, the host passing its newest 40 messages, by number of stored messages. */
export async function benchAssemble(): Promise<unknown> {
  const daemon = await startBenchDaemon();
  const p50: Record<string, number> = {};
  const p95: Record<string, number> = {};
  try {
    let stored = 0;
    for (const size of sizes) {
      await fillSession(daemon, stored, size);
      stored = size;
      const request = {
        ...benchSession,
        format: 'openclaw',
        messages: workload(size - hostMessages, size),
        token_budget: budget,
        reply: 'plan',
        model: 'bench-model',
      };
      const times = await timeEach(60, 8, () => daemon.post('/v1/assemble', request));
      p50[size] = percentile(times, 50);
      p95[size] = percentile(times, 95);
    }
    const full = sizes.slice(1).map((size) => p50[size] ?? 0);
    return {
      p50_ms: p50,
      p95_ms: p95,
      flatness: Math.round((Math.max(...full) / Math.min(...full)) * 100) / 100,
      rss_mb: daemon.rssMb(),
    };
  } finally {
    await daemon.stop();
    await removeDataDirectory(daemon.dataDir);
  }
}
