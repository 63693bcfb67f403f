import { memoryExpandRoute, type MemoryExpandBody } from './daemon/plugin-routes.ts';
import type { HostTool, HostToolContext } from './host-types.ts';
import type { PluginRuntime } from './plugin-runtime.ts';
import { callerOf } from './tools/memory-tools.ts';

const timeoutMs = 10_000;
/** Share of the time that waiting requests may take: the whole of a result may be among them. */
const spoolShare = 0.3;

/** The agent's way from a summary or a synopsis back to what it stands for. */
export function memoryExpandTool(runtime: PluginRuntime, context: HostToolContext = {}): HostTool {
  return {
    name: 'memory_expand',
    label: 'Expand memory',
    description:
      'Read what a summary, a synopsis or a memory stands for: the original conversation turns, a large tool result that is stored whole, or a memory page with its sources. Give the strata:// uri that it names. Add words in query to find what is about them, or range to read a part of one tool result or turn. An answer that goes on has next_cursor: ask again with it as cursor, everything else the same.',
    parameters: {
      type: 'object',
      additionalProperties: false,
      required: ['uri'],
      properties: {
        uri: {
          type: 'string',
          description: 'The strata:// uri of a checkpoint, a session, a turn, a tool result or a memory',
        },
        query: { type: 'string', description: 'Words to look for; the best matches come first' },
        limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most turns or passages to return' },
        range: {
          type: 'string',
          pattern: rangePattern.source,
          description: 'A part of one turn or tool result: "lines 10-80" or "characters 1-4000"',
        },
        max_tokens: {
          type: 'integer',
          minimum: 100,
          maximum: 100_000,
          description: 'Size of the answer; 3000 without it',
        },
        cursor: { type: 'string', description: 'next_cursor of the answer before' },
        from_sequence: { type: 'integer', minimum: 1, description: 'Number of the turn to begin at' },
      },
    },
    catalogMode: 'direct-only',
    async execute(_toolCallId, params, signal) {
      const request = readParams(params);
      const { session_id: _session, ...reader } = callerOf(runtime, context);
      const body = { ...reader, limit: runtime.config.memoryExpandMaxResults, ...request };
      await runtime.spool.deliver(timeoutMs * spoolShare);
      const result = await runtime.link.call(memoryExpandRoute, body, { timeoutMs, signal });
      // The host's contract: a tool reports its failure by throwing.
      if (!result.ok) throw new Error(`memory_expand failed: ${result.failure.message}`);
      return { content: [{ type: 'text', text: JSON.stringify(result.reply) }], details: {} };
    },
  };
}

const rangePattern = /^(lines|characters) [1-9]\d{0,11}-[1-9]\d{0,11}$/;

type ExpandParams = Omit<MemoryExpandBody, 'user_id'>;

/** Models fill in what they do not mean: empty texts and zeros count as left out. */
function readParams(params: unknown): ExpandParams {
  const given = typeof params === 'object' && params !== null ? (params as Readonly<Record<string, unknown>>) : {};
  const text = (name: string): string | undefined => {
    const value = given[name];
    return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
  };
  const whole = (name: string, min: number, max: number): number | undefined => {
    const value = given[name];
    return typeof value === 'number' && value >= 1 ? Math.min(max, Math.max(min, Math.floor(value))) : undefined;
  };
  const uri = text('uri');
  if (uri === undefined) throw new Error('memory_expand needs uri, a strata:// address from a summary or a synopsis');
  const range = text('range');
  if (range !== undefined && !rangePattern.test(range)) {
    throw new Error(
      `memory_expand takes a range such as "lines 10-80" or "characters 1-4000", not "${range.slice(0, 100)}"`,
    );
  }
  const query = text('query');
  const limit = whole('limit', 1, 100);
  const maxTokens = whole('max_tokens', 100, 100_000);
  const cursor = text('cursor');
  const from = whole('from_sequence', 1, Number.MAX_SAFE_INTEGER);
  return {
    uri,
    ...(query === undefined ? {} : { query }),
    ...(limit === undefined ? {} : { limit }),
    ...(range === undefined ? {} : { range }),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(from === undefined ? {} : { from_sequence: from }),
  };
}
