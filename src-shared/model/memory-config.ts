import { z } from 'zod';
import { memoryAccessSchema } from './memory-scope.ts';

/** The section `memory` of `config.yaml`. */
export const memoryConfigSchema = z.strictObject({
  workspace: z
    .string()
    .min(1)
    .max(4_000)
    .default('workspace')
    .describe(
      'Directory of the memory pages, relative to the data directory; that of OpenClaw (~/.openclaw/workspace) to share its files',
    ),
  write_memory_md: z
    .boolean()
    .default(true)
    .describe('Whether MEMORY.md of the workspace gets an index of the pages, between marks of its own'),
  memory_md_tokens: z
    .int()
    .min(100)
    .max(100_000)
    .default(2_000)
    .describe('What that index takes at most (tokens); above, it has titles only, then counts for each folder'),
  access: z
    .strictObject({
      direct: memoryAccessSchema.default('all').describe('What a conversation with the user alone may see of memory'),
      group: memoryAccessSchema
        .default('shared')
        .describe('What group and channel chats may see: shared leaves out what is private'),
      subagent: memoryAccessSchema
        .default('shared')
        .describe('What sub-agents may see, where the spawn request grants nothing else'),
      cron: memoryAccessSchema.default('shared').describe('What scheduled runs may see'),
    })
    .prefault({}),
  extraction: z
    .strictObject({
      enabled: z
        .boolean()
        .default(true)
        .describe(
          'Whether what users say is read for memories: requests at once, the rest before its turns are compacted',
        ),
      method: z
        .enum(['auto', 'rules'])
        .default('auto')
        .describe(
          'Who finds memories in turns: auto (rules, and the model under language_model once more where one is configured) or rules (no model)',
        ),
      model_max_rounds: z
        .int()
        .min(1)
        .max(20)
        .default(6)
        .describe('Answers that a model is asked for per piece of conversation'),
      model_max_tokens: z
        .int()
        .min(1_000)
        .max(1_000_000)
        .default(60_000)
        .describe('Tokens that a model may take for the turns of one compaction, prompts and answers together'),
    })
    .prefault({}),
  memory_md: z
    .enum(['auto', 'always', 'never'])
    .default('auto')
    .describe(
      'Whether MEMORY.md is part of the standing memory; auto leaves it out where OpenClaw reads the same workspace and sends it itself',
    ),
  direct_max_tokens: z
    .int()
    .min(0)
    .max(20_000)
    .default(2_000)
    .describe(
      'MEMORY.md is sent whole while it is smaller (tokens); above, its index lines are, and recall finds the rest',
    ),
  index_max_tokens: z
    .int()
    .min(0)
    .max(20_000)
    .default(1_000)
    .describe('Index lines of MEMORY.md that are sent at most (tokens), where it is not sent whole'),
  profile_max_tokens: z
    .int()
    .min(0)
    .max(20_000)
    .default(800)
    .describe('Profile and lasting preferences that are part of each call at most (tokens); 0: none'),
  refresh_minutes: z
    .number()
    .min(0)
    .max(10_080)
    .default(60)
    .describe(
      'A session that was idle for longer takes in what was written to its standing memory since (minutes); before that the provider’s prompt cache is kept',
    ),
});
export type MemoryConfig = z.infer<typeof memoryConfigSchema>;
