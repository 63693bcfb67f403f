import { memoryForgetRoute, memoryRecallRoute, memoryStoreRoute, type PluginRoute } from '../daemon/plugin-routes.ts';
import type { HostTool, HostToolContext } from '../host-types.ts';
import type { PluginRuntime } from '../plugin-runtime.ts';
import { sessionIdentity } from '../session-identity.ts';
import { ToolParams } from './tool-params.ts';

/** A search may wait for a slow disk; a write waits for judgement and the disk (ms). */
const recallMs = 8_000;
const writeMs = 20_000;

type Fields = Readonly<Record<string, unknown>>;

/** The agent's ways to its own memory. What they answer is what the daemon says happened, and no more. */
export function memoryTools(runtime: PluginRuntime, context: HostToolContext): readonly HostTool[] {
  return [recallTool(runtime, context), storeTool(runtime, context), forgetTool(runtime, context)];
}

export const memoryToolNames = ['memory_recall', 'memory_store', 'memory_forget'] as const;

function recallTool(runtime: PluginRuntime, context: HostToolContext): HostTool {
  return tool({
    name: 'memory_recall',
    label: 'Recall memory',
    description:
      'Search long-term memory: what the user told, decided and prefers, earlier conversations, and notes. Give a question or words in query. Each result has a strata:// uri that memory_expand reads whole.',
    required: ['query'],
    properties: {
      query: { type: 'string', description: 'What to look for, as a question or in words' },
      limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Most results; 6 without it' },
      max_tokens: { type: 'integer', minimum: 50, maximum: 50_000, description: 'Size of the answer; 2000 without it' },
      kinds: {
        type: 'array',
        items: { type: 'string' },
        description: 'Only memories of these kinds, such as preference',
      },
    },
    run: (params, signal) => {
      const query = params.text('query');
      if (query === undefined) throw new Error('memory_recall needs query: a question, or words to look for');
      const body = {
        ...callerOf(runtime, context),
        query: query.slice(0, 10_000),
        ...defined('limit', params.whole('limit', 1, 50) ?? runtime.config.recall.limit),
        ...defined('max_tokens', params.whole('max_tokens', 50, 50_000)),
        ...defined('kinds', params.texts('kinds')),
      };
      return ask(runtime, 'memory_recall', memoryRecallRoute, body, { timeoutMs: recallMs, signal });
    },
  });
}

function storeTool(runtime: PluginRuntime, context: HostToolContext): HostTool {
  return tool({
    name: 'memory_store',
    label: 'Remember',
    description:
      'Remember something for good: a preference, a decision, a fact about the user or a rule of the project, as a whole sentence. The answer says what was stored and where, or why it was not. Do not store keys, passwords, or what the code says anyway.',
    required: ['text'],
    properties: {
      text: { type: 'string', description: 'What to remember, in whole sentences that are understood by themselves' },
      kind: {
        type: 'string',
        description: 'profile, preference, entity, event, case, pattern or skill, where it is clear',
      },
      title: { type: 'string', description: 'A name for it' },
      tags: { type: 'array', items: { type: 'string' } },
    },
    run: (params, signal) => {
      const text = params.text('text');
      if (text === undefined) throw new Error('memory_store needs text: what to remember, in a whole sentence');
      const body = {
        ...callerOf(runtime, context),
        text: text.slice(0, 100_000),
        ...defined('kind', params.text('kind')),
        ...defined('title', params.text('title')),
        ...defined('tags', params.texts('tags')),
      };
      return ask(runtime, 'memory_store', memoryStoreRoute, body, { timeoutMs: writeMs, signal, writes: true });
    },
  });
}

function forgetTool(runtime: PluginRuntime, context: HostToolContext): HostTool {
  return tool({
    name: 'memory_forget',
    label: 'Forget',
    description:
      'Let a memory stand no longer, when it is wrong or the user asks for it. Give its uri, or words in query; words that fit several memories are answered with those. It can be undone by the user.',
    required: [],
    properties: {
      uri: { type: 'string', description: 'The strata:// uri of the memory' },
      query: { type: 'string', description: 'Words that find it, where the uri is not known' },
      reason: { type: 'string', description: 'Why' },
    },
    run: (params, signal) => {
      const uri = params.text('uri');
      const query = params.text('query');
      if (uri === undefined && query === undefined) throw new Error('memory_forget needs uri or query');
      const body = {
        ...callerOf(runtime, context),
        ...defined('uri', uri),
        ...defined('query', query),
        ...defined('reason', params.text('reason')?.slice(0, 1_000)),
      };
      return ask(runtime, 'memory_forget', memoryForgetRoute, body, { timeoutMs: writeMs, signal, writes: true });
    },
  });
}

interface Definition extends Pick<HostTool, 'name' | 'label' | 'description'> {
  readonly required: readonly string[];
  readonly properties: Record<string, unknown>;
  readonly run: (params: ToolParams, signal: AbortSignal | undefined) => Promise<string>;
}

function tool({ name, label, description, required, properties, run }: Definition): HostTool {
  return {
    ...{ name, label, description },
    parameters: { type: 'object', additionalProperties: false, required: [...required], properties },
    catalogMode: 'direct-only',
    execute: async (_toolCallId, params, signal) => ({
      content: [{ type: 'text', text: await run(new ToolParams(params), signal) }],
      details: {},
    }),
  };
}

interface Asking {
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly writes?: boolean;
}

/** The host's contract: a tool reports its failure by throwing. */
async function ask<Body>(
  { link }: PluginRuntime,
  name: string,
  route: PluginRoute<Body, Fields>,
  body: Body,
  { timeoutMs, signal, writes }: Asking,
): Promise<string> {
  const result = await link.call(route, body, { timeoutMs, signal, mayBeSlow: true });
  if (result.ok) {
    const { text } = result.reply;
    return typeof text === 'string' ? text : JSON.stringify(result.reply);
  }
  const { kind, message } = result.failure;
  const unknown = writes === true && kind === 'timeout';
  const what = unknown
    ? 'It is not known whether it was done: look with memory_recall before you try again'
    : writes === true
      ? 'Nothing was changed'
      : 'Memory was not searched, which does not mean that it holds nothing';
  throw new Error(`${name} failed. ${what}. ${message}`);
}

/** Whose memory it is, and who listens: the daemon decides by the session's key what may be seen. */
export function callerOf(runtime: PluginRuntime, { sessionKey, sessionId, agentId }: HostToolContext) {
  const known = sessionId ?? runtime.shared.sessionIds.get(sessionKey ?? '');
  const { session_id: _id, ...identity } = sessionIdentity(
    { sessionId: known ?? '', sessionKey },
    agentId ?? runtime.config.agentId,
  );
  return { ...identity, ...(known === undefined ? {} : { session_id: known }) };
}

function defined<K extends string, V>(name: K, value: V | undefined): { readonly [key in K]?: V } {
  // One key with its value, or none: the compiler does not narrow computed keys.
  return (value === undefined ? {} : { [name]: value }) as { readonly [key in K]?: V };
}
