import { Agent, request as httpRequest } from 'node:http';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';

export interface HttpReply {
  readonly status: number;
  readonly text: string;
}

export interface HttpOrder {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly token: string | undefined;
  readonly body: string | undefined;
  readonly signal: AbortSignal;
}

const largestReplyBytes = 256 * 1024 * 1024;
const agents = { http: new Agent({ keepAlive: true, maxSockets: 16 }), https: new SecureAgent({ keepAlive: true }) };

/**
 * One request and its whole answer. Plain node:http on purpose: the host may have put a proxy or its own guards into
 * the global fetch, and neither belongs between the plugin and a daemon on the same machine.
 * @throws what the socket or the signal throws
 */
export async function exchange(order: HttpOrder): Promise<HttpReply> {
  try {
    return await once(order);
  } catch (error) {
    // The daemon closed an idle connection in the moment we used it: nothing was processed, so ask once more.
    if (error instanceof StaleConnection) return await once(order);
    throw error;
  }
}

class StaleConnection extends Error {}

function once(order: HttpOrder): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    const url = new URL(order.url);
    const secure = url.protocol === 'https:';
    const body = order.body === undefined ? undefined : Buffer.from(order.body, 'utf8');
    const headers: Record<string, string | number> = { accept: 'application/json' };
    if (order.token !== undefined) headers['authorization'] = `Bearer ${order.token}`;
    if (body !== undefined) {
      headers['content-type'] = 'application/json';
      headers['content-length'] = body.byteLength;
    }
    const options = { method: order.method, headers, signal: order.signal, agent: secure ? agents.https : agents.http };
    const request = (secure ? httpsRequest : httpRequest)(url, options, (response) => {
      const chunks: Buffer[] = [];
      let size = 0;
      response.on('data', (chunk: Buffer) => {
        size += chunk.byteLength;
        if (size > largestReplyBytes)
          request.destroy(new Error(`The answer is larger than ${largestReplyBytes} bytes`));
        else chunks.push(chunk);
      });
      response.on('error', reject);
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') });
      });
    });
    request.on('error', (error) => {
      const stale = request.reusedSocket && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(stale ? new StaleConnection('The connection was closed before the request', { cause: error }) : error);
    });
    request.end(body);
  });
}
