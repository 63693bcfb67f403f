import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { EngineError } from '../../src-shared/model/engine-error.ts';
import { memoryMcpTools, type MemoryMcpTool } from './memory-mcp-tools.ts';

/** Who asks through this server, for every call of it. */
export interface McpCaller {
  readonly user_id?: string | undefined;
  readonly agent_id?: string | undefined;
  readonly session_key?: string | undefined;
}

export interface McpServerParts {
  readonly version: string;
  readonly caller: McpCaller;
  /** Answers a route; the body was checked against its schema. @throws EngineError */
  readonly call: (route: MemoryMcpTool['route'], body: unknown, signal: AbortSignal) => Promise<unknown>;
  /** For what is no expected failure; the model is told only that it failed. */
  readonly onFailure: (tool: string, error: unknown) => void;
}

const instructions =
  'Long-term memory of this user, kept on this machine. Search it before you answer from memory, store what is worth keeping, and pass on what a tool says it did or did not do.';

/** The memory tools as an MCP server, over whatever transport it is connected to. */
export function createMcpServer(parts: McpServerParts): McpServer {
  const server = new McpServer({ name: 'strata', version: parts.version }, { instructions });
  for (const tool of memoryMcpTools) {
    server.registerTool(
      tool.name,
      {
        title: tool.title,
        description: tool.description,
        inputSchema: inputOf(tool),
        outputSchema: objectOf(tool.route.reply),
        annotations: {
          readOnlyHint: tool.readOnly,
          destructiveHint: tool.destructive,
          idempotentHint: tool.readOnly,
          openWorldHint: false,
        },
      },
      async (input: Record<string, unknown>, { signal }) => answer(tool, input, parts, signal),
    );
  }
  return server;
}

async function answer(
  tool: MemoryMcpTool,
  input: Record<string, unknown>,
  parts: McpServerParts,
  signal: AbortSignal,
): Promise<CallToolResult> {
  try {
    const body = tool.route.body.parse({ ...input, ...callerOf(tool, parts.caller) });
    const { text, data } = tool.read(await parts.call(tool.route, body, signal));
    return { content: [{ type: 'text', text }], structuredContent: data };
  } catch (error) {
    if (!(error instanceof EngineError)) parts.onFailure(tool.name, error);
    const text =
      error instanceof EngineError
        ? `${error.code}: ${error.message}`
        : 'internal: The tool failed; nothing was changed by it. The log of the daemon says why.';
    return { isError: true, content: [{ type: 'text', text }] };
  }
}

/** What the route knows of the caller; unknown fields are refused by nobody, but would say nothing. */
function callerOf({ route, hidden }: MemoryMcpTool, caller: McpCaller): Record<string, string> {
  const known = objectOf(route.body).shape;
  const entries = Object.entries(caller).filter(
    ([name, value]) => value !== undefined && name in known && name in hidden,
  );
  return Object.fromEntries(entries);
}

function inputOf({ route, hidden }: MemoryMcpTool): z.ZodObject {
  const shape = Object.entries(objectOf(route.body).shape).filter(([name]) => !(name in hidden));
  return z.strictObject(Object.fromEntries(shape));
}

function objectOf(schema: z.ZodType): z.ZodObject {
  if (schema instanceof z.ZodObject) return schema;
  throw new EngineError('internal', 'A route that is a tool takes and answers objects.');
}
