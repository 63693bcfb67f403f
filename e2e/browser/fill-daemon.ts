import { awkward, exchange, type Message } from './conversation.ts';
import type { DaemonApi } from './daemon-api.ts';

export interface Filled {
  /** Session with some thousand turns, checkpoints and calls. */
  readonly long: Conversation;
  readonly awkward: Conversation;
  readonly reset: Conversation;
  readonly degraded: Conversation;
  /** No conversation: the host keeps it for itself, and called for it last. */
  readonly internal: Conversation;
}

export interface Conversation {
  readonly session_id: string;
  readonly session_key: string;
}

const model = 'anthropic/claude-sonnet-5';

/** Puts what a few weeks of use leave behind into a daemon, through its own routes. */
export async function fillDaemon(api: DaemonApi, longTurns: number): Promise<Filled> {
  const start = Date.now() - 6 * 86_400_000;
  const registered = { type: 'plugin_registered', host_version: '2026.9.6', plugin_version: '0.1.0' };
  await api.post('/v1/host-events', { events: [registered] });
  for (let index = 0; index < 24; index += 1) await fillSmall(api, index, start + index * 3_600_000);
  const degraded = await fillDegraded(api, start + 4 * 86_400_000);
  const reset = await fillReset(api, start + 5 * 86_400_000);
  const awkwardOne = await fillAwkward(api, start + 5.5 * 86_400_000);
  const long = await fillLong(api, longTurns, start);
  const internal = await fillInternal(api);
  return { long, awkward: awkwardOne, reset, degraded, internal };
}

/** One assemble call as the plugin makes it, and the provider's report afterwards. */
export async function assembleOnce(
  api: DaemonApi,
  who: Conversation,
  options: { budget: number; prompt: string; usage?: number; deadline?: number; messages?: readonly Message[] },
): Promise<string> {
  const reply = await api.post('/v1/assemble', {
    ...who,
    format: 'openclaw',
    messages: options.messages ?? [],
    history: 'window',
    token_budget: options.budget,
    prompt: options.prompt,
    model,
    ...(options.deadline === undefined ? {} : { deadline_ms: options.deadline }),
  });
  const run = `run of ${String(reply['call_id'])}`;
  const events: unknown[] = [{ type: 'turn_seen', ...who, run_id: run }];
  if (options.usage !== undefined) {
    const estimated = Number(reply['estimated_tokens']);
    const prompt = Math.round(estimated * options.usage) + 3_100;
    events.push({ type: 'usage', ...who, run_id: run, model, input: 420, cache_read: prompt - 420, output: 388 });
  }
  await api.post('/v1/host-events', { events });
  return String(reply['call_id']);
}

async function fillLong(api: DaemonApi, turns: number, start: number): Promise<Conversation> {
  const who = { session_id: '8f1c2a44-5f0e-4b51-9d1a-2a1f6f0c7d11', session_key: 'agent:main:main' };
  let index = 0;
  let stored = 0;
  while (stored < turns) {
    const batch: Message[] = [];
    while (batch.length < 400) batch.push(...exchange(index, start + index++ * 120_000));
    await api.post('/v1/ingest', { ...who, format: 'openclaw', messages: batch });
    stored += batch.length;
    if (index % 3 === 0) await compact(api, who, 64_000);
  }
  await compact(api, who, 48_000);
  for (let call = 0; call < 14; call += 1) {
    const at = Date.now() - (14 - call) * 60_000;
    const messages = exchange(index, at);
    await api.post('/v1/commit-turn', {
      ...who,
      advancement_key: `adv-${index}`,
      format: 'openclaw',
      messages,
      token_budget: 64_000,
      model,
      is_heartbeat: call === 5,
    });
    index += 1;
    const prompt = 'What did we decide about the port of the staging proxy?';
    const usage = call % 4 === 3 ? {} : { usage: 1.02 };
    await assembleOnce(api, who, { budget: call < 9 ? 64_000 : 24_000, prompt, ...usage });
  }
  return who;
}

async function compact(api: DaemonApi, who: Conversation, budget: number): Promise<void> {
  await api.post('/v1/compact', { ...who, token_budget: budget, force: true, trigger: 'manual' });
}

/** What a host does behind a conversation; as it does for each request, it asks twice, and one call is not sent. */
async function fillInternal(api: DaemonApi): Promise<Conversation> {
  const key = `agent:main:internal-session-effects:${'c66d3d15-62dc-4c0c-ab76-16823da1852a-'.repeat(4)}b5d1`;
  const who = { session_id: 'internal-1', session_key: key };
  const messages = exchange(1, Date.now());
  for (const usage of [{}, { usage: 1.1 }]) {
    await assembleOnce(api, who, { budget: 32_000, prompt: 'Review the skills', messages, ...usage });
  }
  return who;
}

async function fillReset(api: DaemonApi, start: number): Promise<Conversation> {
  const who = { session_id: 'c0ffee00-0000-4000-8000-000000000001', session_key: 'agent:main:telegram:direct:4471' };
  for (let index = 0; index < 6; index += 1) await commit(api, who, index, start + index * 60_000);
  await assembleOnce(api, who, { budget: 32_000, prompt: 'Before the reset', usage: 1.1 });
  await api.post('/v1/session-end', { ...who, reason: 'reset' });
  for (let index = 6; index < 9; index += 1) await commit(api, who, index, start + index * 60_000);
  await assembleOnce(api, who, { budget: 32_000, prompt: 'After the reset', usage: 1.04 });
  return who;
}

async function fillDegraded(api: DaemonApi, start: number): Promise<Conversation> {
  const who = { session_id: 'deadbeef-0000-4000-8000-000000000002', session_key: 'agent:ops:cron:nightly-report' };
  for (let index = 0; index < 40; index += 1) await commit(api, who, index, start + index * 60_000);
  const messages = Array.from({ length: 60 }, (_, index) => exchange(index + 900, start)).flat();
  await assembleOnce(api, who, { budget: 16_000, prompt: 'Report', deadline: 1, messages });
  return who;
}

async function fillAwkward(api: DaemonApi, start: number): Promise<Conversation> {
  const who = { session_id: '会话-7', session_key: 'agent:研究:webchat:👩‍🔬 lab' };
  const huge = {
    role: 'user',
    content: `Here is the log:\n${'0123456789abcdef lease lost after 29.8 s\n'.repeat(5_000)}`,
  };
  const excluded = {
    role: 'bashExecution',
    command: 'ls -la',
    output: 'total 0',
    exitCode: 0,
    excludeFromContext: true,
  };
  const messages = [...awkward, huge, excluded].map((message, index) => ({
    ...message,
    timestamp: start + index * 1_000,
  }));
  await api.post('/v1/commit-turn', { ...who, advancement_key: 'adv-1', format: 'openclaw', messages });
  await assembleOnce(api, who, { budget: 4_000, prompt: '为什么？', usage: 1.2 });
  await assembleOnce(api, who, { budget: 200_000, prompt: 'Read the log, please', usage: 1.01 });
  return who;
}

async function fillSmall(api: DaemonApi, index: number, start: number): Promise<void> {
  const agents = ['main', 'research', 'ops', 'family'];
  const agent = agents[index % agents.length] ?? 'main';
  const who = { session_id: `small-${index}`, session_key: `agent:${agent}:discord:channel:${40_000 + index * 17}` };
  for (let turn = 0; turn < 1 + (index % 4); turn += 1) await commit(api, who, index + turn, start + turn * 60_000);
  if (index % 2 === 0) await assembleOnce(api, who, { budget: 128_000, prompt: 'Good morning', usage: 1.05 });
}

async function commit(api: DaemonApi, who: Conversation, index: number, at: number): Promise<void> {
  await api.post('/v1/commit-turn', {
    ...who,
    advancement_key: `adv-${index}`,
    format: 'openclaw',
    messages: exchange(index, at),
    model,
  });
}
