import { removeDataDirectory, startBenchDaemon } from './daemon-process.ts';
import { benchSession, fillSession } from './fill-session.ts';
import { percentile } from './percentile.ts';
import { workload } from './workload.ts';

const stored = 100_000;

/** Start of the daemon on a database of 100,000 messages, and its memory after it answered some calls. */
export async function benchStart(): Promise<unknown> {
  const first = await startBenchDaemon();
  const { dataDir } = first;
  const starts: number[] = [];
  let rss = 0;
  try {
    await fillSession(first, 0, stored);
    await first.stop();
    for (let run = 0; run < 5; run += 1) {
      const daemon = await startBenchDaemon({ dataDir });
      starts.push(daemon.startMs);
      for (let call = 0; call < 20; call += 1) {
        await daemon.post('/v1/assemble', {
          ...benchSession,
          format: 'openclaw',
          messages: workload(stored - 40, stored),
          token_budget: 128_000,
          reply: 'plan',
        });
      }
      rss = Math.max(rss, daemon.rssMb());
      await daemon.stop();
    }
    return { ms: percentile(starts, 50), rss_mb: rss };
  } finally {
    await first.stop();
    await removeDataDirectory(dataDir);
  }
}
