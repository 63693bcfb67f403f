import { removeDataDirectory, startBenchDaemon } from './daemon-process.ts';
import { benchSession, fillSession } from './fill-session.ts';
import { percentile, timeEach } from './percentile.ts';
import { workload } from './workload.ts';

/** commit-turn of four messages over HTTP, on a session that holds 10,000. */
export async function benchCommit(): Promise<unknown> {
  const daemon = await startBenchDaemon();
  try {
    await fillSession(daemon, 0, 10_000);
    let next = 10_000;
    const times = await timeEach(200, 10, async () => {
      const messages = workload(next, next + 4);
      await daemon.post('/v1/commit-turn', {
        ...benchSession,
        advancement_key: `bench-${next}`,
        format: 'openclaw',
        messages,
      });
      next += 4;
    });
    return { p50_ms: percentile(times, 50), p95_ms: percentile(times, 95) };
  } finally {
    await daemon.stop();
    await removeDataDirectory(daemon.dataDir);
  }
}
