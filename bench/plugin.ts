import { ScriptedHost } from '../src-plugin/testing/scripted-host.ts';
import type { HostMessage } from '../src-shared/protocol/host-message.ts';
import { removeDataDirectory, startBenchDaemon } from './daemon-process.ts';
import { benchSession, fillSession } from './fill-session.ts';
import { percentile, timeEach } from './percentile.ts';
import { workload } from './workload.ts';

const stored = 10_000;
const budget = 128_000;

/**
 * The whole way through the plugin, with the host passing all of its 10,000 messages at every turn, as it does when we
 * own compaction; and what the plugin adds to the HTTP time of storing a turn. Each turn is a new engine and new
 * message objects, since a host reads them from its transcript again.
 */
export async function benchPlugin(): Promise<unknown> {
  const daemon = await startBenchDaemon();
  try {
    await fillSession(daemon, 0, stored);
    const host = new ScriptedHost();
    host.register({ dataDir: daemon.dataDir, timeoutMs: 20_000 });
    const history = JSON.stringify(workload(0, stored));
    const assembles: number[] = [];
    for (let turn = 0; turn < 25; turn += 1) {
      const messages = JSON.parse(history) as HostMessage[];
      const engine = await host.engine();
      const started = performance.now();
      const result = await engine.assemble({
        sessionId: benchSession.session_id,
        sessionKey: benchSession.session_key,
        messages,
        tokenBudget: budget,
        prompt: 'And now?',
      });
      // The first calls send bodies that the daemon has not seen by reference yet.
      if (turn >= 5) assembles.push(performance.now() - started);
      if (result.messages.length === messages.length) throw new Error('The plugin fell back to the list of the host.');
      await engine.dispose?.();
    }
    return {
      assemble_p50_ms: percentile(assembles, 50),
      assemble_p95_ms: percentile(assembles, 95),
      ...(await commitOverhead(host, daemon)),
    };
  } finally {
    await daemon.stop();
    await removeDataDirectory(daemon.dataDir);
  }
}

async function commitOverhead(host: ScriptedHost, daemon: Awaited<ReturnType<typeof startBenchDaemon>>) {
  let next = stored;
  const turn = () => {
    const messages = workload(next, next + 4);
    next += 4;
    return { key: `bench-${next}`, messages };
  };
  const direct = await timeEach(60, 5, async () => {
    const { key, messages } = turn();
    await daemon.post('/v1/commit-turn', { ...benchSession, advancement_key: key, format: 'openclaw', messages });
  });
  const through = await timeEach(60, 5, async () => {
    const { key, messages } = turn();
    const engine = await host.engine();
    await engine.commitTurn?.({
      advancementKey: key,
      sessionId: benchSession.session_id,
      sessionKey: benchSession.session_key,
      messages,
    });
  });
  const overhead = percentile(through, 50) - percentile(direct, 50);
  return { commit_p50_ms: percentile(through, 50), commit_overhead_p50_ms: Math.round(overhead * 100) / 100 };
}
