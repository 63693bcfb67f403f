import type { CheckpointRecord } from '../../src-shared/model/checkpoint.ts';
import type { JobDetail, JobSummary } from '../../src-shared/model/job.ts';
import type { SessionSummary } from '../../src-shared/model/session.ts';
import type { TurnRecord } from '../../src-shared/model/turn-envelope.ts';
import type { BenchDaemon } from '../../bench/daemon-process.ts';
import type { Conversation } from './conversation.ts';

export interface Findings {
  readonly turns: number;
  readonly checkpoints: number;
  readonly jobs: number;
  readonly dead: number;
  /** Acknowledged messages that are not there, or not as they were sent. */
  readonly lost: string[];
  /** Messages that are there twice, and turns that two checkpoints stand for. */
  readonly doubled: string[];
  /** Checkpoints and jobs that contradict themselves or each other. */
  readonly broken: string[];
}

/** Reads everything that a daemon holds and compares it with what it acknowledged. */
export async function checkStore(daemon: BenchDaemon, conversations: readonly Conversation[]): Promise<Findings> {
  const findings: Findings = { turns: 0, checkpoints: 0, jobs: 0, dead: 0, lost: [], doubled: [], broken: [] };
  const counts = { turns: 0, checkpoints: 0, jobs: 0, dead: 0 };
  for (const conversation of conversations) {
    const id = encodeURIComponent(conversation.session_id);
    const session = (await daemon.get(`/v1/sessions/${id}`)) as SessionSummary;
    const turns = await allOf<TurnRecord>(daemon, `/v1/sessions/${id}/turns?raw=true`);
    const checkpoints = await allOf<CheckpointRecord>(daemon, `/v1/sessions/${id}/checkpoints?`);
    counts.turns += turns.length;
    counts.checkpoints += checkpoints.length;
    checkTurns(conversation, turns, findings);
    checkCheckpoints(session, checkpoints, findings);
  }
  for (const { job_id: id, state } of await allOf<JobSummary>(daemon, '/v1/jobs?')) {
    counts.jobs += 1;
    if (state === 'dead') counts.dead += 1;
    checkJob((await daemon.get(`/v1/jobs/${id}`)) as JobDetail, findings);
  }
  return { ...findings, ...counts };
}

function checkTurns(
  conversation: Conversation,
  turns: readonly TurnRecord[],
  { lost, doubled, broken }: Findings,
): void {
  const stored = new Map<string, string[]>();
  turns.forEach(({ turn, advancement_key: key = '', raw }, index) => {
    if (turn.sequence !== index + 1) broken.push(`turn ${turn.turn_id} has the sequence ${turn.sequence}`);
    stored.set(key, [...(stored.get(key) ?? []), JSON.stringify(raw)]);
  });
  for (const { key, messages } of conversation.acknowledged) {
    const found = stored.get(key) ?? [];
    stored.delete(key);
    const sent = messages.map((message) => JSON.stringify(message));
    if (found.length > sent.length) doubled.push(`turn ${key}: ${found.length} messages instead of ${sent.length}`);
    else if (sent.some((text, index) => text !== found[index])) lost.push(`turn ${key}`);
  }
  for (const key of stored.keys()) doubled.push(`turn ${key} was never sent`);
}

function checkCheckpoints(
  session: SessionSummary,
  checkpoints: readonly CheckpointRecord[],
  { doubled, broken }: Findings,
): void {
  const byId = new Map(checkpoints.map((one) => [one.checkpoint_id, one]));
  if (session.checkpoint_count !== checkpoints.length) {
    broken.push(`${session.session_id} counts ${session.checkpoint_count} checkpoints and has ${checkpoints.length}`);
  }
  const standing = checkpoints
    .filter(({ state }) => state === 'stands')
    .sort((a, b) => a.source_turn_range.start_sequence - b.source_turn_range.start_sequence);
  let end = 0;
  for (const { checkpoint_id: id, source_turn_range: range } of standing) {
    if (range.start_sequence <= end) doubled.push(`${id} begins at ${range.start_sequence}, covered up to ${end}`);
    // Nothing was dissolved, so that what is covered has no holes.
    if (range.start_sequence > end + 1) broken.push(`${id} leaves a hole after turn ${end}`);
    end = Math.max(end, range.end_sequence);
  }
  for (const one of checkpoints) {
    const { checkpoint_id: id, source_turn_range: range, tokens_before: before, tokens_after: after } = one;
    if (after >= before || one.overview.trim() === '') broken.push(`${id} summarises nothing`);
    if (range.end_sequence > session.turn_count) broken.push(`${id} stands for turns that are not there`);
    const parents = one.parent_checkpoint_ids.map((parent) => byId.get(parent));
    if (one.level > 0 !== parents.length > 0)
      broken.push(`${id} has the level ${one.level} and ${parents.length} parents`);
    if (parents.some((parent) => parent?.ended_by !== id)) broken.push(`${id} does not stand for its parents`);
    const successor = one.ended_by === undefined ? undefined : byId.get(one.ended_by);
    if (one.state === 'folded' && !successor?.parent_checkpoint_ids.includes(id))
      broken.push(`${id} is folded into nothing`);
  }
}

function checkJob({ job_id: id, state, history, last_error: error }: JobDetail, { broken }: Findings): void {
  const succeeded = history.filter(({ outcome }) => outcome === 'succeeded').length;
  if (state === 'succeeded' ? succeeded !== 1 : succeeded > 0)
    broken.push(`job ${id} is ${state} after ${succeeded} ends`);
  if (state !== 'succeeded' && state !== 'dead') broken.push(`job ${id} is still ${state}`);
  if (state === 'dead' && !error) broken.push(`job ${id} died without a reason`);
}

async function allOf<T>(daemon: BenchDaemon, path: string): Promise<T[]> {
  const items: T[] = [];
  for (let cursor: string | undefined; ;) {
    const more = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const page = (await daemon.get(`${path}&limit=500${more}`.replace('?&', '?'))) as {
      readonly items: readonly T[];
      readonly next_cursor?: string;
    };
    items.push(...page.items);
    cursor = page.next_cursor;
    if (cursor === undefined) return items;
  }
}
