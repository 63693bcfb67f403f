import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { Context } from 'hono';
import { z } from 'zod';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { invalidRequest } from '../error-reply.ts';
import { readJsonBody } from '../read-json-body.ts';
import { apiHeaders } from '../security-headers.ts';
import { createMcpServer, type McpServerParts } from '../../mcp/create-mcp-server.ts';

/** Who asks, in the address that a client is set up with: `/mcp?agent_id=main`. */
const callerSchema = z.strictObject({
  user_id: z.string().min(1).max(1_000).optional(),
  agent_id: z.string().min(1).max(1_000).optional(),
  session_key: z.string().max(1_000).optional(),
});

export interface McpDoorParts extends Omit<McpServerParts, 'caller'> {
  readonly bodyLimit: number;
}

/**
 * MCP over streamable HTTP, one exchange per request: there is no session to keep, to time out or to steal, and a daemon
 * that was restarted answers as before. Streams from the server, which nothing here needs, are not offered (405).
 */
export function createMcpDoor(parts: McpDoorParts): (context: Context) => Promise<Response> {
  return async (context) => {
    if (context.req.method !== 'POST') {
      context.header('Allow', 'POST');
      throw new EngineError('method_not_allowed', `Expected POST, got ${context.req.method.slice(0, 20)}.`);
    }
    const caller = callerSchema.safeParse(context.req.query());
    if (!caller.success) throw invalidRequest('query', caller.error.issues);
    const parsedBody = await readJsonBody(context.req.raw, parts.bodyLimit);
    const server = createMcpServer({ ...parts, caller: caller.data });
    const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
    try {
      await server.connect(transport);
      const response = await transport.handleRequest(context.req.raw, { parsedBody });
      const text = await response.text();
      const headers = { ...apiHeaders, 'Content-Type': response.headers.get('content-type') ?? 'application/json' };
      return new Response(text === '' ? null : text, { status: response.status, headers });
    } finally {
      await server.close();
    }
  };
}
