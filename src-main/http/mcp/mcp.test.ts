import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { MemoryRecallReply, MemoryStoreReply } from '../../../src-shared/protocol/memory-tools.ts';
import { startHost, type Host } from '../../host.ts';
import { productVersion } from '../../product-version.ts';
import { repositoryRoot } from '../../repository-root.ts';

let home = '';
let host: Host;
const clients: Client[] = [];

async function connect(open: (client: Client) => Promise<void>): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await open(client);
  clients.push(client);
  return client;
}

const overHttp = async (query = ''): Promise<Client> =>
  connect(async (client) => {
    const requestInit = { headers: { Authorization: `Bearer ${host.token}` } };
    // The SDK's own transport says `sessionId?: string`, its interface `sessionId: string | undefined`.
    const transport = new StreamableHTTPClientTransport(new URL(`${host.url}/mcp${query}`), { requestInit });
    await client.connect(transport);
  });

const overStdio = async (...args: string[]): Promise<Client> =>
  connect(async (client) => {
    const strata = join(repositoryRoot(), 'src-main/cli/main.ts');
    const env = { PATH: process.env['PATH'] ?? '', STRATA_HOME: join(home, 'data'), HOME: home };
    await client.connect(new StdioClientTransport({ command: process.execPath, args: [strata, 'mcp', ...args], env }));
  });

function textOf(result: Awaited<ReturnType<Client['callTool']>>): string {
  const content = result.content as { type: string; text: string }[];
  return content.map(({ text }) => text).join('\n');
}

async function send(init: RequestInit, path = 'mcp'): Promise<Response> {
  const headers = {
    ...{ Authorization: `Bearer ${host.token}`, 'Content-Type': 'application/json' },
    Accept: 'application/json, text/event-stream',
  };
  return fetch(`${host.url}/${path}`, { method: 'POST', ...init, headers: { ...headers, ...init.headers } });
}

const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'strata-mcp-'));
  const page = join(home, 'data/workspace/companies/northwind.md');
  await mkdir(dirname(page), { recursive: true });
  await writeFile(page, '# Northwind\n\nNorthwind trades in tulip bulbs from a warehouse in Rotterdam.\n');
  host = await startHost({ dataDir: join(home, 'data'), port: 0, mode: 'headless', version: productVersion });
  // The watcher and the index follow by themselves.
  await vi.waitFor(async () => expect(await search('tulip bulbs warehouse')).toContain('northwind'), 15_000);
});

async function search(query: string): Promise<string> {
  const reply = await send({ body: JSON.stringify({ query }) }, 'v1/tools/memory_recall');
  return ((await reply.json()) as MemoryRecallReply).text;
}

afterAll(async () => {
  await Promise.all(clients.map(async (client) => client.close()));
  await host.close();
  await rm(home, { recursive: true, force: true });
});

describe.each([
  ['streamable HTTP', overHttp],
  ['stdio', overStdio],
])('the MCP server over %s', (_, open) => {
  let client: Client;
  beforeAll(async () => {
    client = await open();
  });

  it('lists the four tools, and no field by which a model could read as somebody else', async () => {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(['memory_recall', 'memory_store', 'memory_forget', 'memory_expand']);
    const fields = tools.flatMap(({ inputSchema }) => Object.keys(inputSchema.properties ?? {}));
    expect(fields).toContain('query');
    expect(fields).not.toContain('user_id');
    expect(fields).not.toContain('session_key');
    expect(tools.find(({ name }) => name === 'memory_forget')?.annotations?.destructiveHint).toBe(true);
  });

  it('recalls, as text and as data', async () => {
    const arguments_ = { query: 'Where is the warehouse for tulip bulbs?' };
    const result = await client.callTool({ name: 'memory_recall', arguments: arguments_ });
    expect(textOf(result)).toContain('strata://resources/companies/northwind');
    const { result: found } = result.structuredContent as MemoryRecallReply;
    expect(found.candidates.map(({ packed }) => packed)).toEqual([true]);
  });

  it('says that memory holds nothing, instead of something near', async () => {
    const arguments_ = { query: 'zygomorphic quaternions' };
    const result = await client.callTool({ name: 'memory_recall', arguments: arguments_ });
    expect(textOf(result)).toMatch(/^Memory holds nothing/);
    expect(result.isError).toBeUndefined();
  });

  it('answers a failure of the daemon with its code and message', async () => {
    const result = await client.callTool({ name: 'memory_expand', arguments: { uri: 'strata://nothing' } });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^invalid_request: Expected a URI/);
  });

  it('refuses input that no schema allows', async () => {
    const result = await client.callTool({ name: 'memory_recall', arguments: { query: '' } });
    expect(result.isError).toBe(true);
    const other = await client.callTool({ name: 'memory_recall', arguments: { query: 'x', user_id: 'eve' } });
    expect(other.isError).toBe(true);
  });
});

describe('what an agent stores by MCP', () => {
  it('is on disk when the answer says so, and is forgotten by words', async () => {
    const client = await overHttp();
    const text = 'Remember: I prefer window seats on trains.';
    const stored = await client.callTool({ name: 'memory_store', arguments: { text } });
    const { stored: pages } = stored.structuredContent as MemoryStoreReply;
    expect(pages.length).toBe(1);
    const forgotten = await client.callTool({ name: 'memory_forget', arguments: { uri: pages[0]?.uri ?? '' } });
    expect(forgotten.isError).toBeUndefined();
    const secret = await client.callTool({
      name: 'memory_store',
      arguments: { text: 'Remember my key: sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEF' },
    });
    expect((secret.structuredContent as MemoryStoreReply).stored).toEqual([]);
  });

  it('belongs to the user that the client was set up for', async () => {
    const client = await overHttp('?user_id=eve');
    const arguments_ = { text: 'Remember: I always drink lapsang tea at noon.' };
    const stored = await client.callTool({ name: 'memory_store', arguments: arguments_ });
    expect((stored.structuredContent as MemoryStoreReply).stored[0]?.uri).toMatch(/^strata:\/\/user\/eve\//);
  });
});

describe('the door of MCP', () => {
  it('is shut without the token, for other hosts and for pages of other origins', async () => {
    expect((await send({ body: list, headers: { Authorization: 'Bearer wrong' } })).status).toBe(401);
    expect((await send({ body: list, headers: { Origin: 'https://evil.example' } })).status).toBe(403);
    expect((await send({ body: list })).status).toBe(200);
  });

  it('offers no streams and keeps no sessions', async () => {
    const reply = await send({ method: 'GET' });
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await send({ body: list })).headers.get('mcp-session-id')).toBeNull();
  });

  it('refuses what is no JSON, too long, or asked by an unknown setting', async () => {
    expect((await send({ body: '{' })).status).toBe(400);
    expect((await send({ body: `"${'x'.repeat(3_000_000)}"` })).status).toBe(413);
    expect((await send({ body: list }, 'mcp?acount=1')).status).toBe(400);
  });
});

describe('strata mcp', () => {
  it('ends when its input ends', async () => {
    const strata = join(repositoryRoot(), 'src-main/cli/main.ts');
    const env = { PATH: process.env['PATH'], STRATA_HOME: join(home, 'data'), HOME: home };
    const child = spawn(process.execPath, [strata, 'mcp'], { env, stdio: ['pipe', 'ignore', 'inherit'] });
    child.stdin.end();
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
  });

  it('says what to do when no daemon runs', async () => {
    const client = await overStdio('--data-dir', join(home, 'empty'));
    const result = await client.callTool({ name: 'memory_recall', arguments: { query: 'x' } });
    expect(textOf(result)).toMatch(/^daemon_unreachable: No daemon runs on .*npm start/);
  });
});
