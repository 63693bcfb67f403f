import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createMcpServer, type McpCaller } from '../../mcp/create-mcp-server.ts';
import { productVersion } from '../../product-version.ts';
import type { CliContext } from '../cli-context.ts';

export interface McpOptions {
  readonly user?: string;
  readonly agent?: string;
  readonly sessionKey?: string;
}

/**
 * Serves the memory tools over standard input and output until the input ends. The daemon answers; when it is restarted,
 * the next call finds it.
 */
export async function mcpCommand(context: CliContext, options: McpOptions): Promise<void> {
  const caller: McpCaller = { user_id: options.user, agent_id: options.agent, session_key: options.sessionKey };
  const server = createMcpServer({
    version: productVersion,
    caller,
    call: async (route, body, signal) => context.client.call(route, { body }, { signal }),
    // Standard output belongs to the protocol.
    onFailure: (tool, error) => context.note(`${tool}: ${error instanceof Error ? error.message : String(error)}`),
  });
  const transport = new StdioServerTransport();
  const ended = new Promise<void>((resolve) => {
    transport.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  await server.connect(transport);
  await ended;
  await server.close();
}
