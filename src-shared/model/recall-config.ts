import { z } from 'zod';

/** The section `recall` of `config.yaml`. */
export const recallConfigSchema = z.strictObject({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether memory is searched for the user’s newest message before each turn'),
  form: z
    .enum(['tool_pair', 'text'])
    .default('tool_pair')
    .describe('What recalled memory looks like to the model: a tool call with its result, or a text'),
  window: z.int().min(1).max(20).default(5).describe('Newest user turns that the question to memory is made of'),
  limit: z.int().min(1).max(50).default(8).describe('Memories that are recalled at most'),
  budget_share: z
    .number()
    .min(0)
    .max(0.5)
    .default(0.08)
    .describe('Share of the budget that recalled memories may take'),
  max_tokens: z.int().min(0).max(50_000).default(2_000).describe('Recalled memories take so much at most (tokens)'),
  item_max_tokens: z
    .int()
    .min(20)
    .max(20_000)
    .default(400)
    .describe('One recalled memory takes so much at most (tokens)'),
  min_score: z.number().min(0).max(1).default(0.35).describe('Memories with a lower score are not recalled'),
  deadline_ms: z
    .int()
    .min(1)
    .max(60_000)
    .default(300)
    .describe('How long a call waits for recall before it does without (ms)'),
  skills: z.boolean().default(false).describe('Whether memories of the kinds skill and tool are recalled too'),
});
export type RecallConfig = z.infer<typeof recallConfigSchema>;
