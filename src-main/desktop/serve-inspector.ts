import { inspectorFiles } from '../http/inspector/inspector-files.ts';
import { toErrorReply } from '../http/error-reply.ts';
import { isAppUrl } from './app-origin.ts';

/** As over HTTP, but the page cannot connect to anything: it talks to this program over IPC. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self'",
  "img-src 'self' data:",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-src 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
].join('; ');

const headers = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
};

/**
 * The handler of the `app:` scheme: files of the inspector's build, GET only, nothing outside of it.
 * @param directory the build, out/renderer
 */
export function serveInspector(directory: string): (request: Request) => Promise<Response> {
  const files = inspectorFiles(directory);
  return async (request) => {
    if (request.method !== 'GET') return refuse(405, 'Only GET is answered here.');
    if (!isAppUrl(request.url)) return refuse(404, 'There is nothing under this address.');
    try {
      const file = await files.read(new URL(request.url).pathname);
      return new Response(file.bytes, { headers: { ...file.headers, ...headers } });
    } catch (error) {
      const { status, body } = toErrorReply(error);
      return refuse(status, body.error.message);
    }
  };
}

function refuse(status: number, message: string): Response {
  return new Response(message, { status, headers: { ...headers, 'Content-Type': 'text/plain; charset=utf-8' } });
}
