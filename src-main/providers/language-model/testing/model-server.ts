import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';

const requestSchema = z.looseObject({
  model: z.string(),
  stream: z.boolean().optional(),
  max_tokens: z.number().optional(),
  max_completion_tokens: z.number().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
});
export type AskedCompletion = z.infer<typeof requestSchema>;

export interface Asked {
  readonly body: AskedCompletion;
  readonly system: string;
  readonly prompt: string;
  readonly headers: IncomingMessage['headers'];
  readonly path: string;
  /** Milliseconds by a clock that only goes forward. */
  readonly at: number;
}

/** A text answers 200 with it. */
export type ScriptedAnswer =
  | string
  | {
      /** Leaves the request open. */
      readonly never?: true;
      readonly status?: number;
      readonly text?: string;
      readonly finish?: string;
      readonly headers?: Readonly<Record<string, string>>;
      /** Instead of a completion. */
      readonly body?: string;
      readonly usage?: { readonly prompt_tokens: number; readonly completion_tokens: number };
    };

export interface ModelServer {
  /** As `language_model.base_url`. */
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** An endpoint on loopback whose answers are given; the last one is repeated. Closed when the running test ends. */
export async function openModelServer(
  answers: readonly ScriptedAnswer[] | ((asked: Asked, index: number) => ScriptedAnswer),
): Promise<ModelServer> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = requestSchema.parse(JSON.parse(Buffer.concat(chunks).toString('utf8')));
    const [system, user] = body.messages;
    const one: Asked = {
      body,
      system: system?.content ?? '',
      prompt: user?.content ?? '',
      headers: request.headers,
      path: request.url ?? '',
      at: performance.now(),
    };
    asked.push(one);
    const index = asked.length - 1;
    const scripted = typeof answers === 'function' ? answers(one, index) : (answers[index] ?? answers.at(-1) ?? '');
    const given = typeof scripted === 'string' ? { text: scripted } : scripted;
    if (given.never !== true) reply(response, given, body.model);
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): Promise<void> => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(() => resolve()));
  };
  onTestFinished(close);
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`, asked, close };
}

function reply(
  response: ServerResponse,
  { status = 200, text = '', finish = 'stop', headers = {}, body, usage }: Exclude<ScriptedAnswer, string>,
  model: string,
): void {
  const completion = {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    model,
    choices: [{ index: 0, message: { role: 'assistant', content: text }, finish_reason: finish }],
    usage: usage ?? { prompt_tokens: 1_000, completion_tokens: 100 },
  };
  const error = { error: { message: `scripted ${status}`, type: 'scripted' } };
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(body ?? JSON.stringify(status === 200 ? completion : error));
}
