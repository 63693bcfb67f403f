import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ModelMessage {
  readonly role: string;
  readonly content?: string | null | readonly { readonly type: string; readonly text?: string }[];
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
  readonly tool_call_id?: string;
}

export interface ModelRequest {
  readonly messages: readonly ModelMessage[];
  readonly tools?: readonly { readonly function?: { readonly name?: string } }[];
  readonly stream?: boolean;
  readonly model?: string;
}

/** What the model does with one request. */
export type ModelStep =
  | { readonly text: string }
  | { readonly tool: string; readonly args: unknown }
  /** The provider's answer when the prompt is larger than its window. */
  | { readonly overflow: number }
  | { readonly status: number };

/** Decides by the request; undefined gives the default answer. */
export type ModelScript = (request: ModelRequest) => ModelStep | undefined;

/** An OpenAI-compatible model on loopback whose answers a test scripts; it keeps every request. */
export class ScriptedModel {
  readonly requests: ModelRequest[] = [];
  script: ModelScript = () => undefined;
  #server: Server | undefined;
  #count = 0;

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        if (request.method !== 'POST')
          return json(response, 200, { object: 'list', data: [{ id: 'scripted', object: 'model' }] });
        const body = JSON.parse(Buffer.concat(chunks).toString('utf8')) as ModelRequest;
        this.requests.push(body);
        this.#answer(body, response);
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    this.#server = server;
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  }

  async stop(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }

  #answer(body: ModelRequest, response: ServerResponse): void {
    this.#count += 1;
    const step = this.script(body) ?? { text: `answer ${this.#count}` };
    if ('status' in step) return json(response, step.status, { error: { message: 'scripted failure' } });
    if ('overflow' in step) {
      const message = `This model's maximum context length is 32000 tokens. However, your messages resulted in ${step.overflow} tokens. Please reduce the length of the messages.`;
      return json(response, 400, {
        error: { message, type: 'invalid_request_error', code: 'context_length_exceeded' },
      });
    }
    const prompt = promptTokens(body);
    const usage = { prompt_tokens: prompt, completion_tokens: 12, total_tokens: prompt + 12 };
    const base = {
      id: `reply-${this.#count}`,
      created: Math.floor(Date.now() / 1000),
      model: body.model ?? 'scripted',
    };
    const call =
      'tool' in step
        ? {
            id: `call_${this.#count}`,
            type: 'function',
            function: { name: step.tool, arguments: JSON.stringify(step.args) },
          }
        : undefined;
    const finish = call ? 'tool_calls' : 'stop';
    const content = 'text' in step ? step.text : null;
    if (body.stream !== true) {
      const message = { role: 'assistant', content, ...(call ? { tool_calls: [call] } : {}) };
      return json(response, 200, {
        ...base,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      });
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const send = (choices: unknown[], rest: object = {}): void => {
      response.write(`data: ${JSON.stringify({ ...base, object: 'chat.completion.chunk', choices, ...rest })}\n\n`);
    };
    const delta = call ? { role: 'assistant', tool_calls: [{ index: 0, ...call }] } : { role: 'assistant', content };
    send([{ index: 0, delta, finish_reason: null }]);
    send([{ index: 0, delta: {}, finish_reason: finish }]);
    send([], { usage });
    response.end('data: [DONE]\n\n');
  }
}

/** What the model says it counted for the prompt of a request. */
export function promptTokens({ messages }: ModelRequest): number {
  return Math.ceil(JSON.stringify(messages).length / 4);
}

/** The text of a message, whichever form it has. */
export function textOf(message: ModelMessage | undefined): string {
  const content = message?.content;
  if (typeof content === 'string') return content;
  return (content ?? []).map((part) => part.text ?? '').join('\n');
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
