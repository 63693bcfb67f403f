import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PluginConfig } from '../plugin-config.ts';
import { failed, type DaemonResult } from './daemon-failure.ts';

export interface DaemonAddress {
  readonly url: string;
  readonly token: string | undefined;
  /** Changes when another daemon process takes over. */
  readonly instance: string;
}

const defaultPort = 7717;

/**
 * Finds the daemon: a configured `baseUrl` or `port`, else what the running daemon wrote into its data directory. Read
 * on every call, since a restarted daemon may have another port and token; two small files cost less than a mistake.
 */
export async function findDaemon(config: PluginConfig): Promise<DaemonResult<DaemonAddress>> {
  const token = config.apiKey ?? (config.mode === 'local' ? await readToken(config.dataDir) : undefined);
  if (config.baseUrl !== undefined)
    return { ok: true, reply: { url: config.baseUrl, token, instance: config.baseUrl } };
  if (config.mode === 'remote') {
    return failed({ kind: 'away', message: 'Mode "remote" needs baseUrl, and the plugin configuration has none' });
  }
  const endpoint = await readEndpoint(config.dataDir);
  if (config.port !== undefined || endpoint === undefined) {
    const url = `http://127.0.0.1:${config.port ?? defaultPort}`;
    return { ok: true, reply: { url, token, instance: url } };
  }
  if (!isLoopback(endpoint.url)) {
    return failed({
      kind: 'away',
      message: `endpoint.json in ${config.dataDir} names ${endpoint.url}; expected an address on this machine. Set baseUrl to use another one`,
    });
  }
  if (endpoint.pid !== undefined && !isRunning(endpoint.pid)) {
    return failed({
      kind: 'away',
      message: `The daemon of ${config.dataDir} is not running (it was process ${endpoint.pid})`,
    });
  }
  return { ok: true, reply: { url: endpoint.url, token, instance: endpoint.instance } };
}

interface Endpoint {
  readonly url: string;
  readonly pid: number | undefined;
  readonly instance: string;
}

async function readEndpoint(dataDir: string): Promise<Endpoint | undefined> {
  const text = await readText(join(dataDir, 'endpoint.json'));
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || !('url' in value) || typeof value.url !== 'string')
      return undefined;
    const pid = 'pid' in value && typeof value.pid === 'number' ? value.pid : undefined;
    return { url: value.url.replace(/\/+$/, ''), pid, instance: text };
  } catch {
    // Half written or damaged: as good as none, and the next call reads it again.
    return undefined;
  }
}

async function readToken(dataDir: string): Promise<string | undefined> {
  const token = (await readText(join(dataDir, 'token')))?.trim();
  return token === '' ? undefined : token;
}

async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch {
    // Not there or not readable: the call that needed it reports that the daemon is away or refused the token.
    return undefined;
  }
}

function isLoopback(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol } = new URL(url);
  return protocol === 'http:' && ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
