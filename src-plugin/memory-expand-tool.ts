import { memoryExpandRoute } from './daemon/plugin-routes.ts';
import type { HostTool } from './host-types.ts';
import type { PluginRuntime } from './plugin-runtime.ts';

const timeoutMs = 10_000;

/** The agent's way from a summary back to the raw turns it stands for. */
export function memoryExpandTool(runtime: PluginRuntime): HostTool {
  return {
    name: 'memory_expand',
    label: 'Expand memory',
    description:
      'Read the original conversation turns behind a summary. Give the uri that the summary names; add words in query to find the turns about them, or from_sequence to read on.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['uri'],
      properties: {
        uri: { type: 'string', description: 'The strata:// uri of a checkpoint, a session or a turn' },
        query: { type: 'string', description: 'Words to look for' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most turns to return' },
        from_sequence: { type: 'integer', minimum: 1, description: 'next_sequence of the answer before' },
      },
    },
    catalogMode: 'direct-only',
    async execute(_toolCallId, params, signal) {
      const request = readParams(params);
      const body = { limit: runtime.config.memoryExpandMaxResults, ...request };
      const result = await runtime.link.call(memoryExpandRoute, body, { timeoutMs, signal });
      // The host's contract: a tool reports its failure by throwing.
      if (!result.ok) throw new Error(`memory_expand failed: ${result.failure.message}`);
      return { content: [{ type: 'text', text: JSON.stringify(result.reply) }], details: {} };
    },
  };
}

interface ExpandParams {
  uri: string;
  query?: string;
  limit?: number;
  from_sequence?: number;
}

function readParams(params: unknown): ExpandParams {
  const given = typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
  const { uri, query, limit, from_sequence: from } = given;
  if (typeof uri !== 'string' || uri === '')
    throw new Error('memory_expand needs uri, a strata:// address from a summary');
  return {
    uri,
    ...(typeof query === 'string' && query.trim() !== '' ? { query } : {}),
    ...(typeof limit === 'number' && limit >= 1 ? { limit: Math.min(100, Math.floor(limit)) } : {}),
    ...(typeof from === 'number' && from >= 1 ? { from_sequence: Math.floor(from) } : {}),
  };
}
