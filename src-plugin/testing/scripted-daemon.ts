import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { z } from 'zod';
import { errorStatus, type ErrorCode } from '../../src-shared/model/engine-error.ts';
import type { HostMessage, MessageOrRef } from '../../src-shared/protocol/host-message.ts';
import { routes } from '../../src-shared/protocol/routes.ts';
import { messageKey } from '../messages/message-key.ts';

export interface SeenCall {
  readonly path: string;
  readonly body: Record<string, unknown>;
}

/** `later` never answers; a string is sent as it is; an error code is answered in the error form. */
export type ScriptedAnswer =
  | { error: ErrorCode; details?: Record<string, unknown> }
  | { reply: unknown }
  | { text: string; status?: number }
  | 'later';

type Script = (body: Record<string, unknown>, path: string) => ScriptedAnswer | undefined;

/**
 * A daemon on loopback that speaks the protocol: it checks every request with the protocol's own schemas, knows which
 * bodies it was sent, and answers sensibly unless a test scripts something else.
 */
export class ScriptedDaemon {
  readonly dataDir: string;
  /** Calls that were accepted by the schemas, in order. */
  readonly calls: SeenCall[] = [];
  /** What was wrong with the requests that were not. */
  readonly complaints: string[] = [];
  readonly knownBodies = new Map<string, HostMessage>();
  token = 'token-1';
  /** Runs before a wrong token is refused. */
  onUnauthorized: () => void = () => undefined;
  #scripts = new Map<string, Script>();
  #server: Server | undefined;
  #port = 0;

  private constructor(dataDir: string) {
    this.dataDir = dataDir;
  }

  static async start(): Promise<ScriptedDaemon> {
    const daemon = new ScriptedDaemon(await mkdtemp(join(tmpdir(), 'strata-plugin-')));
    await daemon.up();
    return daemon;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Starts listening and publishes address and token, as a real daemon does. */
  async up(): Promise<void> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const path = (request.url ?? '').split('?')[0] ?? '';
        const answer = this.#answer(
          request.method ?? '',
          path,
          request.headers.authorization,
          Buffer.concat(chunks).toString(),
        );
        if (answer === 'later') return;
        const [status, text] = written(answer);
        response.writeHead(status, { 'content-type': 'application/json' }).end(text);
      });
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    await this.publish({ pid: process.pid });
  }

  async publish(endpoint: { pid: number; url?: string }): Promise<void> {
    const content = { url: this.url, started_at: new Date(0).toISOString(), version: '0.0.0', ...endpoint };
    await writeFile(join(this.dataDir, 'endpoint.json'), JSON.stringify(content));
    await writeFile(join(this.dataDir, 'token'), `${this.token}\n`);
  }

  /** Stops answering at all, connections included. */
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  async remove(): Promise<void> {
    await this.down();
    await rm(this.dataDir, { recursive: true, force: true });
  }

  /** Answers a path by script; undefined from the script means the ordinary answer. */
  script(path: string, script: Script): void {
    this.#scripts.set(path, script);
  }

  unscript(path: string): void {
    this.#scripts.delete(path);
  }

  bodiesOf(path: string): Record<string, unknown>[] {
    return this.calls.filter((call) => call.path === path).map(({ body }) => body);
  }

  #answer(method: string, path: string, authorization: string | undefined, text: string): ScriptedAnswer {
    const route = routes.find((candidate) => candidate.method === method && candidate.path === path);
    if (route === undefined) return { error: 'not_found' };
    if (route.auth === 'token' && authorization !== `Bearer ${this.token}`) {
      this.onUnauthorized();
      return { error: 'unauthorized' };
    }
    const given: unknown = text === '' ? {} : JSON.parse(text);
    const parsed = (route.body as z.ZodType).safeParse(given);
    if (!parsed.success) {
      this.complaints.push(`${path}: ${parsed.error.message}`);
      return { error: 'invalid_request' };
    }
    const body = given as Record<string, unknown>;
    const scripted = this.#scripts.get(path)?.(body, path);
    if (scripted !== undefined) return scripted;
    const unknown = this.#learn(body);
    if (unknown.length > 0) return { error: 'unknown_messages', details: { indexes: unknown } };
    this.calls.push({ path, body });
    return { reply: this.#ordinaryReply(path, body) };
  }

  /** @returns positions of references to bodies that were never sent */
  #learn(body: Record<string, unknown>): number[] {
    const messages = (body['messages'] ?? []) as MessageOrRef[];
    const unknown: number[] = [];
    messages.forEach((message, position) => {
      if ('ref' in message && typeof message.ref === 'string' && !('role' in message)) {
        if (!this.knownBodies.has(message.ref)) unknown.push(position);
      }
    });
    if (unknown.length > 0) return unknown;
    for (const message of messages) if ('role' in message) this.knownBodies.set(messageKey(message), message);
    return [];
  }

  #ordinaryReply(path: string, body: Record<string, unknown>): unknown {
    const messages = (body['messages'] ?? []) as MessageOrRef[];
    const indexes = (body['indexes'] as number[] | undefined) ?? messages.map((_, index) => index);
    const stored = { turn_ids: messages.map((_, index) => `t${index}`), stored: messages.length };
    switch (path) {
      case '/health':
        return { ready: true, version: '0.0.0', host: { link: 'active' }, alarms: [] };
      case '/v1/assemble':
        return { call_id: 'call-1', plan: indexes.map((host) => ({ host })), estimated_tokens: 10 };
      case '/v1/commit-turn':
      case '/v1/after-turn':
        return { status: 'committed', ...stored };
      case '/v1/ingest':
      case '/v1/bootstrap':
        return { imported: messages.length, skipped: 0, turn_ids: [], session_uid: 'u', epoch: 0, last_sequence: 0 };
      case '/v1/compact':
        return { ok: true, compacted: true, tokens_before: 100, tokens_after: 40, checkpoint_id: 'c1' };
      case '/v1/session-end':
        return { accepted: true, epoch: 1 };
      default:
        return { accepted: true, changed: false };
    }
  }
}

function written(answer: Exclude<ScriptedAnswer, 'later'>): [number, string] {
  if ('text' in answer) return [answer.status ?? 200, answer.text];
  if ('reply' in answer) return [200, JSON.stringify(answer.reply)];
  const error = { code: answer.error, message: `scripted ${answer.error}`, details: answer.details };
  return [errorStatus[answer.error], JSON.stringify({ ok: false, error })];
}
