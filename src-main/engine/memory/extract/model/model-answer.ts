import { z } from 'zod';
import { stripReasoning } from '../../../compact/strip-reasoning.ts';

const actionSchema = z.union([
  z.object({ action: z.literal('list'), kind: z.string().max(100) }),
  z.object({ action: z.literal('read'), uri: z.string().max(4_000) }),
  z.object({ action: z.literal('get_relations'), uri: z.string().max(4_000) }),
  z.object({
    action: z.templateLiteral(['extract_', z.string().max(60)]),
    turn: z.int().nonnegative(),
    quote: z.string().min(1).max(1_000),
    statement: z.string().min(3).max(600),
    topic: z.string().min(1).max(100),
  }),
]);
export type ModelAction = z.infer<typeof actionSchema>;
export type ExtractAction = Extract<ModelAction, { readonly statement: string }>;

const answerSchema = z.object({ actions: z.array(actionSchema).max(50), done: z.boolean() });
export type ModelAnswer = z.infer<typeof answerSchema>;

/** Longest answer that is looked at (characters). */
const longestAnswer = 100_000;

/** The answer, or what is wrong with it, in a sentence that the model is told. */
export function readAnswer(text: string): ModelAnswer | { readonly refusal: string } {
  if (text.length > longestAnswer)
    return { refusal: `it has ${text.length} characters, and ${longestAnswer} are read.` };
  const plain = stripReasoning(text);
  const json = plain.slice(plain.indexOf('{'), plain.lastIndexOf('}') + 1);
  if (json === '') return { refusal: 'there is no JSON object in it.' };
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // What is no JSON is told as that; the parser's own words would quote the answer.
    return { refusal: 'it is no valid JSON.' };
  }
  const parsed = answerSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return { refusal: `it has another form: ${issue ? `${issue.path.join('.')}: ${issue.message}` : 'unknown'}.` };
}
