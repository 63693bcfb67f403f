// Kills a real daemon again and again while it stores turns and compacts, each time going on with the same data
// directory, and then looks whether anything is missing, there twice, or broken.
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { CompactReply } from '../../src-shared/protocol/compact.ts';
import type { JobSummary } from '../../src-shared/model/job.ts';
import { removeDataDirectory, startBenchDaemon, type BenchDaemon } from '../../bench/daemon-process.ts';
import { checkIntegrity } from '../../src-main/store/recovery/check-integrity.ts';
import { checkStore, type Findings } from './check-store.ts';
import { createConversations, nextAdvancement, type Conversation } from './conversation.ts';
import { startLoad } from './load.ts';

const { values } = parseArgs({
  options: { kills: { type: 'string', default: '200' }, keep: { type: 'boolean', default: false } },
});
const kills = Math.max(1, Number(values.kills));

/** Many compactions, in several pieces and on several levels, by hand and in the background. */
const config = {
  compaction: {
    summariser: 'extractive',
    segment_tokens: 1_000,
    condense_count: 3,
    triggers: { budget_share: 0, tokens_added: 2_000, turns: 6, interval_minutes: 0 },
  },
};

/** Longest time for which a daemon is left to work (ms); some get enough of it to finish what the others could not. */
const longestLife = 400;
const longestOfSome = 1_500;
const sessions = 4;

const dataDir = await mkdtemp(join(tmpdir(), 'strata-crash-'));
const conversations = createConversations(sessions);
const failures: string[] = [];
const started = performance.now();
let during = 0;
let compacted = 0;

try {
  for (let kill = 1; kill <= kills; kill += 1) {
    const daemon = await startBenchDaemon({ dataDir, config });
    const load = startLoad(daemon, conversations);
    // Every tenth is killed while it warms up.
    if (kill % 10 !== 0) await load.begun;
    await pause(Math.random() * (kill % 4 === 0 ? longestOfSome : longestLife));
    if (load.inFlight() > 0) during += 1;
    compacted += load.compacted();
    await daemon.kill();
    await load.over;
    if (kill % 20 === 0) console.log(`${kill} kills, ${Math.round((performance.now() - started) / 1_000)} s`);
  }
  const daemon = await startBenchDaemon({ dataDir, config });
  const findings = await settleAndCheck(daemon);
  report(findings);
} catch (error) {
  failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
}
for (const failure of failures.slice(0, 20)) console.log(`✗ ${failure}`);
if (values.keep || failures.length > 0) console.log(`The data directory is kept: ${dataDir}`);
else await removeDataDirectory(dataDir);
console.log(failures.length === 0 ? '1 passed, 0 failed' : `0 passed, ${Math.max(1, failures.length)} failed`);
process.exit(failures.length === 0 ? 0 : 1);

async function settleAndCheck(daemon: BenchDaemon): Promise<Findings> {
  for (const conversation of conversations) await sendPending(daemon, conversation);
  await jobsEnded(daemon);
  const findings = await checkStore(daemon, conversations);
  for (const conversation of conversations) {
    for (let turn = 0; turn < 12; turn += 1) {
      conversation.pending = nextAdvancement(conversation);
      await sendPending(daemon, conversation);
    }
    await jobsEnded(daemon);
    const { session_id, session_key } = conversation;
    const body = { session_id, session_key, trigger: 'manual', force: true };
    const reply = (await daemon.post('/v1/compact', body)) as CompactReply;
    const isDone = reply.compacted || reply.reason === 'nothing_to_compact';
    if (!reply.ok || !isDone) failures.push(`the next compaction of ${session_id}: ${reply.reason}`);
  }
  const after = await checkStore(daemon, conversations);
  if (after.checkpoints <= findings.checkpoints) failures.push('no compaction came after the last start');
  await daemon.stop();
  for (const problem of checkIntegrity(join(dataDir, 'strata.db'))) failures.push(`integrity: ${problem}`);
  return after;
}

async function sendPending(daemon: BenchDaemon, conversation: Conversation): Promise<void> {
  const { pending, session_id, session_key } = conversation;
  if (!pending) return;
  const { key: advancement_key, messages } = pending;
  await daemon.post('/v1/commit-turn', { session_id, session_key, format: 'openclaw', advancement_key, messages });
  conversation.acknowledged.push(pending);
  conversation.pending = undefined;
}

/** Jobs that wait for their next attempt are begun at once. */
async function jobsEnded(daemon: BenchDaemon): Promise<void> {
  const until = performance.now() + 120_000;
  for (;;) {
    const open: JobSummary[] = [];
    for (const state of ['queued', 'running']) {
      const page = (await daemon.get(`/v1/jobs?state=${state}&limit=500`)) as { readonly items: JobSummary[] };
      open.push(...page.items);
    }
    if (open.length === 0) return;
    if (performance.now() > until) throw new Error(`Jobs do not end: ${open.map((job) => job.job_id).join(', ')}`);
    for (const job of open) {
      if (job.state === 'queued' && job.next_attempt_at !== undefined) {
        // It may have begun by itself meanwhile, and cannot be begun again then.
        await daemon.post(`/v1/jobs/${job.job_id}/retry`, {}).catch((error: unknown) => {
          if (!String(error).includes('job_not_retriable')) throw error;
        });
      }
    }
    await pause(50);
  }
}

function report({ turns, checkpoints, jobs, dead, lost, doubled, broken }: Findings): void {
  failures.push(...lost.map((one) => `lost: ${one}`), ...doubled.map((one) => `doubled: ${one}`));
  failures.push(...broken.map((one) => `broken: ${one}`));
  if (during < kills / 4) failures.push(`only ${during} of ${kills} kills came during a compaction`);
  const seconds = Math.round((performance.now() - started) / 1_000);
  console.log(
    `crash: ${kills} kills (${during} during a compaction), ${lost.length} lost, ${doubled.length} doubled, ${broken.length} broken; ` +
      `${turns} turns, ${checkpoints} checkpoints (${compacted} answered), ${jobs} jobs of which ${dead} dead; ${seconds} s`,
  );
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
