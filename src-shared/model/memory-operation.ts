import { z } from 'zod';
import { pageAuthorSchema } from './memory-page.ts';

/** How a candidate of memory ended. `REFUSED`: it must not or need not be kept, and the reason says why. */
export const memoryActionSchema = z.enum(['ADD', 'UPDATE', 'DELETE', 'NONE', 'REFUSED']);
export type MemoryAction = z.infer<typeof memoryActionSchema>;

/** One judgement about one candidate: the audit history of memory. Immutable but for `undone_at`. */
export const memoryOperationSchema = z.object({
  operation_id: z.string(),
  at: z.string(),
  action: memoryActionSchema,
  /** Page that was written, or that made writing needless. */
  uri: z.string().optional(),
  kind: z.string().optional(),
  /** What was to be remembered, in one sentence. */
  text: z.string(),
  /** A code (`secret`, `not_durable`, `known_already`, `contradicts` …) and the sentence for people. */
  reason: z.object({ code: z.string(), message: z.string() }),
  gates: z.object({ durable: z.boolean(), new: z.boolean(), useful: z.boolean() }),
  /** What is known already that it was compared with, nearest first. */
  compared: z.array(z.object({ uri: z.string(), similarity: z.number() })),
  version_before: z.int().positive().optional(),
  version_after: z.int().positive().optional(),
  /** The page that stands no longer because of it. */
  supersedes: z.string().optional(),
  author: pageAuthorSchema,
  method: z.enum(['rules', 'model', 'request']),
  /** Of the prompts that the model was asked with, such as `extraction@1`. */
  prompt_version: z.string().optional(),
  user_id: z.string(),
  agent_id: z.string(),
  session_uid: z.string().optional(),
  /** URIs of the turns it was found in. */
  sources: z.array(z.string()),
  checkpoint_id: z.string().optional(),
  undone_at: z.string().optional(),
});
export type MemoryOperation = z.infer<typeof memoryOperationSchema>;
