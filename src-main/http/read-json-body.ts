import { EngineError } from '../../src-shared/model/engine-error.ts';

/** Deeper JSON would overflow the stack of whoever walks it later. */
const maxDepth = 200;

/**
 * Reads and parses a JSON body of at most `limit` bytes; what is beyond is never taken in, whether or not the
 * length was announced. Undefined when the request has no body.
 * @throws EngineError `unsupported_media_type`, `body_too_large` or `invalid_json`
 */
export async function readJsonBody(request: Request, limit: number): Promise<unknown> {
  const announced = request.headers.get('content-length');
  const length = announced === null ? undefined : Number(announced);
  if (length !== undefined && length > limit) throw tooLarge(limit);
  const chunked = request.headers.has('transfer-encoding');
  if (length === 0 || (length === undefined && !chunked && request.body === null)) return undefined;
  checkMediaType(request.headers);
  // With an announced length the HTTP parser itself ends the body there, so it can be read at once.
  const bytes = length === undefined || chunked ? await readBounded(request, limit) : await readWhole(request);
  if (bytes.byteLength > limit) throw tooLarge(limit);
  return parseJson(bytes);
}

function checkMediaType(headers: Headers): void {
  const type = headers.get('content-type') ?? '';
  const [media, ...parameters] = type.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  const encoding = headers.get('content-encoding') ?? 'identity';
  const plainUtf8 = charset === undefined || charset === 'utf-8' || charset === '"utf-8"' || charset === 'utf8';
  if (media === 'application/json' && plainUtf8 && encoding === 'identity') return;
  throw new EngineError(
    'unsupported_media_type',
    `Expected "Content-Type: application/json" in UTF-8 without compression, got ${JSON.stringify(type.slice(0, 100))}${encoding === 'identity' ? '' : ` compressed with ${JSON.stringify(encoding.slice(0, 50))}`}.`,
  );
}

async function readWhole(request: Request): Promise<Buffer> {
  try {
    return Buffer.from(await request.arrayBuffer());
  } catch (error) {
    throw cutOff(error);
  }
}

async function readBounded(request: Request, limit: number): Promise<Buffer> {
  const body: ReadableStream<Uint8Array> | null = request.body;
  const reader = body?.getReader();
  if (!reader) return Buffer.alloc(0);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      throw cutOff(error);
    });
    if (done) return Buffer.concat(chunks, size);
    size += value.byteLength;
    if (size > limit) {
      // Not awaited: a client that goes on sending must not delay its refusal.
      reader.cancel().catch(() => undefined);
      throw tooLarge(limit);
    }
    chunks.push(value);
  }
}

function parseJson(bytes: Buffer): unknown {
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch (error) {
    throw new EngineError('invalid_json', 'The body is not valid UTF-8. Send JSON encoded as UTF-8.', { cause: error });
  }
  const value = parseText(text);
  if (isDeeperThan(maxDepth, value)) {
    throw new EngineError('invalid_json', `The body is nested deeper than ${maxDepth} levels. Flatten it.`);
  }
  return value;
}

function parseText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    // The parser's own message quotes the text; the position is all that may go out.
    const position = error instanceof Error ? /position (\d+)/.exec(error.message)?.[1] : undefined;
    const where = position === undefined ? '' : ` (at character ${position} of ${text.length})`;
    throw new EngineError('invalid_json', `The body is not valid JSON${where}.`);
  }
}

// Fatal: a byte that is no UTF-8 would otherwise be replaced, and the stored message would not be what was sent.
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Cheaper than it looks: strings, which are most of a body, are not looked into. */
function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((child) => isDeeperThan(levels - 1, child));
  for (const key in value) {
    if (isDeeperThan(levels - 1, Reflect.get(value, key))) return true;
  }
  return false;
}

function tooLarge(limit: number): EngineError {
  return new EngineError(
    'body_too_large',
    `Expected a body of at most ${limit} bytes. Send less at once, or raise the limit in config.yaml (limits).`,
    { details: { limit } },
  );
}

function cutOff(cause: unknown): EngineError {
  return new EngineError('invalid_request', 'The request ended before its body was complete.', { cause });
}
