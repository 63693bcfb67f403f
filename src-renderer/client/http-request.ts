import type { z } from 'zod';
import { errorStatus } from '../../src-shared/model/engine-error.ts';
import { errorReplySchema } from '../../src-shared/protocol/common.ts';
import { ClientError, type ClientErrorCode } from './client-error.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Sends a request and parses its answer. @throws ClientError */
export async function httpRequest<S extends z.ZodType>(
  fetch: Fetch,
  url: string,
  init: RequestInit,
  reply: S,
  kind: 'json' | 'ndjson' = 'json',
): Promise<z.output<S>> {
  const response = await reach(fetch, url, init);
  if (!response.ok) throw await errorOf(response);
  const body = kind === 'ndjson' ? await bodyText(response) : await bodyJson(response);
  const parsed = reply.safeParse(body);
  if (!parsed.success) {
    const path = new URL(url).pathname;
    throw new ClientError('invalid_reply', `The daemon’s answer to ${path} is not what this page expects.`, {
      details: parsed.error.issues.slice(0, 20),
      cause: parsed.error,
    });
  }
  return parsed.data;
}

export async function reach(fetch: Fetch, url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (cause) {
    throw unreachable(cause);
  }
}

/** The error that a refused request stands for. */
export async function errorOf(response: Response): Promise<ClientError> {
  const text = await bodyText(response);
  const parsed = errorReplySchema.safeParse(parseOrUndefined(text));
  if (!parsed.success) {
    return new ClientError(
      'invalid_reply',
      `The daemon answered ${response.status} without saying why. Is another program on this port?`,
      { details: text.slice(0, 1_000) },
    );
  }
  const { code, message, details } = parsed.data.error;
  return new ClientError(isKnownCode(code) ? code : 'internal', message, { details });
}

async function bodyText(response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    throw unreachable(cause);
  }
}

async function bodyJson(response: Response): Promise<unknown> {
  const text = await bodyText(response);
  const value = parseOrUndefined(text);
  if (value === undefined) {
    throw new ClientError('invalid_reply', 'The daemon’s answer is not JSON.', { details: text.slice(0, 1_000) });
  }
  return value;
}

function parseOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Answered by the caller, who knows what the text was for.
    return undefined;
  }
}

function unreachable(cause: unknown): ClientError {
  return new ClientError('unreachable', 'The daemon does not answer.', { cause });
}

function isKnownCode(code: string): code is ClientErrorCode {
  return Object.hasOwn(errorStatus, code);
}
