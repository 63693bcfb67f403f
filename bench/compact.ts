import type { CompactReply } from '../src-shared/protocol/compact.ts';
import { noTriggers, removeDataDirectory, startBenchDaemon, type BenchDaemon } from './daemon-process.ts';
import { benchSession, fillSession } from './fill-session.ts';
import { percentile, timeEach } from './percentile.ts';
import { workload } from './workload.ts';

const stored = 10_000;
const longStored = 100_000;
const newTurns = 40;
const hostMessages = 40;
const budget = 128_000;

const config = { compaction: { summariser: 'extractive', triggers: noTriggers } };

/**
 * A forced compaction of 10,000 messages without a model, another one after 40 new turns, and assemble after it; and how
 * long the event loop is held up at most while 100,000 messages are compacted.
 */
export async function benchCompact(): Promise<unknown> {
  const daemon = await startBenchDaemon({ config });
  try {
    await fillSession(daemon, 0, stored);
    const first = await timedCompaction(daemon);
    let next = stored + 4 * newTurns;
    await fillSession(daemon, stored, next);
    const second = await timedCompaction(daemon);
    const hostList = workload(next - hostMessages, next);
    const assembles = await timeEach(60, 8, () => assemble(daemon, hostList, 'plan'));
    const shares: number[] = [];
    let before = JSON.stringify(await messagesOf(daemon, next));
    for (let turn = 0; turn < 20; turn += 1) {
      await fillSession(daemon, next, next + 4);
      next += 4;
      const now = JSON.stringify(await messagesOf(daemon, next));
      shares.push(commonPrefix(before, now) / before.length);
      before = now;
    }
    return {
      ms: first.ms,
      tokens_before: first.reply.tokens_before,
      tokens_after: first.reply.tokens_after,
      ...(await longSession()),
      second_ms: second.ms,
      assemble_after_p50_ms: percentile(assembles, 50),
      prefix_kept_share: Math.round((shares.reduce((sum, one) => sum + one, 0) / shares.length) * 1_000) / 1_000,
    };
  } finally {
    await daemon.stop();
    await removeDataDirectory(daemon.dataDir);
  }
}

async function longSession() {
  const daemon = await startBenchDaemon({ config, watchLoop: true });
  try {
    await fillSession(daemon, 0, longStored);
    await daemon.longestBlock();
    const compacting = timedCompaction(daemon);
    const isDone = compacting.then(
      () => true,
      () => true,
    );
    let slowest = 0;
    // A client that asks all the time, as the inspector and the host do.
    while ((await Promise.race([isDone, pause(10)])) !== true) {
      const started = performance.now();
      await daemon.get('/health');
      slowest = Math.max(slowest, performance.now() - started);
    }
    const { ms } = await compacting;
    const { wallMs, cpuMs } = await daemon.longestBlock();
    return {
      max_block_ms: rounded(wallMs),
      max_block_cpu_ms: rounded(cpuMs),
      slowest_health_ms: rounded(slowest),
      ms_100000: ms,
      rss_mb_100000: daemon.rssMb(),
    };
  } finally {
    await daemon.stop();
    await removeDataDirectory(daemon.dataDir);
  }
}

async function timedCompaction(daemon: BenchDaemon): Promise<{ readonly ms: number; readonly reply: CompactReply }> {
  const started = performance.now();
  const body = { ...benchSession, trigger: 'manual', force: true, token_budget: budget };
  const reply = (await daemon.post('/v1/compact', body)) as CompactReply;
  const ms = rounded(performance.now() - started);
  if (!reply.compacted) throw new Error(`Nothing was compacted: ${reply.reason}`);
  return { ms, reply };
}

function assemble(
  daemon: BenchDaemon,
  messages: ReturnType<typeof workload>,
  reply: 'plan' | 'messages',
): Promise<unknown> {
  return daemon.post('/v1/assemble', {
    ...benchSession,
    format: 'openclaw',
    messages,
    token_budget: budget,
    reply,
    model: 'bench-model',
  });
}

async function messagesOf(daemon: BenchDaemon, count: number): Promise<unknown> {
  return ((await assemble(daemon, workload(count - hostMessages, count), 'messages')) as { readonly messages: unknown })
    .messages;
}

/** Characters that two texts have in common from their beginnings on. */
function commonPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  // The list of the call before ends with its closing bracket, where this one goes on.
  return length === a.length - 1 ? a.length : length;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
