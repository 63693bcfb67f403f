import { z } from 'zod';
import { EngineError } from '../../../src-shared/model/engine-error.ts';
import { plainName, withoutControls } from '../../engine/compact/plain-text.ts';
import type { ModelReply } from '../../engine/ports/language-model.ts';

/** Far beyond every prompt and answer there is; what claims more is a fault, and sums of such counts stay exact (tokens). */
const mostTokens = 1e12;

/** What is no count is as good as none: whoever needs one makes an estimate. */
const countSchema = z.int().nonnegative().max(mostTokens).optional().catch(undefined);

/** What is read of an answer; endpoints differ in the rest, and in what they leave out. */
const completionSchema = z.object({
  model: z.string().nullish().catch(undefined),
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
  usage: z.object({ prompt_tokens: countSchema, completion_tokens: countSchema }).optional().catch(undefined),
});

/** @throws EngineError `model_bad_answer` for what is no completion, or a refusal */
export function readCompletion(value: unknown, asked: string): ModelReply {
  const parsed = completionSchema.safeParse(value);
  if (!parsed.success) {
    const found = withoutControls(JSON.stringify(value)?.slice(0, 200) ?? 'nothing');
    throw new EngineError(
      'model_bad_answer',
      `The endpoint should answer with a chat completion; it answered ${found}. Check language_model.base_url.`,
    );
  }
  const { choices, model, usage } = parsed.data;
  const choice = choices[0];
  const refusal = choice?.message.refusal;
  if (refusal)
    throw new EngineError('model_bad_answer', `The model refused: ${withoutControls(refusal.slice(0, 300))}`);
  return {
    text: choice?.message.content ?? '',
    model: plainName(model ?? '') || plainName(asked),
    stopReason: stopReason(choice?.finish_reason),
    ...(usage?.prompt_tokens === undefined ? {} : { inputTokens: usage.prompt_tokens }),
    ...(usage?.completion_tokens === undefined ? {} : { outputTokens: usage.completion_tokens }),
  };
}

function stopReason(reason: string | null | undefined): ModelReply['stopReason'] {
  if (reason === 'length') return 'length';
  return (reason ?? 'stop') === 'stop' ? 'stop' : 'other';
}
