import { z } from 'zod';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import type { ModelReply } from '../../engine/ports/language-model.ts';

/** What is read of an answer; endpoints differ in the rest, and in what they leave out. */
const completionSchema = z.object({
  model: z.string().nullish(),
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: z.number().nullish(), completion_tokens: z.number().nullish() }).nullish(),
});

/** @throws EngineError `model_bad_answer` for what is no completion, or a refusal */
export function readCompletion(value: unknown, asked: string): ModelReply {
  const parsed = completionSchema.safeParse(value);
  if (!parsed.success) {
    const found = JSON.stringify(value)?.slice(0, 200) ?? 'nothing';
    throw new EngineError(
      'model_bad_answer',
      `The endpoint should answer with a chat completion; it answered ${found}. Check language_model.base_url.`,
    );
  }
  const { choices, model, usage } = parsed.data;
  const choice = choices[0];
  const refusal = choice?.message.refusal;
  if (refusal) throw new EngineError('model_bad_answer', `The model refused: ${refusal.slice(0, 300)}`);
  return {
    text: choice?.message.content ?? '',
    model: model || asked,
    stopReason: stopReason(choice?.finish_reason),
    ...(typeof usage?.prompt_tokens === 'number' ? { inputTokens: usage.prompt_tokens } : {}),
    ...(typeof usage?.completion_tokens === 'number' ? { outputTokens: usage.completion_tokens } : {}),
  };
}

function stopReason(reason: string | null | undefined): ModelReply['stopReason'] {
  if (reason === 'length') return 'length';
  return (reason ?? 'stop') === 'stop' ? 'stop' : 'other';
}
