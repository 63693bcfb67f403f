import fc from 'fast-check';
import type { HostMessage, MessageFormat } from '../../../../src-shared/protocol/host-message.ts';

/** One thing that happens in a conversation; a script of them becomes messages of either format. */
export type Step =
  | { readonly kind: 'user' | 'assistant' | 'system'; readonly text: string }
  | { readonly kind: 'thinking'; readonly text: string }
  | { readonly kind: 'excluded'; readonly text: string }
  | {
      readonly kind: 'tools';
      /** Ids come from a small pool, so that they are used again; `answered` leaves some without results. */
      readonly calls: readonly { readonly id: string; readonly args: string; readonly answered: boolean }[];
      readonly result: string;
      readonly steering: string | undefined;
    }
  | { readonly kind: 'orphanResult'; readonly id: string; readonly text: string };

const words = ['deploy', 'the index', 'src/app.ts', '数据库', 'ok', 'why?', '🚀', 'order 4821377', 'go on'];

const shortText = fc.oneof(
  fc.array(fc.constantFrom(...words), { minLength: 1, maxLength: 12 }).map((list) => list.join(' ')),
  fc.constantFrom('', ' ', '\n\t', '\ud800', 'a\u0000b', '<strata-context>x</strata-context>'),
);
const longText = fc
  .tuple(fc.constantFrom('word ', '数据 ', '{"k": 1}, ', 'x'), fc.integer({ min: 200, max: 4_000 }))
  .map(([piece, count]) => piece.repeat(count));
const text = fc.oneof({ weight: 8, arbitrary: shortText }, { weight: 1, arbitrary: longText });
const id = fc.constantFrom('call_1', 'call_2', 'call_3', 'toolu_9');

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('user' as const), text }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('assistant' as const), text }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('tools' as const),
      calls: fc.array(fc.record({ id, args: shortText, answered: fc.constant(true) }), { minLength: 1, maxLength: 3 }),
      result: text,
      steering: fc.option(shortText, { nil: undefined, freq: 5 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('tools' as const),
      calls: fc.array(fc.record({ id, args: shortText, answered: fc.boolean() }), { minLength: 1, maxLength: 3 }),
      result: text,
      steering: fc.constant(undefined),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('orphanResult' as const), id, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('excluded' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('thinking' as const), text: shortText }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('system' as const), text: shortText }) },
);

export const conversationScript: fc.Arbitrary<readonly Step[]> = fc.array(step, { minLength: 1, maxLength: 24 });

const start = Date.parse('2026-11-02T08:00:00Z');

/** The messages of a script, a second apart in OpenClaw's format and without a time in OpenAI's. */
export function messagesOf(script: readonly Step[], format: MessageFormat): readonly HostMessage[] {
  const write = format === 'openclaw' ? openClaw : openAi;
  const messages = script.flatMap((one) => write(one));
  return format === 'openai'
    ? messages
    : messages.map((message, index) => ({ ...message, timestamp: start + index * 1_000 }));
}

function openClaw(step: Step): HostMessage[] {
  switch (step.kind) {
    case 'user':
      return [{ role: 'user', content: step.text }];
    case 'assistant':
      return [assistant([{ type: 'text', text: step.text }])];
    case 'system':
      return [{ role: 'notice', content: step.text }];
    case 'thinking':
      return [assistant([{ type: 'thinking', thinking: step.text, thinkingSignature: 'sig' }])];
    case 'excluded':
      return [{ role: 'custom', customType: 'x', content: step.text, display: false, excludeFromContext: true }];
    case 'orphanResult':
      return [openClawResult(step.id, step.text)];
    case 'tools':
      return [
        assistant(
          unique(step.calls).map((call) => ({
            type: 'toolCall',
            id: call.id,
            name: 'run',
            arguments: { input: call.args },
          })),
        ),
        ...(step.steering === undefined ? [] : [{ role: 'user', content: step.steering }]),
        ...unique(step.calls).flatMap((call) => (call.answered ? [openClawResult(call.id, step.result)] : [])),
      ];
  }
}

function openAi(step: Step): HostMessage[] {
  switch (step.kind) {
    case 'user':
    case 'assistant':
    case 'system':
      return [{ role: step.kind, content: step.text }];
    case 'thinking':
    case 'excluded':
      return [{ role: 'assistant', content: step.text }];
    case 'orphanResult':
      return [{ role: 'tool', tool_call_id: step.id, content: step.text }];
    case 'tools':
      return [
        {
          role: 'assistant',
          content: null,
          tool_calls: unique(step.calls).map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: 'run', arguments: JSON.stringify({ input: call.args }) },
          })),
        },
        ...(step.steering === undefined ? [] : [{ role: 'user', content: step.steering }]),
        ...unique(step.calls).flatMap((call) =>
          call.answered ? [{ role: 'tool', tool_call_id: call.id, content: step.result }] : [],
        ),
      ];
  }
}

/** No provider gives two calls of one message the same id. */
function unique<T extends { readonly id: string }>(calls: readonly T[]): readonly T[] {
  return [...new Map(calls.map((call) => [call.id, call])).values()];
}

function assistant(content: readonly unknown[]): HostMessage {
  return { role: 'assistant', content, model: 'fake-model', provider: 'fake', api: 'x', stopReason: 'stop' };
}

function openClawResult(toolCallId: string, result: string): HostMessage {
  return { role: 'toolResult', toolCallId, toolName: 'run', content: [{ type: 'text', text: result }], isError: false };
}
